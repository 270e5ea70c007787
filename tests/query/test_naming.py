"""Recognition of a URL in a text."""

from pathlib import Path

import pytest

import pagekin

ROSES = "http://www.hedgerow.example/plants/roses.html"
BARE = "www.hedgerow.example/plants/roses.html"


@pytest.mark.parametrize(
    ("text", "page", "address"),
    [
        (ROSES, ROSES, ROSES),
        ("HTTP://x.example/nobody", "HTTP://x.example/nobody", "HTTP://x.example/nobody"),
        (BARE, ROSES, ROSES),
        ("Old roses without fear", ROSES, None),
        ("zzzz", "zzzz", None),
        ("", "", None),
    ],
)
def test_text_is_recognised_as_url_or_matched_by_words(
    index: Path, text: str, page: str, address: str | None
) -> None:
    opened = pagekin.open(index)
    found = opened.best_match(text)
    assert found == page or found.endswith("hedgerow/plants/roses.html")
    assert opened.recognise_url(text) == address


def test_text_that_starts_with_a_url_is_not_a_url(index: Path) -> None:
    assert pagekin.open(index).recognise_url(f"{ROSES} is a page about roses") is None
