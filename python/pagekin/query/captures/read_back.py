"""Back to the bytes: the archived response of a URL, read from its record.

Of a record that can be read by itself only its bytes are read, from a remote file as well. The
record must be of the URL and the date that the index has, so a file that was replaced is noticed.
"""

from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from pagekin import _core
from pagekin.crawl import is_remote, read_range
from pagekin.dates import iso_date, span_of
from pagekin.errors import (
    ArchiveFault,
    InputError,
    MalformedUrl,
    NotCaptured,
    PagekinError,
    UnknownPage,
)
from pagekin.index import IndexReader, canonical_url
from pagekin.query.captures.listing import Capture, captures
from pagekin.query.captures.places import ADVICE, existing_places
from pagekin.work.settings import MIB, Limits

__all__ = ["LIMITS", "ArchivedResponse", "StoredRecord", "capture"]

LIMITS = Limits(record=64 * MIB, body=64 * MIB)
"""What is read back of a record at most."""
_ZSTD, _DICTIONARY = b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18"
LARGEST_DICTIONARY = 16 * MIB
_TEXTS = ("application/json", "application/xml", "application/javascript", "+xml", "+json")


@dataclass(frozen=True, slots=True)
class ArchivedResponse:
    """A response as the archive has it.

    The body has no transfer and content encodings, unless `encoded`: then they could not be
    removed. `truncated` is what the archive says. Of a revisit the body is that of the capture it
    refers to; if the crawl does not have it, `note` says so. `text` is the body of a text.
    """

    capture: Capture
    status_line: str
    headers: list[tuple[str, str]]
    body: bytes
    text: str | None
    encoded: bool
    truncated: bool
    source: str
    note: str | None

    def as_dict(self) -> dict[str, Any]:
        """What JSON shows: everything but the bytes of the body."""
        rest = {name: getattr(self, name) for name in self.__slots__}
        del rest["capture"], rest["body"]
        return asdict(self.capture) | rest | {"bytes": len(self.body)}

    def head(self) -> str:
        """The status line and the headers as lines."""
        lines = [self.status_line, *(f"{name}: {value}" for name, value in self.headers)]
        return "\n".join(filter(None, lines))


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """Where a record is, as the core takes it."""

    path: str
    offset: int
    length: int | None
    entry: str | None = None
    page_url: str | None = None
    content: bytes | None = None


def capture(
    index: IndexReader,
    url: str,
    date: str | None = None,
    source_root: str | PathLike[str] | None = None,
) -> ArchivedResponse:
    """The archived response of a URL: the capture that is indexed, or the one nearest to a date."""
    found = captures(index, url)
    chosen = _chosen(found.url, found.captures, date)
    record, source = _read(index, chosen, source_root)
    note = None
    body = record
    if chosen.kind == "revisit":
        original = _original(index, chosen, record)
        if original is None:
            note = _missing_body(chosen, record)
        else:
            body, _ = _read(index, original, source_root)
    lines = _lines(record.head)
    content = b"" if note else body.body
    charset = body.charset or record.charset
    return ArchivedResponse(
        capture=chosen,
        status_line=lines[0] if lines else "",
        headers=[_field(line) for line in lines[1:]],
        body=content,
        text=None if body.encoded else _text(chosen, content, charset),
        encoded=body.encoded,
        truncated=record.truncated or body.truncated,
        source=source,
        note=note,
    )


def _chosen(url: str, found: list[Capture], date: str | None) -> Capture:
    """The capture that is meant; among equals the indexed one, then the latest."""
    if not found:
        raise NotCaptured(url)
    if date is None:
        return next((each for each in found if each.indexed), found[-1])
    first, last = span_of(date)

    def distance(each: Capture) -> tuple[float, bool, float]:
        seconds = each.seconds
        if seconds is None:
            return float("inf"), not each.indexed, 0.0
        return max(first - seconds, seconds - last, 0), not each.indexed, -seconds

    return min(found, key=distance)


