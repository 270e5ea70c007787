"""The Open Directory's dump: `content.rdf.u8` and `structure.rdf.u8`.

Read as a stream of elements. The parser refuses what could make a small file large: document types
and entities, of which the dumps have none. Of the structure only `narrow` counts, which says what
is below a class; soft links (`symbolic`, marked @), `altlang`, `related` and aliases are ignored.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO
from xml.parsers import expat

from pagekin.errors import DirectoryError
from pagekin.evaluation.truths.rows import Row, path_of

__all__ = ["read_content", "read_structure"]

_STEP = 1 << 16
_ROOT = "Top"
_RESOURCE = "r:resource"
_LINKS = ("link", "link1", "pdf", "pdf1", "rss", "rss1", "atom", "atom1")
_NARROW = ("narrow", "narrow1", "narrow2")

Parents = dict[str, tuple[str, int]]
"""The class above each class, and the line that says so."""


def read_content(source: Path, file: BinaryIO, structure: Parents | None) -> Iterator[Row]:
    """The pages of every topic: those it links to, and those that name it themselves."""
    reader = _Content()
    for _ in _feed_parser(source, file, reader.parser):
        for line, url, topic in reader.found:
            yield Row(line, url, _path(topic, structure, source, line))
        reader.found.clear()


def read_structure(source: Path, file: BinaryIO) -> Parents:
    """Which class is below which. A class that two others claim stays below the first."""
    reader = _Structure()
    for _ in _feed_parser(source, file, reader.parser):
        pass
    _refuse_cycles(source, reader.parents)
    return reader.parents


class _Content:
    """Collects (line, URL, topic)."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str, str]] = []
        self.parser = _parser(self._start, self._end)
        self.parser.CharacterDataHandler = self._text
        self._topic = self._about = self._read = ""
        self._reads = False

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "Topic":
            self._topic = attributes.get("r:id", "")
        elif name == "ExternalPage":
            self._about = attributes.get("about", "")
        elif name == "topic":
            self._reads, self._read = True, ""
        elif name in _LINKS and self._topic:
            self._find(attributes.get(_RESOURCE, ""), self._topic)

    def _text(self, text: str) -> None:
        if self._reads:
            self._read += text

    def _end(self, name: str) -> None:
        if name == "topic" and self._about:
            self._find(self._about, self._read.strip())
        if name == "topic":
            self._reads = False
        elif name == "Topic":
            self._topic = ""
        elif name == "ExternalPage":
            self._about = ""

    def _find(self, url: str, topic: str) -> None:
        if url and topic:
            self.found.append((self.parser.CurrentLineNumber, url, topic))


class _Structure:
    """Collects the class above each class."""

    def __init__(self) -> None:
        self.parents: Parents = {}
        self.parser = _parser(self._start, lambda _: None)
        self._topic = ""

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "Topic":
            self._topic = attributes.get("r:id", "")
        elif name in _NARROW and self._topic:
            below = attributes.get(_RESOURCE, "")
            if below:
                self.parents.setdefault(below, (self._topic, self.parser.CurrentLineNumber))


def _parser(
    start: Callable[[str, dict[str, str]], None], end: Callable[[str], None]
) -> expat.XMLParserType:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = _refuse_document_type
    return parser


class _DocumentTypeError(expat.ExpatError):
    """The file declares a document type."""


def _refuse_document_type(*_: object) -> None:
    raise _DocumentTypeError("a document type is not allowed")


def _feed_parser(source: Path, file: BinaryIO, parser: expat.XMLParserType) -> Iterator[None]:
    """Feed the file to the parser, step by step."""
    try:
        while step := file.read(_STEP):
            parser.Parse(step, False)
            yield
        parser.Parse(b"", True)
        yield
    except expat.ExpatError as error:
        raise DirectoryError(
            f"malformed XML ({error})",
            source=source,
            line=parser.CurrentLineNumber,
            advice="repair the line, or fetch the dump again",
        ) from error


def _path(topic: str, parents: Parents | None, source: Path, line: int) -> tuple[str, ...]:
    """The names of a topic from below the root. The name of a topic is its path."""
    names = path_of(topic, source, line)
    if parents:
        names = _path_by_structure("/".join(names), parents)
    return names[1:] if len(names) > 1 and names[0] == _ROOT else names


def _path_by_structure(topic: str, parents: Parents) -> tuple[str, ...]:
    names: list[str] = []
    while topic:
        above, _, name = topic.rpartition("/")
        names.append(name)
        topic = parents[topic][0] if topic in parents else above
    return tuple(reversed(names))


def _refuse_cycles(source: Path, parents: Parents) -> None:
    """Walk up from every class, once per class."""
    sound: set[str] = set()
    for start in parents:
        walked: dict[str, None] = {}
        topic = start
        while topic and topic not in sound:
            if topic in walked:
                raise _cycle(source, topic, parents)
            walked[topic] = None
            topic = parents[topic][0] if topic in parents else topic.rpartition("/")[0]
        sound.update(walked)


def _cycle(source: Path, topic: str, parents: Parents) -> DirectoryError:
    above, line = parents.get(topic, (topic.rpartition("/")[0], 0))
    return DirectoryError(
        f"the classes form a cycle: {topic} is below {above}, which is below it",
        source=source,
        line=line or None,
        advice="remove one of its narrow elements",
    )
