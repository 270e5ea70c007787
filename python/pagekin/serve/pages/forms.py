"""What a form sends. A field that is empty is as one that is not there."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from pagekin.errors import InputError
from pagekin.query import Filters
from pagekin.serve.pages.links import to

__all__ = ["Form", "Wanted"]


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a form, by name."""

    fields: Mapping[str, str]

    def text(self, name: str) -> str:
        """A field as it was written, without the space around it."""
        return self.fields.get(name, "").strip()

    def tick(self, name: str) -> bool:
        """Whether a box is ticked."""
        return self.text(name) not in ("", "0", "false")

    def number(self, name: str, default: float, low: float, high: float) -> float:
        """A number within bounds."""
        written = self.text(name)
        try:
            number = float(written) if written else default
        except ValueError:
            number = float("nan")
        if not low <= number <= high:
            raise InputError(
                f"{written[:40]!r} is not possible",
                source=name,
                advice=f"give a number from {low:g} to {high:g}",
            )
        return number

    def whole(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number within bounds."""
        number = self.number(name, default, low, high)
        if number != int(number):
            raise InputError(f"{number:g} is not whole", source=name, advice="give a whole number")
        return int(number)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which related pages are wanted; all of it is in the address of the page."""

    filters: Filters
    offset: int = 0

    @classmethod
    def of(cls, form: Form, *, k: int, most: int, depth: int) -> "Wanted":
        """What a form asks for: at most `most` hits, else `k`, from `depth` at the deepest."""
        return cls(
            Filters(
                k=form.whole("k", k, 1, most),
                min_score=form.number("min_score", 0, 0, 1),
                exact=form.tick("exact"),
                exclude_site=form.tick("exclude_site"),
                exclude_linked=form.tick("exclude_linked"),
                group_by_site=form.tick("group_by_site"),
            ),
            form.whole("offset", 0, 0, depth),
        )

    @classmethod
    def usual(cls) -> "Wanted":
        """What is wanted where nobody said anything."""
        return cls(Filters())

    def at(self, page: str, url: str) -> str:
        """The address of another page, asked in the same way from the first hit on."""
        return to(page, url=url, **self._state())

    def part(self, page: str, offset: int, **asked: str) -> str:
        """The address of another part of the same answer."""
        return to(page, **asked, **self._state(), offset=offset)

    def _state(self) -> dict[str, Any]:
        """How many, which differs from page to page, and what is not as usual."""
        usual = asdict(replace(Filters(), k=self.filters.k + 1))
        return {name: value for name, value in asdict(self.filters).items() if value != usual[name]}
