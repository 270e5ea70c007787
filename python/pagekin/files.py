"""Files that are not on a disk of this machine, by their URIs.

`s3://bucket/key`, `hdfs://host/path`, `gs://…`, `abfs://…` and `file:///path`, through the file
systems of Arrow. Credentials, regions and endpoints are found where each of them is usually told
(environment, `~/.aws`, `core-site.xml`); none is ever an option of pagekin. What goes wrong is an
`OSError`.
"""

import errno
import re
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
from pyarrow import fs

__all__ = [
    "CHUNK",
    "copied",
    "download",
    "exists",
    "forget",
    "is_remote",
    "reading",
    "remove",
    "sizes",
]

CHUNK = 1 << 20
"""Bytes read at a time."""
_ASKING = 32
"""How many files are asked for at once: each answer takes its time."""
_URI = re.compile(r"([a-z][a-z0-9+.-]+)://([^/]*)(.*)", re.DOTALL)
_SAME = {"s3a": "s3", "s3n": "s3"}
"""Hadoop's names for what Arrow calls otherwise."""


def is_remote(name: str) -> bool:
    """Whether a name is a URI rather than a path."""
    return _URI.match(name) is not None


def sizes(uris: Sequence[str]) -> list[int]:
    """How many bytes each file has; 0 of one that cannot be asked."""
    with ThreadPoolExecutor(_ASKING) as pool:
        return list(pool.map(_size, uris))


def exists(uri: str) -> bool:
    """Whether there is such a file or folder."""
    return _info(uri).type is not fs.FileType.NotFound


@contextmanager
def reading(uri: str) -> Iterator[pa.NativeFile]:
    """The file as a stream of bytes, unpacked by nobody."""
    system, path = _place(uri)
    with _told(), system.open_input_stream(path, compression=None) as stream:
        yield stream


def download(uri: str, path: Path) -> None:
    """Copy a file to this machine."""
    with reading(uri) as stream, path.open("wb") as file:
        shutil.copyfileobj(stream, file, CHUNK)


def copied(path: Path, uri: str) -> None:
    """Copy a file of this machine to elsewhere, where it appears when it is whole."""
    system, target = _place(uri)
    with _told(), path.open("rb") as file:
        if isinstance(system, fs.S3FileSystem | fs.GcsFileSystem):
            _write(file, system, target)
            return
        system.create_dir(str(Path(target).parent), recursive=True)
        beside = f"{target}.{id(file):x}.part"
        _write(file, system, beside)
        system.move(beside, target)


def remove(uri: str) -> None:
    """Remove a folder with all that is in it, if it is there."""
    system, path = _place(uri)
    with _told():
        if _info(uri).type is not fs.FileType.NotFound:
            system.delete_dir(path)


def forget() -> None:
    """Find out anew where file systems are and who we are there."""
    _system.cache_clear()


def _write(file: BinaryIO, system: fs.FileSystem, target: str) -> None:
    with system.open_output_stream(target, compression=None) as stream:
        while chunk := file.read(CHUNK):
            stream.write(chunk)


def _size(uri: str) -> int:
    try:
        return _info(uri).size or 0
    except OSError:
        return 0


def _info(uri: str) -> fs.FileInfo:
    system, path = _place(uri)
    with _told():
        found = system.get_file_info(path)
    assert isinstance(found, fs.FileInfo)
    return found


def _place(uri: str) -> tuple[fs.FileSystem, str]:
    """The file system of a URI, and the path there."""
    match = _URI.match(uri)
    if match is None:
        raise OSError(errno.EINVAL, "is no URI", uri)
    scheme, host, path = match.groups()
    with _told():
        system, root = _system(_SAME.get(scheme, scheme), host)
    return system, (root.rstrip("/") + path) if root else path


@lru_cache(maxsize=64)
def _system(scheme: str, host: str) -> tuple[fs.FileSystem, str]:
    """Asked once: finding out the region of a bucket takes a request."""
    return fs.FileSystem.from_uri(f"{scheme}://{host}/")


@contextmanager
def _told() -> Iterator[None]:
    """What Arrow says otherwise is an `OSError` too."""
    try:
        yield
    except (pa.ArrowException, ImportError) as error:
        raise OSError(errno.EIO, str(error)) from error
