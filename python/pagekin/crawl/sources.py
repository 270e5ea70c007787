"""Resolves what users name as a source.

A source is an archive file, a folder of HTML with its base URL, an index, `-` for standard input,
or `@list.txt`, a text file with one source per line. Files and lists may be remote (`s3://…`,
`hdfs://…`). Files are opened later, by the core, so one bad file does not stop the others.
"""

import codecs
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path

from pagekin import _core
from pagekin.crawl import remote
from pagekin.errors import CrawlError, InputError

__all__ = [
    "Source",
    "SourceName",
    "changes_of",
    "is_index",
    "read_names",
    "resolve_sources",
    "sizes_of",
]

LONGEST_LINE = 1 << 16
"""Maximum length of a line of a list."""
_OPEN_ALREADY = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
"""Stand for files that the process has open, as those of `<(command)` do."""


@dataclass(frozen=True, slots=True)
class Source:
    """An archive file (a path, a URI or `-`), a folder of HTML with its base URL, or an index.

    Symbolic links that lead out of a folder are refused unless `follow_links`. Of an index, what
    was captured at the URLs in `without` is left out.
    """

    path: str
    base_url: str | None = None
    follow_links: bool = False
    is_index: bool = False
    without: tuple[str, ...] = ()

    @property
    def size(self) -> int | None:
        """Size in stored bytes: None for a pipe, 0 for a source that cannot be read."""
        if self.path == "-":
            return None
        if remote.is_remote(self.path):
            return remote.sizes([self.path])[0]
        try:
            if self.is_index:
                return sum(map(_file_size, _evidence_files(self.path)))
            if self.base_url is not None:
                return sum(map(_file_size, _files_below(self.path)))
            found = Path(self.path).stat()
            return found.st_size if stat.S_ISREG(found.st_mode) else None
        except (OSError, ValueError):
            return 0


SourceName = str | PathLike[str] | Source
"""How users name a source; a folder with its base URL is a `Source`."""


def is_index(path: str) -> bool:
    """Whether a folder is an index: it may be a damaged one."""
    return Path(path, "manifest.json").is_file() and any(Path(path).glob("tables-*"))


def _evidence_files(index: str) -> Iterator[Path]:
    """The tables of an index that a build from it reads, or whose rows it makes again."""
    for table in ("texts", "layouts", "standby", "links"):
        yield from Path(index).glob(f"tables-*/{table}-*")


def _files_below(folder: str) -> Iterator[Path]:
    for parent, _, names in os.walk(folder):
        yield from (Path(parent, name) for name in names)


def _file_size(path: Path) -> int:
    """Size of a file: 0 if it is not a regular file or cannot be read."""
    try:
        found = path.stat()
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def sizes_of(sources: Sequence[Source]) -> list[int | None]:
    """The size of each source; remote ones are requested together."""
    elsewhere = [source.path for source in sources if remote.is_remote(source.path)]
    answers = iter(remote.sizes(elsewhere))
    return [next(answers) if remote.is_remote(one.path) else one.size for one in sources]


def changes_of(sources: Sequence[Source]) -> list[int]:
    """When each source was last modified; remote ones are requested together."""
    elsewhere = [source.path for source in sources if remote.is_remote(source.path)]
    answers = iter(remote.changes(elsewhere))
    return [
        next(answers) if remote.is_remote(one.path) else _modification_time(_dated(one))
        for one in sources
    ]


def _dated(source: Source) -> str:
    """The file whose change is a change of the source."""
    return str(Path(source.path, "manifest.json")) if source.is_index else source.path


def _modification_time(path: str) -> int:
    try:
        return Path(path).stat().st_mtime_ns
    except (OSError, ValueError):
        return 0


