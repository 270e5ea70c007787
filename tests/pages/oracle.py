"""An oracle: what a browser makes of a page, by libraries that pagekin does not use.

Text is decoded by Python's codecs under the labels of `webencodings`, the tree is lexbor's (with
scripting, as in a browser), words are cut by `regex`, addresses resolved by Ada. pagekin's own
rules (what a word is, which elements are mute, the canonical address) are written here a second
time, in their plainest form. Slow, and meant to be read.
"""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from unicodedata import normalize

import ada_url
import regex
import webencodings
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

MUTE = {"script", "style", "noscript", "template", "iframe", "noembed", "noframes"}
LONGEST_WORD = 128
LONGEST_ADDRESS = 8 * 1024


@dataclass(frozen=True, slots=True)
class Reading:
    """A page's title, its words, and the words and the target of each of its anchors."""

    title: str
    words: list[str]
    anchors: list[tuple[tuple[str, ...], str]]


def read(url: str, body: bytes, charset: str | None) -> Reading:
    """The page at `url`, as a browser that was given `charset` by the server reads it."""
    walk = _Walk()
    root = parse(body, charset).root
    if root is not None:
        walk.visit(root)
    base = url if walk.base is None else resolve(walk.base, url) or url
    anchors = []
    for first, last, reference in walk.links:
        target = canonical(resolve(reference, base))
        if target is not None:
            anchors.append((tuple(walk.words[first:last]), target))
    return Reading(" ".join((walk.title or "").split()), walk.words, anchors)


def parse(body: bytes, charset: str | None) -> LexborHTMLParser:
    """The tree, with the encoding of the HTML standard: a late `<meta>` restarts parsing."""
    known = byte_order_mark(body) or named(charset) or prescan(body[:1024])
    tree = _tree(decode(body, known or declared_as_xml(body[:1024]) or guess(body)))
    late = None if known else next(filter(None, map(_declared_by, tree.css("meta"))), None)
    return _tree(decode(body, late)) if late else tree


def _tree(text: str) -> LexborHTMLParser:
    return LexborHTMLParser(text, scripting=True, options=LexborDocumentOptions.WO_EVENTS)


# The encoding

_LATIN = webencodings.Encoding("windows-1252", codecs.lookup("cp1252"))


def decode(body: bytes, encoding: webencodings.Encoding) -> str:
    """The text, without its byte order mark."""
    # The standard reads GBK with the decoder of its superset.
    name = "gb18030" if encoding.name == "gbk" else encoding.codec_info.name
    return body.decode(name, "replace").removeprefix("\ufeff")


def byte_order_mark(body: bytes) -> webencodings.Encoding | None:
    """The encoding of a byte order mark."""
    marks = {b"\xef\xbb\xbf": "utf-8", b"\xfe\xff": "utf-16be", b"\xff\xfe": "utf-16le"}
    return next((named(label) for mark, label in marks.items() if body.startswith(mark)), None)


def named(label: str | None) -> webencodings.Encoding | None:
    """The encoding with this label."""
    return None if label is None else webencodings.lookup(label)