def _read(
    index: IndexReader, wanted: Capture, root: str | PathLike[str] | None
) -> tuple[_core.ArchivedRecord, str]:
    """The record of a capture and the file it was found in; the first fault if it is in none."""
    fault: PagekinError | None = None
    for path, entry in existing_places(wanted.file, index.path, root):
        try:
            stored = _stored(wanted, path, entry)
            found = _core.read_record(stored, LIMITS)
            if isinstance(found, _core.ArchivedRecord):
                _check(wanted, found, path)
                return found, path
            fault = fault or ArchiveFault(
                found.reason, source=found.source, offset=wanted.offset, advice=ADVICE
            )
        except (ArchiveFault, InputError) as error:
            fault = fault or error
    raise fault or ArchiveFault("cannot be found", source=wanted.file, advice=ADVICE)


def _stored(wanted: Capture, path: str, entry: str | None) -> StoredRecord:
    place = wanted.offset, wanted.length
    if wanted.kind == "file":
        return StoredRecord(path, *place, page_url=wanted.url)
    if is_remote(path):
        return StoredRecord(path, *place, content=_remote(wanted, path))
    return StoredRecord(str(Path(path)), *place, entry=entry)


def _remote(wanted: Capture, uri: str) -> bytes:
    """The stored bytes of a record, after the dictionary of its file if that has one."""
    if wanted.length is None or wanted.length > LIMITS.record:
        raise ArchiveFault(
            "the record is too large, or its file is compressed as a whole",
            source=uri,
            offset=wanted.offset,
            advice="download the file and name its folder: --source-root",
        )
    stored = read_range(uri, wanted.offset, wanted.length)
    if not stored.startswith(_ZSTD):
        return stored
    head = read_range(uri, 0, 8)
    size = int.from_bytes(head[4:8], "little")
    if not head.startswith(_DICTIONARY) or size > LARGEST_DICTIONARY:
        return stored
    return read_range(uri, 0, 8 + size) + stored


def _check(wanted: Capture, found: _core.ArchivedRecord, path: str) -> None:
    """Refuse a record of another URL or date: the file is not the one that was indexed."""
    other = None
    if found.url != wanted.url:
        other = f"the record there is of another URL ({(found.url or 'none')[:200]})"
    elif found.date is not None and found.date != wanted.seconds:
        other = f"the record there is of another date ({iso_date(found.date)})"
    if other:
        raise ArchiveFault(other, source=path, offset=wanted.offset, advice=ADVICE)


def _original(index: IndexReader, revisit: Capture, record: _core.ArchivedRecord) -> Capture | None:
    """The capture whose body a revisit has: the one it names, or the last one with its digest."""
    url, seconds = record.refers_to or (revisit.url, None)
    try:
        known = captures(index, canonical_url(url))
    except (MalformedUrl, UnknownPage):
        return None
    bodies = [each for each in known if each.kind not in ("revisit", "file")]
    if revisit.digest:
        bodies = [each for each in bodies if each.digest == revisit.digest]
    elif seconds is None:
        return None
    exact = [each for each in bodies if seconds is not None and each.seconds == seconds]
    found = exact or bodies
    return found[-1] if found else None


def _missing_body(revisit: Capture, record: _core.ArchivedRecord) -> str:
    url, seconds = record.refers_to or (revisit.url, None)
    when = f" of {iso_date(seconds)}" if seconds is not None else ""
    return f"the body is that of another capture, {url}{when}, which the crawl does not have"


def _lines(head: bytes) -> list[str]:
    """The lines of an HTTP header, folded ones joined."""
    lines: list[str] = []
    for line in head.decode("utf-8", "replace").replace("\r\n", "\n").split("\n"):
        if line[:1] in (" ", "\t") and len(lines) > 1:
            lines[-1] += f" {line.strip()}"
        elif line.strip():
            lines.append(line.rstrip("\r"))
    return lines


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip(), value.strip()


def _text(wanted: Capture, body: bytes, charset: str | None) -> str | None:
    """The body as text, if its media type is one of texts."""
    media = wanted.media or "text/html"
    is_text = media.startswith("text/") or media.endswith(_TEXTS)
    return _core.decode_text(wanted.url, body, charset) if is_text else None
