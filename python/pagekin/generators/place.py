"""The place of a list in the file of a page: between two comments, so that it can be set again."""

import re
from pathlib import Path

__all__ = ["PLACE", "set_list"]

# Tools that take comments out of pages keep those that begin with an exclamation mark.
PLACE = "<!--! related pages --><!--! end of related pages -->"
_PLACE = re.compile(
    rb"(<!--!?\s*related pages\s*-->).*?(<!--!?\s*end of related pages\s*-->)", re.DOTALL
)


def set_list(file: Path, shown: bytes) -> bool | None:
    """Set the list in a file. Returns whether that changed it; None if the file has no place."""
    page = file.read_bytes() if file.exists() else b""
    places = [*_PLACE.finditer(page)]
    if not places:
        return None
    place = places[-1]
    new = b"".join([page[: place.end(1)], shown, page[place.start(2) :]])
    if new == page:
        return False
    # The file itself, so that it keeps its rights and its names.
    file.write_bytes(new)
    return True
