"""Every error pagekin raises on purpose.

    PagekinError
    ├── StrategyError          a setting that is unknown, of the wrong type or impossible
    ├── InputError             something given to us cannot be read (source, offset or line)
    │   ├── MalformedUrl       not a valid URL
    │   ├── CrawlError         a WARC, ARC, WACZ, folder or list of sources
    │   ├── DirectoryError     a directory of classes
    │   ├── SeeAlsoError       a list of related pages
    │   ├── RunError           a TREC run
    │   └── GridError          a grid of strategies
    ├── IndexFault             an index that cannot be used (path)
    │   ├── NotAnIndex         the folder contains no index
    │   ├── IndexVersion       written in a format this version does not read
    │   ├── IndexCorrupt       a file is missing, cut short or fails its checksum
    │   └── StrategyMismatch   two things to be used together were made by different strategies
    ├── UnknownPage            no page or link of the crawl has the URL
    │   ├── NeverCaptured      nothing was captured at some URLs that were to be removed
    │   ├── NotCaptured        pages link to the URL, and the crawl has no capture of it
    │   └── UnknownSite        no page of the crawl is on the site
    ├── ArchiveFault           the record of a capture cannot be read back (source, offset)
    ├── UnknownWord            no page of the crawl has the word
    ├── EngineError            an engine could not run or finish its work
    ├── Defect                 pagekin itself is at fault
    └── Refused                a request that the web service does not take (code)

Each says what happened, where, and what to do about it. A bad record is not an error: it is
counted with its reason. Errors survive pickling, because engines carry them between processes.
"""

import difflib
import reprlib
from collections.abc import Iterable, Sequence
from enum import IntEnum
from os import PathLike, fspath
from typing import Any

__all__ = [
    "EXIT_CODES",
    "ArchiveFault",
    "CrawlError",
    "Defect",
    "DirectoryError",
    "EngineError",
    "ExitCode",
    "GridError",
    "IndexCorrupt",
    "IndexFault",
    "IndexVersion",
    "InputError",
    "MalformedUrl",
    "NeverCaptured",
    "NotAnIndex",
    "NotCaptured",
    "PagekinError",
    "Refused",
    "RunError",
    "SeeAlsoError",
    "StrategyError",
    "StrategyMismatch",
    "UnknownPage",
    "UnknownSite",
    "UnknownWord",
    "exit_code",
    "nearest",
]


class PagekinError(Exception):
    """The root of the tree: what happened, where, and what to do about it."""

    def __init__(self, what: str, *, where: str = "", advice: str) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.advice = advice

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.what}; {self.advice}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _revive, (type(self), self.__dict__.copy())

    def as_dict(self) -> dict[str, str]:
        """The one shape of an error in JSON, for the command line and the web service."""
        kind = type(self).__name__
        return {"kind": kind, "what": self.what, "where": self.where, "advice": self.advice}


class StrategyError(PagekinError):
    """A field of a strategy with a value that is not possible."""

    def __init__(self, field: str, value: object, allowed: str, *, where: str = "") -> None:
        shown = _BRIEF.repr(value)
        super().__init__(
            f"{field} = {shown} is not possible", where=where, advice=f"allowed: {allowed}"
        )
        self.field = field
        self.value = shown
        self.allowed = allowed


class InputError(PagekinError):
    """A source that cannot be read; the offset counts bytes from its beginning, lines from 1."""

    def __init__(
        self,
        what: str,
        *,
        source: str | PathLike[str],
        offset: int | None = None,
        line: int | None = None,
        advice: str,
    ) -> None:
        source = fspath(source)
        place = "" if offset is None else f" at offset {offset}"
        place += "" if line is None else f" line {line}"
        super().__init__(what, where=source + place, advice=advice)
        self.source = source
        self.offset = offset
        self.line = line


class MalformedUrl(InputError):
    """Not a valid http or https URL."""

    def __init__(self, url: str, *, meant: str | None = None) -> None:
        hint = f"did you mean {meant}? " if meant else ""
        super().__init__("not a valid URL", source=url, advice=f"{hint}give an http or https URL")
        self.url = url


class CrawlError(InputError):
    """A source of captures cannot be read at all."""


class DirectoryError(InputError):
    """A directory of classes that cannot be parsed."""


class SeeAlsoError(InputError):
    """A list of pages and what their authors relate them to cannot be understood."""


class RunError(InputError):
    """A TREC run that cannot be parsed."""


class GridError(InputError):
    """A grid of strategies that cannot be parsed or is impossible."""


