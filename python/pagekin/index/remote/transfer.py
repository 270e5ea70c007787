"""Files of a remote index: HTTP with range requests, and the file systems of Arrow.

A transfer over HTTP that breaks off goes on where it stopped. The size is known beforehand, so that
a server cannot fill the disk.
"""

import http.client
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from pagekin.crawl import remote
from pagekin.errors import IndexFault, InputError, NotAnIndex

__all__ = ["copy_file", "read_file"]

ATTEMPTS = 4
"""How often a transfer begins or goes on."""
SECONDS = 30.0
"""How long a server may be silent."""
CHUNK = 1 << 20


def read_file(uri: str, most: int) -> bytes:
    """A whole file of at most so many bytes."""
    content = b""
    for chunk in _chunks(uri):
        content += chunk
        if len(content) > most:
            raise _unreachable(uri, f"it has more than {most:,} bytes")
    return content


def copy_file(uri: str, path: Path, size: int) -> None:
    """Copy a file of this size to this machine."""
    done = 0
    with path.open("wb") as file:
        for chunk in _chunks(uri):
            done += len(chunk)
            if done > size:
                break
            file.write(chunk)
    if done != size:
        raise _unreachable(uri, f"it has another size than {size:,} bytes")


def _chunks(uri: str) -> Iterator[bytes]:
    if urlsplit(uri).scheme in ("http", "https"):
        yield from _http_chunks(uri)
        return
    try:
        yield from remote.chunks(uri)
    except InputError as error:
        if remote.is_missing(error):
            raise NotAnIndex(error.what, path=uri, advice=_ADVICE) from error
        raise _unreachable(uri, error.what) from error


def _http_chunks(uri: str) -> Iterator[bytes]:
    """The bytes of a file, in as many requests as it takes."""
    done, reason = 0, ""
    for _ in range(ATTEMPTS):
        request = urllib.request.Request(uri, headers={"Range": f"bytes={done}-"} if done else {})
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as response:
                if done and response.status != http.client.PARTIAL_CONTENT:
                    raise _unreachable(uri, "the server does not go on where a transfer broke off")
                length = response.length
                start = done
                while chunk := response.read(CHUNK):
                    done += len(chunk)
                    yield chunk
                if length is None or done - start == length:
                    return
                reason = "the transfer broke off"
        except urllib.error.HTTPError as error:
            if error.code in (403, 404, 410):
                raise NotAnIndex(f"HTTP status {error.code}", path=uri, advice=_ADVICE) from error
            reason = f"HTTP status {error.code}"
        except (OSError, http.client.HTTPException) as error:
            reason = str(error)
    raise _unreachable(uri, reason)


def _unreachable(uri: str, reason: str) -> IndexFault:
    return IndexFault(f"cannot be fetched ({reason})", path=uri, advice=_ADVICE)


_ADVICE = "check its address, your access to it and the network"