def resolve_sources(
    names: SourceName | Iterable[SourceName],
    base_url: str | None = None,
    *,
    follow_links: bool = False,
) -> list[Source]:
    """The sources that these names stand for, in order, with lists expanded."""
    if isinstance(names, str | PathLike | Source):
        names = [names]
    base = None if base_url is None else _check_base(base_url)
    sources: list[Source] = []
    for name in names:
        if isinstance(name, Source) and name.is_index:
            sources.append(name)
        elif isinstance(name, Source):
            name_base = None if name.base_url is None else _check_base(name.base_url)
            found = _resolve(name.path, name_base, set())
            sources += (replace(source, follow_links=name.follow_links) for source in found)
        else:
            found = _resolve(fspath(name), base, set())
            sources += (replace(source, follow_links=follow_links) for source in found)
    if not sources:
        raise CrawlError("no source was given", source="", advice="name at least one WARC file")
    if sum(source.path == "-" for source in sources) > 1:
        raise CrawlError("given twice", source="-", advice="standard input can be read only once")
    if base is not None and all(source.base_url is None for source in sources):
        raise CrawlError(
            "no folder of HTML was given",
            source="--base-url",
            advice="leave it out: archives contain the URLs of their pages",
        )
    return sources


def _check_base(base_url: str) -> str:
    remote.refuse_secrets(base_url)
    try:
        base = _core.canonical(base_url)
    except UnicodeEncodeError:
        base = None
    if base is None:
        raise CrawlError(
            f"{base_url!r} is not an http or https URL",
            source="--base-url",
            advice="give an absolute URL",
        )
    return base if base.endswith("/") else base + "/"


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):
        # Not a possible file name: too long, for example.
        return False


def _resolve(name: str, base: str | None, seen: set[str]) -> Iterator[Source]:
    remote.refuse_secrets(name)
    if not name:
        raise CrawlError("a source has no name", source="", advice="leave it out, or name a file")
    if name.startswith("@"):
        yield from _expand_list(name[1:], base, seen)
    elif name != "-" and _is_folder(name):
        if is_index(name):
            yield Source(name, is_index=True)
            return
        if base is None:
            raise CrawlError(
                "is a folder",
                source=name,
                advice="give --base-url, the URL of the folder",
            )
        yield Source(name, base)
    else:
        yield Source(name)


def _expand_list(path: str, base: str | None, seen: set[str]) -> Iterator[Source]:
    if path in seen:
        raise CrawlError("the list includes itself", source=path, advice="remove the line")
    names = read_names(path)
    if not names:
        raise CrawlError("the list is empty", source=path, advice="write one source per line")
    for name in names:
        yield from _resolve(name, base, seen | {path})


def read_names(path: str) -> list[str]:
    """The lines of a list, without empty ones and comments."""
    try:
        lines = _read_remote_lines(path) if remote.is_remote(path) else _read_lines(path)
        names = [line.strip() for line in lines]
    except (OSError, ValueError) as error:
        raise _unreadable_list(path, str(error)) from error
    return [name for name in names if name and not name.startswith("#")]


def _unreadable_list(path: str, reason: str) -> CrawlError:
    return CrawlError(
        f"the list cannot be read ({reason})",
        source=path,
        advice="give a text file in UTF-8 with one source per line",
    )


def _read_remote_lines(path: str) -> Iterator[str]:
    try:
        text = "".join(codecs.iterdecode(remote.chunks(path), "utf-8-sig"))
    except InputError as error:
        raise _unreadable_list(path, str(error)) from error
    yield from text.splitlines()


def _read_lines(path: str) -> Iterator[str]:
    """Line by line, so that an archive given as a list is rejected before it fills the memory."""
    if not stat.S_ISREG(Path(path).stat().st_mode) and not path.startswith(_OPEN_ALREADY):
        raise _unreadable_list(path, "a pipe, socket or device, or a folder")
    with Path(path).open(encoding="utf-8-sig") as lines:
        while line := lines.readline(LONGEST_LINE):
            if len(line) == LONGEST_LINE:
                raise _unreadable_list(path, f"a line has more than {LONGEST_LINE:,} letters")
            yield line
