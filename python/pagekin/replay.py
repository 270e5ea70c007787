"""Links to replay captures: a template of a Wayback Machine, of pywb or of ReplayWeb.page."""

import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from pagekin.dates import timestamp
from pagekin.errors import InputError, nearest

__all__ = ["EXAMPLE", "ReplayTemplate"]

EXAMPLE = "https://web.archive.org/web/{timestamp}/{url}"
FIELDS = ("url", "timestamp")
MAX_LENGTH = 2000
_FIELD = re.compile(r"\{([^{}]*)\}")
_UNSAFE = re.compile(r"[\x00-\x20\x7f\"<>\\^`|]")


@dataclass(frozen=True, slots=True)
class ReplayTemplate:
    """The address of a capture: `{url}` stands for its URL, `{timestamp}` for its date (14 digits).

    In the query and the fragment of the address the URL is percent-encoded.
    """

    text: str

    def __post_init__(self) -> None:
        if fault := _fault(self.text):
            raise InputError(
                fault, source=f"replay template {self.text[:200]!r}", advice=f"write {EXAMPLE}"
            )

    @classmethod
    def of(cls, text: str | None) -> "ReplayTemplate | None":
        """The template that a text is, if there is a text."""
        return None if text is None else cls(text)

    def link(self, url: str, seconds: int | None) -> str | None:
        """The link to the capture of this moment; None if its date is needed and not known."""
        if seconds is None and "{timestamp}" in self.text:
            return None
        values = {"url": url, "timestamp": "" if seconds is None else timestamp(seconds)}
        parameters = min((at for at in map(self.text.find, "?#") if at >= 0), default=MAX_LENGTH)

        def value(field: re.Match[str]) -> str:
            plain = values[field[1]]
            return quote(plain, safe="") if field.start() > parameters else plain

        return _FIELD.sub(value, self.text)


def _fault(text: str) -> str | None:
    """The fault of a template, or None."""
    if len(text) > MAX_LENGTH or _UNSAFE.search(text) or not text.isprintable():
        return f"has characters that no URL has, or more than {MAX_LENGTH:,}"
    if unknown := [name for name in _FIELD.findall(text) if name not in FIELDS]:
        near = nearest(unknown[0], FIELDS)
        return f"{{{unknown[0]}}} is unknown: {near}known are {{url}} and {{timestamp}}"
    if set(_FIELD.sub("", text)) & {"{", "}"}:
        return "has a brace without its other one"
    return _address_fault(text) if "{url}" in text else "has no {url}"


def _address_fault(text: str) -> str | None:
    try:
        parts = urlsplit(text)
    except ValueError:
        return "is not an address"
    if parts.scheme not in ("http", "https") or not parts.netloc or "{" in parts.netloc:
        return "is not an http or https address"
    if "@" in parts.netloc:
        return "contains a name or password, which every answer would show"
    return None
