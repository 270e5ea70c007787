"""Worst inputs: pages, archives and queries that are slow, large or deep, made here, not stored.

Each is a name and how to make it: about a mebibyte unless its kind is small.
"""

import gzip
import io
import itertools
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pagekin.index import Manifest
from tests.archives import http, members, page, record

__all__ = ["ARCHIVES", "INDEXES", "MIB", "PAGES", "QUERIES"]

MIB = 1 << 20


def fill(piece: str, size: int = MIB) -> bytes:
    """A piece again and again."""
    one = piece.encode()
    return one * (size // len(one))


def counted(piece: str, size: int = MIB) -> bytes:
    """A piece with a word of letters in each place of `@`, each time another."""
    words = map("".join, itertools.product("bcdfghjklmnpqrst", repeat=6))
    count = size // len(piece.replace("@", "bcdfgh").encode())
    return "".join(piece.replace("@", next(words)) for _ in range(count)).encode()


def chosen_words() -> bytes:
    """Words that shared a place in the table of words as long as its hash had no seed."""
    first, second = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
    numbers = np.arange(8_000_000, dtype=np.uint64)
    words = np.zeros_like(numbers)
    for place in range(7):
        letter = (numbers // np.uint64(26**place)) % np.uint64(26) + np.uint64(ord("a"))
        words |= letter << np.uint64(8 * place)
    hashes = folded_product(words ^ np.uint64(first), (7 << 56) ^ second)
    chosen = words[hashes % np.uint64(1 << 19) < np.uint64(1 << 13)]
    return b" ".join(int(word).to_bytes(7, "little") for word in chosen)


def folded_product(one: npt.NDArray[np.uint64], other: int) -> npt.NDArray[np.uint64]:
    """Both halves of a product of 128 bits, joined by exclusive or."""
    half, low_half = np.uint64(32), np.uint64(0xFFFFFFFF)
    low, high = np.uint64(other) & low_half, np.uint64(other) >> half
    parts = [(one & low_half) * low, (one & low_half) * high, (one >> half) * low]
    middle = (parts[0] >> half) + (parts[1] & low_half) + (parts[2] & low_half)
    upper = (one >> half) * high + (parts[1] >> half) + (parts[2] >> half) + (middle >> half)
    folded: npt.NDArray[np.uint64] = ((parts[0] & low_half) | (middle << half)) ^ upper
    return folded


PAGES: dict[str, Callable[[], bytes]] = {
    "words that collide": chosen_words,
    "distinct words": lambda: counted("@ "),
    "distinct long words": lambda: counted("averylongwordthatis@ "),
    "one word": lambda: b"a" * MIB,
    "one letter words": lambda: fill("a "),
    "no letters": lambda: fill("1 . "),
    "combining marks": lambda: b"a" + fill("\u0301"),
    "script without spaces": lambda: fill("日本語"),
    "bytes that are not text": lambda: bytes(range(128, 256)) * (MIB // 128),
    "nul bytes": lambda: b"\0" * MIB,
    "deep divs": lambda: fill("<div>"),
    "deep formatting": lambda: fill("<b>"),
    "deep tables": lambda: fill("<table>"),
    "deep links": lambda: fill("<a href=x>"),
    "misnested formatting": lambda: fill("<b><i><p></b></i>"),
    "formatting across blocks": lambda: fill("<b><div>") + fill("</b>", MIB // 8),
    "adoption agency": lambda: fill("<a href=x><p><a href=y></p>"),
    "stray end tags": lambda: b"<svg>" + fill("<g>", 900 * 3) + fill("</i>"),
    "foster parenting": lambda: b"<table>" + fill("x<tr>y"),
    "frameset": lambda: b"<frameset>" + fill("<style>"),
    "templates": lambda: fill("<template>"),
    "selects": lambda: fill("<select><option>"),
    "foreign content": lambda: fill("<svg><math><p>"),
    "unclosed comment": lambda: b"<!--" + fill("--!<"),
    "unclosed tag": lambda: b"<a " + fill("x=y "),
    "attributes": lambda: b"<b " + counted("@ ") + b"><i>",
    "tags with attributes": lambda: b"<b>" + counted("<i @=1>"),
    "names of elements": lambda: b"<b><p></b>" + counted("<x-@></x-@>"),
    "names that are long": lambda: b"<b><p></b>" + fill("<" + "x" * 5000 + ">"),
    "raw text": lambda: b"<script><!--" + fill("<script>"),
    "endless tag names": lambda: b"<style>" + fill("<a"),
    "character references": lambda: fill("&amp;&#x41;&CounterClockwiseContourIntegral;"),
    "references without an end": lambda: fill("&notit;&#99999999999;&"),
    "long title": lambda: b"<title>" + fill("word "),
    "many titles": lambda: fill("<title>x</title>"),
    "breaks": lambda: fill("<br>"),
    "links": lambda: counted("<a href=@>x</a>"),
    "links with a long base": lambda: (
        b"<base href='http://a.example/"
        + b"x" * 8000
        + b"/'>"
        + counted("<a href=@>x</a>", MIB // 4)
    ),
    "links with dots": lambda: fill("<a href='" + "a/../" * 1000 + "'>x</a>"),
    "links with escapes": lambda: fill("<a href='" + "%7e" * 2000 + "'>x</a>"),
    "links with many slashes": lambda: fill("<a href='" + "/" * 7000 + "'>x</a>"),
    "links to other hosts": lambda: counted("<a href=http://@.example/>x</a>"),
    "headings": lambda: fill("<h1>x<h6>y"),
    "navigation in navigation": lambda: fill("<nav><ul><li><a href=x>y"),
    "see also": lambda: fill("<h2>See also</h2><ul><li><a href=x>y</a></ul>"),
    "ruby": lambda: fill("<ruby>x<rt>y<rp>z"),
    "plain text element": lambda: b"<p>x<plaintext>" + fill("</plaintext><a href=x>"),
    "integration points": lambda: fill("<svg><foreignObject><math><mi><p>"),
    "soft hyphens": lambda: fill("a\u00ad"),
    "characters of zero width": lambda: fill("a\u200b\u200d"),
    "letters that grow": lambda: fill("\ufdfa\u0130"),
    "languages": lambda: counted("<p lang=@>word</p>"),
    "line ends": lambda: fill("\r\n"),
    "declared encoding": lambda: b"<meta charset=iso-2022-jp>" + b"\x1b$B" * (MIB // 3),
}
"""What a page may be, as a body."""


def gzipped(levels: int, size: int) -> bytes:
    body = b"<p>" + b"a" * size
    for _ in range(levels):
        body = gzip.compress(body, 9, mtime=0)
    return body


def zipped(entries: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in entries.items():
            out.writestr(zipfile.ZipInfo(name), content)
    return made.getvalue()


def raw_deflate(size: int) -> bytes:
    return zlib.compress(b"<p>" + b"\0" * size, 9)


ARCHIVES: dict[str, Callable[[], bytes]] = {
    "encoded bomb": lambda: record(http(gzipped(1, 64 * MIB), "Content-Encoding: gzip")),
    "bomb in four encodings": lambda: record(
        http(gzipped(4, 64 * MIB), "Content-Encoding: gzip, gzip, gzip, gzip")
    ),
    "deflated bomb": lambda: record(http(raw_deflate(64 * MIB), "Content-Encoding: deflate")),
    "gzipped zeros": lambda: gzip.compress(page("a") + b"\0" * (64 * MIB), 9),
    "gzip in gzip": lambda: gzip.compress(gzip.compress(page("a"))),
    "tiny members": lambda: gzip.compress(b"", mtime=0) * (MIB // 20) + members(page("a")),
    "bytes as members": lambda: members(*(bytes([byte]) for byte in page("a") * 20)),
    "lengths that are wrong": lambda: fill("WARC/1.0\nWARC-Type: response\nContent-Length: 99\n\n"),
    "lengths that are huge": lambda: fill(
        "WARC/1.0\nWARC-Type: response\nContent-Length: 999999999999\n\n"
    ),
    "header without an end": lambda: b"WARC/1.0\n" + fill("A: b\n"),
    "headers without an end": lambda: fill("WARC/1.0\nA: b\n"),
    "header fields": lambda: record(http(b"<p>x", *["X: y"] * 8000)),
    "lines that look like ARC": lambda: fill("http://a 1.2.3.4 20200102030405 text/html 99999\n"),
    "almost ARC": lambda: fill("http://a b c d e f g h i j k l m n o p q r s 12\n"),
    "blank lines": lambda: page("a") + b"\r\n" * (MIB // 2) + page("b"),
    "chunks of one byte": lambda: record(
        http(b"1\r\na\r\n" * (MIB // 6) + b"0\r\n\r\n", "Transfer-Encoding: chunked")
    ),
    "zip of many entries": lambda: zipped({f"archive/{n}.warc": b"" for n in range(10_000)}),
    "zip bomb": lambda: zipped({"archive/a.warc": page("a") + b"\0" * (64 * MIB)}),
    "zip in zip": lambda: zipped({"archive/a.warc": zipped({"archive/b.warc": page("b")})}),
    "zip without an end": lambda: zipped({"archive/a.warc": page("a") * 5000})[: MIB // 32],
}
"""What a file may be, plain or compressed."""

QUERIES: dict[str, str] = {
    "one long word": "a" * 100_000,
    "many words": " ".join(f"word{letter * 3}" for letter in "abcdefghijklmnop" * 2000),
    "one word again and again": "garden " * 20_000,
    "unclosed quotes": '"garden ' * 5000,
    "quotes": '"garden school" ' * 3000,
    "marks": "e" + "\u0301" * 50_000,
    "surrogates": "\udc80" * 20_000,
    "no words": "!?. " * 20_000,
}
"""What somebody may ask."""


def rewritten(**values: Any) -> Callable[[Path], None]:
    """Other values in the manifest, whose checksum is right."""
    return lambda index: replace(Manifest.read(index), **values).write(index)


def replaced(content: Callable[[], bytes]) -> Callable[[Path], None]:
    """Another file instead of the manifest."""

    def write(index: Path) -> None:
        (index / "manifest.json").write_bytes(content())

    return write


def tables(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    """Another content of every table."""

    def write(index: Path) -> None:
        for path in index.glob("tables-*/*.arrow"):
            path.write_bytes(change(path.read_bytes()))

    return write


INDEXES: dict[str, Callable[[Path], None]] = {
    "deep manifest": replaced(lambda: b"[" * MIB),
    "deep objects": replaced(lambda: b'{"format":' * (MIB // 10)),
    "manifest of numbers": replaced(lambda: b"[" + b"1," * (MIB // 2) + b"1]"),
    "manifest with a long number": replaced(lambda: b'{"format": ' + b"9" * MIB + b"}"),
    "manifest of one name": replaced(lambda: b'{"' + b"a" * MIB + b'": 1}'),
    "many files": rewritten(
        files={f"x{n}.arrow": {"bytes": 1, "xxh3": "0"} for n in range(20_000)}
    ),
    "many shards": rewritten(shards=1 << 30),
    "long strategy": rewritten(strategy="[kinds]\n" + "# comment\n" * (MIB // 10)),
    "deep strategy": rewritten(strategy="a = " + "[" * 100_000),
    "dotted strategy": rewritten(strategy=".".join("a" * 100_000) + " = 1"),
    "many stop words": rewritten(strategy="[words]\nstop_words = [" + '"a",' * (MIB // 4) + "]"),
    "large counts": rewritten(counts={"pages": 1 << 60, "bags": 1 << 60}),
    "tables of zeros": tables(lambda table: bytes(len(table))),
    "tables of one byte": tables(lambda _: b"A"),
    "long tables": tables(lambda table: table + bytes(64 * MIB // 20)),
    "tables twice": tables(lambda table: table * 2),
}
"""What an index may be, as changes of a sound one."""