class IndexFault(PagekinError):
    """An index that cannot be used."""

    def __init__(self, what: str, *, path: str | PathLike[str], advice: str) -> None:
        super().__init__(what, where=fspath(path), advice=advice)
        self.path = fspath(path)


class NotAnIndex(IndexFault):
    """The folder contains no index."""


class IndexVersion(IndexFault):
    """The index was written in a format that this version of pagekin does not read."""

    def __init__(self, *, path: str | PathLike[str], found: int, expected: int) -> None:
        super().__init__(
            f"index format {found}, expected {expected}",
            path=path,
            advice="build the index again, or use the version of pagekin that wrote it",
        )
        self.found = found
        self.expected = expected


class IndexCorrupt(IndexFault):
    """A file of the index is missing, cut short or fails its checksum."""


class StrategyMismatch(IndexFault):
    """The index was built with a different strategy."""


class UnknownPage(PagekinError):
    """No page or link of the crawl has the URL: not fetched, or its response was skipped."""

    def __init__(self, url: str, *, advice: str) -> None:
        super().__init__("no page or link of the crawl has this URL", where=url, advice=advice)
        self.url = url


class NeverCaptured(UnknownPage):
    """The index has no capture of a page to be removed: links alone cannot be removed."""

    def __init__(self, urls: Sequence[str], *, advice: str) -> None:
        super().__init__("\n".join(urls), advice=advice)
        self.what = "nothing was captured here"
        self.args = (self.what,)
        self.urls = [*urls]


class NotCaptured(UnknownPage):
    """Pages link to the URL, and the crawl has no capture of it."""

    def __init__(self, url: str) -> None:
        advice = "ask for a page that was crawled: pagekin show says whether one was"
        super().__init__(url, advice=advice)
        self.what = "was linked to, and not crawled"


class UnknownSite(UnknownPage):
    """No page of the crawl is on the site."""

    def __init__(self, site: str, *, advice: str) -> None:
        super().__init__(site, advice=advice)
        self.what = "no page of this site was crawled"


class ArchiveFault(PagekinError):
    """The record of a capture cannot be read back: its file moved, changed or was a stream."""

    def __init__(self, what: str, *, source: str, offset: int | None = None, advice: str) -> None:
        place = "" if offset is None else f" at offset {offset}"
        super().__init__(what, where=source + place, advice=advice)
        self.source = source
        self.offset = offset


class UnknownWord(PagekinError):
    """No page of the crawl has the word, or all words of the phrase."""

    def __init__(self, what: str, *, word: str, advice: str) -> None:
        super().__init__(what, where=f'"{word}"', advice=advice)
        self.word = word


class EngineError(PagekinError):
    """An engine could not run or finish its work."""


class Defect(PagekinError):
    """A case that pagekin does not handle, whatever the input is: a bug to be reported."""

    def __init__(self, what: str, *, where: str = "") -> None:
        super().__init__(
            f"a defect of pagekin ({what})",
            where=where,
            advice="please report it with what you asked for; neither your data nor your disk "
            "need be at fault",
        )


class Refused(PagekinError):
    """A request that the web service rejects; `code` names the reason for programs."""

    def __init__(self, code: str, what: str, *, where: str = "", advice: str) -> None:
        super().__init__(what, where=where, advice=advice)
        self.code = code


class ExitCode(IntEnum):
    """How the command line ends."""

    DONE = 0
    ANSWER_IS_NO = 1
    BAD_INPUT = 2
    DEFECT = 3


EXIT_CODES: dict[type[PagekinError], ExitCode] = {
    PagekinError: ExitCode.BAD_INPUT,
    UnknownPage: ExitCode.ANSWER_IS_NO,
    UnknownWord: ExitCode.ANSWER_IS_NO,
    Defect: ExitCode.DEFECT,
}


def exit_code(error: PagekinError) -> ExitCode:
    """The exit code of the nearest class above `error` that the table lists."""
    return next(EXIT_CODES[kind] for kind in type(error).__mro__ if kind in EXIT_CODES)


def nearest(word: str, known: Iterable[str]) -> str:
    """`did you mean "X"? ` for a misspelt word, or an empty text if no known word is similar."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f'did you mean "{near[0]}"? ' if near else ""


def _revive(kind: type[PagekinError], state: dict[str, Any]) -> PagekinError:
    error = kind.__new__(kind, state["what"])
    error.__dict__.update(state)
    return error


_BRIEF = reprlib.Repr()
_BRIEF.maxstring = _BRIEF.maxother = 80
