"""From WARC to fragments as one would write it in Python, for comparison.

    python_way.py ARCHIVE

FastWARC iterates the records, selectolax (Lexbor) parses and is walked once, PyStemmer stems,
`urljoin` resolves. Evidence is counted in dicts: the stems of each page, and for each link target
the stems of the anchor and of 32 words each side, stop words passed over. Less is done than
pagekin does (no distance weights, no detection of encodings, no canonical URLs, nothing written
to disk), so the comparison flatters Python.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import Stemmer
from fastwarc.warc import ArchiveIterator, WarcRecordType
from selectolax.lexbor import LexborHTMLParser

from bench.measure import BENCH, Sample, emit, timed

__all__ = ["python_way"]

WORD = re.compile(r"[^\W\d_]+")
NOISE = ["script", "style", "noscript", "template"]
STOP_LIST = BENCH.parent / "crates" / "pagekin-core" / "src" / "text" / "stopwords_en.txt"
STOP = frozenset(STOP_LIST.read_text(encoding="utf-8").split())
SIDE = 32

Bag = Counter[str]
Link = tuple[int, int, str]


def words_of(text: str) -> list[str]:
    """The words that count."""
    return [word for word in WORD.findall(text.lower()) if word not in STOP]


def captures(archive: Path) -> Iterator[tuple[str, str]]:
    """URL and text of each HTML page."""
    with archive.open("rb") as stream:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
            status = record.http_headers.status_code
            if status == 200 and "html" in (record.http_content_type or ""):
                url = record.headers["WARC-Target-URI"]
                yield url, _decoded(record.reader.read(), record.http_charset)


def _decoded(body: bytes, charset: str | None) -> str:
    try:
        return body.decode(charset or "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def read_page(url: str, html: str) -> tuple[list[str], list[Link]]:
    """The page's words, and each link as first word, word after the last, target."""
    tree = LexborHTMLParser(html)
    tree.strip_tags(NOISE)
    words: list[str] = []
    links: list[Link] = []
    if tree.root is None:
        return words, links
    for node in tree.root.traverse(include_text=True):
        tag = node.tag
        if tag == "-text":
            words += words_of(node.text(deep=False))
        elif tag == "img":
            words += words_of(node.attributes.get("alt") or "")
        elif tag == "a" and (href := node.attributes.get("href")):
            first = len(words)
            target = _resolved(url, href)
            if target.startswith("http"):
                links.append((first, first + len(words_of(node.text())), target))
    return words, links


def _resolved(url: str, href: str) -> str:
    try:
        return urljoin(url, href).partition("#")[0]
    except ValueError:
        return ""


def python_way(archive: Path) -> tuple[dict[str, Bag], dict[str, Bag]]:
    """Content and anchor evidence by URL."""
    stem = Stemmer.Stemmer("porter")
    content: dict[str, Bag] = {}
    anchors: dict[str, Bag] = defaultdict(Counter)
    for url, html in captures(archive):
        words, links = read_page(url, html)
        stems = stem.stemWords(words)
        content[url] = Counter(stems)
        for first, last, target in links:
            anchors[target].update(stems[max(first - SIDE, 0) : last + SIDE])
    return content, anchors


def measured(archive: Path) -> Sample:
    """Seconds for the archive."""
    result: list[tuple[dict[str, Bag], dict[str, Bag]]] = []
    # Kept until the clock has stopped: freeing the dicts is not part of the work.
    return timed(lambda: result.append(python_way(archive)))


if __name__ == "__main__":
    emit(measured(Path(sys.argv[1])))
