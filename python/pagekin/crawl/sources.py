"""What a person names as a source, made plain.

A source is an archive file, a folder of HTML with its base URL, `-` for standard input, or
`@list.txt`: a text file with one source a line. Whether a file can be read shows only when the
core opens it, so that one bad file among many does not stop the others.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from pagekin import _core
from pagekin.errors import CrawlError

__all__ = ["Source", "resolve_sources"]


@dataclass(frozen=True, slots=True)
class Source:
    """An archive file (or `-`), or a folder of HTML with its base URL."""

    path: str
    base_url: str | None = None

    @property
    def size(self) -> int | None:
        """Stored bytes, where they are known."""
        try:
            return Path(self.path).stat().st_size if self.base_url is None else self._folder_size()
        except OSError:
            return None

    def _folder_size(self) -> int:
        return sum(path.stat().st_size for path in Path(self.path).rglob("*") if path.is_file())


def resolve_sources(
    names: Iterable[str | PathLike[str] | Source], base_url: str | None = None
) -> list[Source]:
    """The sources that these names stand for, lists unfolded, in order."""
    base = None if base_url is None else _checked_base(base_url)
    sources: list[Source] = []
    for name in names:
        if isinstance(name, Source):
            name_base = None if name.base_url is None else _checked_base(name.base_url)
            sources += _resolve(name.path, name_base, set())
        else:
            sources += _resolve(fspath(name), base, set())
    if not sources:
        raise CrawlError("no source was given", source="", advice="name at least one WARC file")
    if sum(source.path == "-" for source in sources) > 1:
        raise CrawlError("named twice", source="-", advice="standard input can be read only once")
    return sources


def _checked_base(base_url: str) -> str:
    base = _core.canonical(base_url)
    if base is None:
        raise CrawlError(
            f"{base_url!r} is no http or https URL",
            source="--base-url",
            advice="give an absolute URL",
        )
    return base if base.endswith("/") else base + "/"


def _resolve(name: str, base: str | None, seen: set[str]) -> Iterator[Source]:
    if name.startswith("@"):
        yield from _listed(name[1:], base, seen)
    elif name != "-" and Path(name).is_dir():
        if base is None:
            raise CrawlError(
                "is a folder",
                source=name,
                advice="give --base-url, the URL that the folder stands for",
            )
        yield Source(name, base)
    else:
        yield Source(name)


def _listed(path: str, base: str | None, seen: set[str]) -> Iterator[Source]:
    if path in seen:
        raise CrawlError("the list names itself", source=path, advice="take the line out")
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CrawlError(
            f"the list cannot be read ({error})",
            source=path,
            advice="give a text file, one source a line",
        ) from error
    for line in text.splitlines():
        name = line.strip()
        if name and not name.startswith("#"):
            yield from _resolve(name, base, seen | {path})
