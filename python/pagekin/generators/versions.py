"""Folders that are versions of one manual, by their names and by the pages that they share."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import permutations

__all__ = ["version_folders"]

_NAME = re.compile(
    r"(v|version-?|release-?)?\d+([._]\d+)*([._]x)?([-._]?(dev|pre|rc|alpha|beta|a|b)\d*)?"
    r"|latest|stable|current|dev|devel|development|unreleased|nightly|next|main|master|trunk",
    re.IGNORECASE,
)
"""What people call the folder of a version."""


def version_folders(paths: Iterable[str]) -> dict[str, str]:
    """The folder of the version that each path is in, with its slash; other paths are left out.

    A folder is a version if it is called like one, and half of its pages, or of the pages of a
    folder beside it that is called like one, are in both.
    """
    pages: defaultdict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    homes = {path: [*_candidates(path)] for path in paths}
    for candidates in homes.values():
        for parent, folder, rest in candidates:
            pages[parent][folder].add(rest)
    versions = {folder for beside in pages.values() for folder in _versions(beside)}
    found = {}
    for path, candidates in homes.items():
        for _, folder, _ in candidates:
            if folder in versions:
                found[path] = folder
                break
    return found


def _candidates(path: str) -> Iterable[tuple[str, str, str]]:
    """The folders of a path that are called like a version: parent, folder and the rest."""
    parts = path.split("/")
    for place, part in enumerate(parts[:-1]):
        if _NAME.fullmatch(part):
            parent = "".join(f"{each}/" for each in parts[:place])
            yield parent, f"{parent}{part}/", "/".join(parts[place + 1 :])


def _versions(beside: Mapping[str, set[str]]) -> set[str]:
    """The folders of one parent that share pages with another."""
    return {
        one
        for one, other in permutations(beside, 2)
        if 2 * len(beside[one] & beside[other]) >= min(len(beside[one]), len(beside[other]))
    }
