"""The menu: only what the index that is served has."""

from dataclasses import dataclass

from pagekin.serve.service import Snapshot

__all__ = ["MenuEntry", "menu_of"]


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A page of the service, and what it is called."""

    page: str
    label: str


def menu_of(snapshot: Snapshot) -> list[MenuEntry]:
    """The entries for an index, and for the report that it is served with."""
    counts = snapshot.index.counts
    entries = [
        (counts["pages"], "sites", "Sites"),
        (counts["concepts"], "subjects", "Subjects"),
        (counts["links"], "pairs", "Pairs"),
        (counts["pages"] > 1, "compare", "Compare"),
        (counts["pages"] > 1, "map", "Map"),
        (snapshot.report, "evaluation", "Evaluation"),
    ]
    return [MenuEntry(page, label) for there, page, label in entries if there]
