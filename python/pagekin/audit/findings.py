"""What an audit finds, as one flat record a finding: every format is a translation of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pagekin.errors import InputError, nearest

__all__ = ["KINDS", "Audit", "Finding", "Kind", "kinds_named"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of finding: how serious it is (error, warning or note), and what it means."""

    name: str
    level: str
    title: str
    meaning: str


KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            "broken-link",
            "error",
            "Broken links",
            "A page links to a page of the site that is not in the crawl: it may be gone, redirect "
            "elsewhere, or have been left out.",
        ),
        Kind("orphan", "warning", "Orphans", "No page of the site links to this page."),
        Kind(
            "near-orphan",
            "note",
            "Near orphans",
            "Only templates (menus, Prev and Next) link to this page, and no text does.",
        ),
        Kind(
            "dead-end",
            "warning",
            "Dead ends",
            "This page links to no other crawled page of the site.",
        ),
        Kind(
            "near-dead-end",
            "note",
            "Near dead ends",
            "Only templates (menus, Prev and Next) of this page link to other pages of the site.",
        ),
        Kind(
            "near-duplicate",
            "warning",
            "Near duplicates",
            "Two pages have the same text, or nearly the same.",
        ),
        Kind(
            "missing-link",
            "note",
            "Missing links",
            "A page names another page, or is much like it, and does not link to it.",
        ),
    )
}
"""Every kind, in the order in which findings are listed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to look at on the page `url`.

    `target` is the other page, if the kind has one; `pages` is how many pages the finding concerns
    (those that have a broken link; the duplicates of a group). `words` are the words in which a
    link stands or would stand, its own words in brackets.
    """

    kind: str
    url: str
    title: str | None
    message: str
    target: str | None = None
    target_title: str | None = None
    pages: int = 1
    score: float | None = None
    words: str | None = None

    @property
    def level(self) -> str:
        """How serious it is: error, warning or note."""
        return KINDS[self.kind].level

    @property
    def key(self) -> tuple[str, str, str | None]:
        """What makes it the same finding in another audit. Where pages share a broken link, any of
        them may be the one that is named."""
        return self.kind, "" if self.kind == "broken-link" else self.url, self.target


@dataclass(frozen=True, slots=True)
class Audit:
    """The findings of a site by kind, the best or most frequent first.

    `files` are targets on the site that are not in the crawl and are no pages by their names
    (pictures, downloads); nobody knows whether they exist.
    """

    site: str
    pages: int
    links: int
    files: int
    findings: list[Finding]
    took_ms: float

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings of each kind."""
        counts = dict.fromkeys(KINDS, 0)
        for finding in self.findings:
            counts[finding.kind] += 1
        return counts

    def of_kinds(self, kinds: Iterable[str]) -> "Audit":
        """The findings of these kinds alone."""
        wanted = {*kinds_named(kinds)}
        return replace(self, findings=[found for found in self.findings if found.kind in wanted])

    def since(self, earlier: "Audit") -> "Audit":
        """The findings that an earlier audit does not have."""
        known = {finding.key for finding in earlier.findings}
        return replace(self, findings=[found for found in self.findings if found.key not in known])


def kinds_named(names: Iterable[str]) -> list[str]:
    """The names of kinds, each of which must exist."""
    found = [*names]
    for name in found:
        if name not in KINDS:
            raise InputError(
                "not a kind of finding",
                source=name,
                advice=f"{nearest(name, KINDS)}give {', '.join(KINDS)}",
            )
    return found
