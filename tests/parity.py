"""An index on disk against the reference, table by table.

Everything must be equal, bags included, but for one freedom: where two remainders of a bag are
equal but for the last bits of a float, either may be the one that is rounded up.
"""

import math
from pathlib import Path

from pagekin import _core
from tests.crawls import bags, rows
from tests.reference import TOTAL, Page, Tables, quantised

NEAR = 1e-6


def assert_same(index: Path, expected: Tables) -> None:
    """Every table of the index equals that of the reference."""
    ids = {_core.url_id(url): url for url in expected.urls}
    assert_same_pages(index, expected, ids)
    assert_same_links(index, expected, ids)
    assert_same_lexicon(index, expected)
    assert_same_bags(index, expected, ids)


def assert_same_pages(index: Path, expected: Tables, ids: dict[int, str]) -> None:
    found = rows(index, "pages")
    assert [row["id"] for row in found] == sorted(ids)
    for row in found:
        page = expected.pages.get(row["url"])
        assert row["url"] == ids[row["id"]]
        assert row["site"] == _core.site(row["url"])
        assert row["inlinks"] == expected.inlinks[row["url"]]
        assert row["crawled"] == (page is not None)
        date = row["date"] and int(row["date"].timestamp())
        assert (row["title"], row["file"], row["offset"], date) == origin(page)
        assert row["length"] == (len(page.words) if page else 0)
    texts = {ids[row["id"]]: row["text"] for row in rows(index, "texts")}
    assert texts.keys() == expected.pages.keys()
    for url, page in expected.pages.items():
        assert _core.words_of(texts[url]) == page.words


def origin(page: Page | None) -> tuple[str | None, str | None, int | None, int | None]:
    if page is None:
        return None, None, None, None
    capture = page.capture
    return page.title, capture.file, capture.offset, capture.date


def assert_same_links(index: Path, expected: Tables, ids: dict[int, str]) -> None:
    found = [tuple(row.values()) for row in rows(index, "links")]
    assert found == sorted(found, key=lambda row: (row[0], row[1], row[3], row[4]))
    named = [(ids[target], ids[source], *places) for target, source, *places in found]
    assert sorted(named) == sorted(expected.links)


def assert_same_lexicon(index: Path, expected: Tables) -> None:
    found = rows(index, "lexicon")
    assert [row["term"] for row in found] == sorted(expected.lexicon)
    assert {row["term"]: (row["word"], row["frequency"]) for row in found} == expected.lexicon


def assert_same_bags(index: Path, expected: Tables, ids: dict[int, str]) -> None:
    found = bags(index)
    assert list(found) == sorted(ids)
    tied = 0
    for key, bag in found.items():
        shares = expected.bags[ids[key]]
        assert list(bag) == sorted(bag)
        assert sum(bag.values()) == (TOTAL if shares else 0)
        if bag != quantised(shares):
            assert_rounded_fairly(bag, shares)
            tied += 1
    # Of small numbers many are equal but for the last bits; of a real crawl's few are.
    assert tied <= max(len(found) // 10, 10)


def assert_rounded_fairly(bag: dict[int, int], shares: dict[int, float]) -> None:
    """No term is rounded up whose remainder is smaller than one that is rounded down."""
    assert set(bag) <= set(shares)
    up, down = [1.0], [0.0]
    for term, share in shares.items():
        over = share * TOTAL - bag.get(term, 0)
        assert -1 - NEAR < over < 1 + NEAR
        if math.isclose(over, round(over), abs_tol=NEAR):
            continue
        (up if over < 0 else down).append(over % 1)
    assert min(up) > max(down) - NEAR
