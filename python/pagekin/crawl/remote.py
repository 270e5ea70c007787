"""Remote files, by their URIs.

`s3://bucket/key`, `hdfs://host/path`, `gs://…`, `abfs://…` and `file:///path`, through the file
systems of Arrow. Credentials, regions and endpoints come from their usual places (environment,
`~/.aws`, `core-site.xml`); none is ever an option of pagekin. A URI with a secret is refused,
because URIs are printed and stored. Failures are `InputError` with the URI.
"""

import re
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
from pyarrow import fs

from pagekin.errors import InputError

__all__ = [
    "changes",
    "chunks",
    "download",
    "exists",
    "is_missing",
    "is_remote",
    "list_files",
    "move",
    "read_range",
    "refuse_secrets",
    "remove",
    "sizes",
    "upload",
]

CHUNK = 1 << 20
"""Bytes read at a time."""
_REQUESTS = 32
"""Number of concurrent requests."""
_URI = re.compile(r"([a-z][a-z0-9+.-]+)://([^/]*)(.*)", re.DOTALL)
_SAME = {"s3a": "s3", "s3n": "s3"}
"""Hadoop's names of schemes, and Arrow's."""
_MISSING = (FileNotFoundError, PermissionError, NotADirectoryError, pa.ArrowInvalid)
_FORBIDDEN = re.compile(r"ACCESS_DENIED|HTTP status 40[134]\b|is a directory|Not a regular file")
"""Messages of Arrow for errors without a class of their own."""


def is_remote(name: str) -> bool:
    """Whether a name is a URI rather than a path."""
    return _URI.match(name) is not None


_CREDENTIALS = re.compile(r"(?<=://)[^/?#]*:[^/?#]*@|(?<=\bs3://)[^/?#]*@", re.IGNORECASE)
"""`user:password@` before a host. A name alone is not secret: `abfs://container@account`."""
_SIGNATURE = re.compile(
    r"(?<=[?&])((?:x-(?:amz|goog)-)?(?:signature|credential|security-token)|sig|(?:access_)?token"
    r"|\w*(?:password|secret)\w*)=[^&#]*",
    re.IGNORECASE,
)
"""Parameters of signed URLs."""


def refuse_secrets(uri: str) -> None:
    """Reject a URI that has a password or a signature; the error does not repeat it."""
    shown = _SIGNATURE.sub(r"\1=***", _CREDENTIALS.sub("***@", uri))
    if shown != uri:
        raise InputError(
            "contains a secret, which would be printed and stored",
            source=shown,
            advice="leave it out; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use "
            "~/.aws or core-site.xml",
        )


def sizes(uris: Sequence[str]) -> list[int]:
    """The size of each file in bytes; 0 if it is unknown."""
    with ThreadPoolExecutor(_REQUESTS) as pool:
        return list(pool.map(_size, uris))


def changes(uris: Sequence[str]) -> list[int]:
    """When each file was last modified, in nanoseconds; 0 if it is unknown."""
    with ThreadPoolExecutor(_REQUESTS) as pool:
        return list(pool.map(_change, uris))


def is_missing(error: InputError) -> bool:
    """Whether a file is missing or forbidden, so that trying again would not help."""
    cause = error.__cause__
    return isinstance(cause, _MISSING) or _FORBIDDEN.search(str(cause)) is not None


def exists(uri: str) -> bool:
    """Whether there is such a file or folder."""
    return _info(uri).type is not fs.FileType.NotFound


def chunks(uri: str) -> Iterator[bytes]:
    """The bytes of a file as stored, without decompression."""
    with _input_errors(uri):
        system, path = _place(uri)
        with system.open_input_stream(path, compression=None) as stream:
            while chunk := stream.read(CHUNK):
                yield chunk


def read_range(uri: str, start: int, length: int) -> bytes:
    """So many bytes of a file from an offset on, or fewer if it ends before."""
    with _input_errors(uri):
        system, path = _place(uri)
        with system.open_input_file(path) as file:
            file.seek(min(start, file.size()))
            return file.read(length)


def download(uri: str, path: Path) -> None:
    """Copy a file to this machine."""
    with path.open("wb") as file:
        file.writelines(chunks(uri))


def upload(path: Path, uri: str) -> None:
    """Upload a local file, which appears when it is complete."""
    with _input_errors(uri):
        system, target = _place(uri)
        if isinstance(system, fs.S3FileSystem | fs.GcsFileSystem):
            _write(path, system, target)
            return
        system.create_dir(str(Path(target).parent), recursive=True)
        beside = f"{target}.{uuid.uuid4().hex}.part"
        _write(path, system, beside)
        system.move(beside, target)


def list_files(uri: str) -> list[str]:
    """The names of the files of a folder, in order; none if it does not exist."""
    with _input_errors(uri):
        system, path = _place(uri)
        found = system.get_file_info(fs.FileSelector(path, allow_not_found=True))
        return sorted(info.base_name for info in found if info.type is fs.FileType.File)


def move(uri: str, target: str) -> None:
    """Give a file another name in the same file system."""
    with _input_errors(uri):
        system, path = _place(uri)
        system.move(path, _place(target)[1])


def remove(uri: str) -> None:
    """Remove a file, or a folder with its content, if it exists."""
    kind = _info(uri).type
    if kind is not fs.FileType.NotFound:
        with _input_errors(uri):
            system, path = _place(uri)
            (system.delete_file if kind is fs.FileType.File else system.delete_dir)(path)


def _write(path: Path, system: fs.FileSystem, target: str) -> None:
    with path.open("rb") as file, system.open_output_stream(target, compression=None) as stream:
        while chunk := file.read(CHUNK):
            stream.write(chunk)


def _size(uri: str) -> int:
    try:
        return _info(uri).size or 0
    except InputError:
        return 0


def _change(uri: str) -> int:
    try:
        return _info(uri).mtime_ns or 0
    except InputError:
        return 0


def _info(uri: str) -> fs.FileInfo:
    with _input_errors(uri):
        system, path = _place(uri)
        (found,) = system.get_file_info([path])
        return found


def _place(uri: str) -> tuple[fs.FileSystem, str]:
    """The file system of a URI, and the path there."""
    scheme, host, path = _URI.findall(uri)[0]
    system, root = _system(_SAME.get(scheme, scheme), host)
    return system, (root.rstrip("/") + path) if root else path


@lru_cache(maxsize=64)
def _system(scheme: str, host: str) -> tuple[fs.FileSystem, str]:
    """Cached: finding the region of a bucket takes a request."""
    return fs.FileSystem.from_uri(f"{scheme}://{host}/")


@contextmanager
def _input_errors(uri: str) -> Iterator[None]:
    """Turn errors of file systems into `InputError`."""
    try:
        yield
    except (OSError, pa.ArrowException, ImportError) as error:
        raise InputError(
            f"cannot be reached ({error})",
            source=uri,
            advice="check its name, your access to it and the network",
        ) from error
