"""The state of a page, which is all in its URL: parameters of forms, and links to other states.

Links are relative, so that the service works behind any path of a proxy. An empty field of a form
counts as missing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import urlencode

from pagekin.fields import Option, options_of
from pagekin.query import Filters, PageSelection
from pagekin.serve.pages.languages import language_name

__all__ = [
    "Control",
    "Form",
    "PageState",
    "outward",
    "root_of",
    "selection_controls",
    "selection_of",
    "selection_state",
    "to",
]

SELECTION = tuple(each.name for each in options_of(PageSelection))
SHOWN = (
    "k",
    *SELECTION,
    "min_score",
    "exclude_site",
    "exclude_linked",
    "group_by_site",
    "exact",
)
"""The filters that the pages offer."""
KINDS = {"crawled": "crawled", "uncrawled": "only linked to", "all": "all"}
"""What the kinds of pages are called."""
LANGUAGES = {"auto": "as the question", "any": "any"}
"""What stands for languages."""
EXAMPLES = {
    "site": "example.org",
    "prefix": "example.org/docs/",
    "from_date": "2001-05",
    "to_date": "2002",
}

Value = str | float | bool | None


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a form, by name."""

    fields: Mapping[str, str]

    def text(self, name: str) -> str:
        """A field without the space around it."""
        return self.fields.get(name, "").strip()

    def value(self, option: Option) -> Any:
        """The value of an option; its default where the field is empty."""
        text = self.text(option.parameter or option.name)
        if option.kind is bool:
            return text not in ("", "0", "false")
        return option.parse(text) if text else option.default

    def whole(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number within bounds."""
        option = Option("", low=low, high=high, name=name, kind=int, default=default)
        found: int = self.value(option)
        return found


@dataclass(frozen=True, slots=True)
class Control:
    """A filter as a control of a form, with the value that it shows.

    `choices` are values and what they are called. `example` stands in an empty field.
    """

    option: Option
    value: Any
    choices: Sequence[tuple[int | str, str]] = ()

    @property
    def is_set(self) -> bool:
        """Whether it leaves something out; k only says how many hits there are."""
        return self.option.name != "k" and self.value != self.option.default

    @property
    def shown(self) -> str:
        """The value as people read it."""
        return dict(self.choices).get(self.value, f"{self.value}")

    @property
    def example(self) -> str:
        """A value that could be given."""
        return EXAMPLES.get(self.option.name, "")


def selection_of(form: Form) -> PageSelection:
    """Which pages may be hits, as a form says."""
    options = options_of(PageSelection)
    return PageSelection(**{each.name: form.value(each) for each in options})


def selection_state(selection: PageSelection) -> dict[str, Any]:
    """The parameters of a selection that are not the default."""
    given = ((each, getattr(selection, each.name)) for each in options_of(PageSelection))
    return {each.parameter: value for each, value in given if value != each.default}


def selection_controls(selection: PageSelection, languages: Iterable[str]) -> list[Control]:
    """The controls of a form that changes which pages may be hits, in a crawl of these
    languages."""
    return [_control(each, selection, languages) for each in options_of(PageSelection)]


def _control(option: Option, filters: PageSelection, languages: Iterable[str]) -> Control:
    value = getattr(filters, option.name)
    if option.name == "language":
        codes = dict.fromkeys((*languages, *([] if value in LANGUAGES else [value])))
        named = ((code, language_name(code)) for code in codes)
        return Control(option, value, (*LANGUAGES.items(), *named))
    return Control(option, value, [(each, KINDS.get(each, each)) for each in option.choices])


@dataclass(frozen=True, slots=True)
class PageState:
    """Which related pages are wanted, and from where in the list."""

    filters: Filters
    offset: int = 0

    @classmethod
    def of(cls, form: Form, *, k: int, most: int, depth: int) -> "PageState":
        """The state in a form: `k` hits unless it says, at most `most`, down to `depth`."""
        options = options_of(Filters, *(name for name in SHOWN if name != "k"))
        values = {each.name: form.value(each) for each in options}
        filters = Filters(k=form.whole("k", k, 1, most), **values)
        return cls(filters, form.whole("offset", 0, 0, depth))

    def controls(
        self, choices: Sequence[int], languages: Iterable[str], *without: str
    ) -> list[Control]:
        """The controls of a form that changes the filters; `choices` are those of k."""
        (most, *others) = options_of(Filters, *(name for name in SHOWN if name not in without))
        numbers = [(number, f"{number}") for number in choices]
        return [
            Control(most, self.filters.k, numbers),
            *(_control(each, self.filters, languages) for each in others),
        ]

    def at(self, page: str, url: str) -> str:
        """The address of another page of the service with the same filters, from the first hit."""
        return to(page, url=url, **self._filters())

    def part(self, page: str, offset: int, **asked: str) -> str:
        """The address of another part of the same answer."""
        return to(page, **asked, **self._filters(), offset=offset)

    def _filters(self) -> dict[str, Any]:
        """k, whose default depends on the page, and other values that are not the default."""
        usual = asdict(replace(Filters(), k=self.filters.k + 1))
        options = options_of(Filters)
        given = ((each, getattr(self.filters, each.name)) for each in options)
        return {each.parameter: value for each, value in given if value != usual[each.name]}


def to(page: str, **state: Value) -> str:
    """The URL of a page of the service in some state, without empty values."""
    given = {
        name: "1" if value is True else value
        for name, value in state.items()
        if value not in (None, "", False)
    }
    return f"{page}?{urlencode(given)}" if given else page


def outward(url: str) -> str | None:
    """The URL as a link; None if it is not http or https."""
    return url if url.startswith(("http://", "https://")) else None


def root_of(path: str) -> str:
    """The relative address of the first page, seen from a path."""
    return "../" * (path.count("/") - 1) or "./"