def guess(body: bytes) -> webencodings.Encoding:
    """The encoding of a page that declares none, with a simpler guess than in browsers."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return _LATIN
    return webencodings.UTF8


_SKIPPED = regex.compile(rb"<!--.*?-->|<[!/?][^>]*>|<", regex.DOTALL)
_TAG = regex.compile(rb"<([a-zA-Z][^\s/>]*)((?:[^>\"']|\"[^\"]*\"|'[^']*')*+)>")
_ATTRIBUTE = regex.compile(
    rb"([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"'][^\s>]*)))?"
)


def prescan(head: bytes) -> webencodings.Encoding | None:
    """The encoding that a `<meta>` near the start declares."""
    at = head.find(b"<")
    while at >= 0:
        tag = _TAG.match(head, at)
        if tag is not None and tag[1].lower() == b"meta":
            pairs: dict[str, str] = {}
            for found in _ATTRIBUTE.finditer(tag[2]):
                value = found[2] or found[3] or found[4] or b""
                pairs.setdefault(found[1].lower().decode("latin-1"), value.decode("latin-1"))
            encoding = _declared(pairs)
            if encoding is not None:
                return encoding
        skipped = tag or _SKIPPED.match(head, at)
        at = head.find(b"<", skipped.end() if skipped is not None else at + 1)
    return None


_XML = regex.compile(
    rb"<\?xml[^>]*?encoding[\0- ]*=[\0- ]*(?:\"([^\0- \">]+)\"|'([^\0- '>]+)')[^>]*>"
)


def declared_as_xml(head: bytes) -> webencodings.Encoding | None:
    """The encoding that an XML declaration names. It was read as single bytes, so it has them."""
    found = _XML.match(head)
    encoding = named((found[1] or found[2]).decode("latin-1")) if found is not None else None
    return webencodings.UTF8 if encoding and encoding.name.startswith("utf-16") else encoding


def _declared_by(meta: LexborNode) -> webencodings.Encoding | None:
    return _declared({name: value or "" for name, value in meta.attributes.items()})


def _declared(attributes: dict[str, str]) -> webencodings.Encoding | None:
    label = attributes.get("charset")
    if label is None and attributes.get("http-equiv", "").lower() == "content-type":
        found = regex.search(
            r"(?i)charset\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s;\"']+))",
            attributes.get("content", ""),
        )
        label = next(filter(None, found.groups()), None) if found else None
    encoding = named(label)
    if encoding is not None and encoding.name.startswith("utf-16"):
        return webencodings.UTF8
    if encoding is not None and encoding.name == "x-user-defined":
        return _LATIN
    return encoding


# The tree


@dataclass(slots=True)
class _Walk:
    """Collects what stands in a tree, in document order."""

    title: str | None = None
    base: str | None = None
    words: list[str] = field(default_factory=list)
    links: list[tuple[int, int, str]] = field(default_factory=list)

    def visit(self, root: LexborNode) -> None:
        # A stack, not recursion: pages may be nested deeper than Python's. A number on it
        # is that of a link which ends there.
        stack: list[tuple[LexborNode, str] | int] = [(root, "html")]
        while stack:
            entry = stack.pop()
            if isinstance(entry, int):
                first, _, reference = self.links[entry]
                self.links[entry] = (first, len(self.words), reference)
            elif entry[0].is_text_node:
                self.words += words_of(entry[0].text_content or "")
            elif entry[0].is_element_node:
                stack += self._enter(*entry)

    def _enter(self, node: LexborNode, namespace: str) -> Iterator[tuple[LexborNode, str] | int]:
        """The children to visit, in reverse order."""
        tag = node.tag or ""
        if tag in ("svg", "math"):
            namespace = tag
        if tag in MUTE:
            return
        if namespace == "html":
            if tag == "title":
                self.title = node.text() if self.title is None else self.title
                return
            if tag in ("a", "area", "base", "img", "input"):
                yield from self._attributes(tag, node.attributes)
        inside = "html" if _holds_html(node, tag, namespace) else namespace
        child = node.last_child
        while child is not None:
            yield child, inside
            child = child.prev

    def _attributes(self, tag: str, attributes: dict[str, str | None]) -> Iterator[int]:
        if "href" in attributes:
            reference = attributes["href"] or ""
            if tag == "base" and self.base is None:
                self.base = reference
            if tag in ("a", "area"):
                yield len(self.links)
                self.links.append((len(self.words), len(self.words), reference))
        if tag in ("area", "img", "input"):
            self.words += words_of(attributes.get("alt") or "")


def _holds_html(node: LexborNode, tag: str, namespace: str) -> bool:
    """Whether the children of an element of SVG or MathML are HTML."""
    if tag == "annotation-xml":
        encoding = node.attributes.get("encoding") or ""
        return encoding.lower() in ("text/html", "application/xhtml+xml")
    holders = {
        "svg": {"foreignObject", "desc", "title"},
        "math": {"mi", "mo", "mn", "ms", "mtext"},
    }
    return tag in holders.get(namespace, ())


# Words

_IGNORED = "\u00ad\u200c\u200d\u2060\ufeff"
_LETTER = r"[\p{Alphabetic}--\p{M}]"
_SPACELESS = (
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\u30fc\uff70]"
)
_RUN = regex.compile(
    rf"(?V1)(?P<plain>[{_LETTER}--{_SPACELESS}][{_LETTER}\p{{M}}--{_SPACELESS}]*)"
    rf"|(?P<spaceless>[{_LETTER}&&{_SPACELESS}][\p{{M}}[{_LETTER}&&{_SPACELESS}]]*)"
)
_UNIT = regex.compile(r"(?V1)\P{M}\p{M}*")
_DROP = str.maketrans("", "", _IGNORED)


def words_of(text: str) -> list[str]:
    """The words of one text node."""
    words = []
    for run in _RUN.finditer(text.translate(_DROP)):
        if run["plain"]:
            words.append(normalize("NFC", _cut(run[0]).lower()))
        else:
            units = _UNIT.findall(run[0])
            pairs = map("".join, pairwise(units)) if units[1:] else units
            words += [normalize("NFC", pair) for pair in pairs]
    return words


def _cut(word: str) -> str:
    if len(word) * 4 <= LONGEST_WORD:
        return word
    kept = ""
    for letter in word:
        if len((kept + letter).encode()) <= LONGEST_WORD:
            kept += letter
    return kept


# Addresses


def resolve(reference: str, base: str) -> str | None:
    """The absolute address of a reference on a page."""
    try:
        return ada_url.URL(reference, base=base).href
    except ValueError:
        return None


def canonical(address: str | None) -> str | None:
    """The canonical form of a URL: no user, no fragment, normalised escapes."""
    if address is None:
        return None
    url = ada_url.URL(address)
    if url.protocol not in ("http:", "https:"):
        return None
    url.hash = url.username = url.password = ""
    tidy = regex.sub("%[0-9A-Fa-f]{2}", _tidy, url.href.partition("#")[0])
    return tidy if len(tidy) <= LONGEST_ADDRESS else None


def _tidy(escape: regex.Match[str]) -> str:
    byte = chr(int(escape[0][1:], 16))
    return byte if regex.fullmatch("[A-Za-z0-9._~-]", byte) else escape[0].upper()
