"""Pack the sample's pages into a WARC 1.1, gzip by record.

    python -m pagekin.sample.pack OUT.warc.gz

The same pages give the same bytes: dates are fixed, record ids come from the content, records
are in the order of their URLs.
"""

import base64
import hashlib
import sys
import uuid
import zlib
from collections.abc import Iterator
from os import PathLike
from pathlib import Path

from pagekin.errors import ExitCode
from pagekin.sample import sample_sites

__all__ = ["write_sample"]

DATE = "2002-05-07T09:00:00Z"
Headers = dict[str, str]


def write_sample(path: str | PathLike[str]) -> int:
    """Write the sample crawl to `path` and return its number of pages."""
    pages = sorted(_pages())
    with Path(path).open("wb") as warc:
        warc.write(_warcinfo())
        for url, body in pages:
            warc.write(_response(url, body))
    return len(pages)


def _pages() -> Iterator[tuple[str, bytes]]:
    for file in sample_sites().rglob("*.html"):
        address = file.relative_to(sample_sites()).as_posix()
        yield f"http://{address.removesuffix('index.html')}", file.read_bytes()


def _warcinfo() -> bytes:
    block = b"software: pagekin.sample.pack\r\nformat: WARC File Format 1.1\r\n"
    return _record({"WARC-Type": "warcinfo", "Content-Type": "application/warc-fields"}, block)


def _response(url: str, body: bytes) -> bytes:
    fields = {"Content-Type": _content_type(body), "Content-Length": str(len(body))}
    headers = {
        "WARC-Type": "response",
        "WARC-Target-URI": url,
        "WARC-Payload-Digest": _digest(body),
        "Content-Type": "application/http; msgtype=response",
    }
    return _record(headers, _head("HTTP/1.1 200 OK", fields) + body)


def _content_type(body: bytes) -> str:
    """Pages that are not UTF-8 declare their encoding in a `<meta>`."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "text/html"
    return "text/html; charset=utf-8"


def _record(headers: Headers, block: bytes) -> bytes:
    name = headers.get("WARC-Target-URI", "") + _digest(block)
    identity = {
        "WARC-Record-ID": f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}>",
        "WARC-Date": DATE,
        "WARC-Block-Digest": _digest(block),
        "Content-Length": str(len(block)),
    }
    return _gzip(_head("WARC/1.1", headers | identity) + block + b"\r\n\r\n")


def _head(first_line: str, headers: Headers) -> bytes:
    lines = [first_line, *(f"{name}: {value}" for name, value in headers.items())]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode()


def _digest(data: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()


def _gzip(data: bytes) -> bytes:
    # Unlike the gzip module, zlib writes no time into the header of a member.
    member = zlib.compressobj(level=9, wbits=zlib.MAX_WBITS | 16)
    return member.compress(data) + member.flush()


def main(arguments: list[str]) -> int:
    """Write the sample to the one path given."""
    if len(arguments) != 1:
        print("usage: python -m pagekin.sample.pack OUT.warc.gz", file=sys.stderr)
        return ExitCode.BAD_INPUT
    try:
        pages = write_sample(arguments[0])
    except OSError as error:
        print(f"{arguments[0]}: {error.strerror}; give a path to write to", file=sys.stderr)
        return ExitCode.BAD_INPUT
    print(f"{arguments[0]}: {pages} pages")
    return ExitCode.DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
