"""Directories as columns: cut, distinct, canonical."""

import pytest

from pagekin import _core
from pagekin.errors import DirectoryError
from pagekin.evaluation.truths import Directory, Row


def directory(*rows: tuple[str, str], depth: int = 3) -> Directory:
    return Directory.from_rows(
        (Row(line, url, tuple(path.split("/"))) for line, (url, path) in enumerate(rows)),
        depth=depth,
    )


def pairs(found: Directory) -> set[tuple[int, str]]:
    return {
        (int(found.ids[page]), "/".join(found.classes[number]))
        for page, number in zip(found.pages_of_pairs, found.classes_of_pairs, strict=True)
    }


A, B = (_core.url_id(f"http://{name}.example/") for name in "ab")


def test_classes_are_cut_to_depth_and_pages_may_have_several() -> None:
    found = directory(
        ("http://a.example/", "x/y/z/deep"),
        ("http://a.example/", "x"),
        ("http://b.example/", "x/y/z/other"),
    )
    assert found.classes == (("x",), ("x", "y", "z"))
    assert pairs(found) == {(A, "x/y/z"), (A, "x"), (B, "x/y/z")}
    assert pairs(directory(("http://a.example/", "x/y/z"), depth=1)) == {(A, "x")}


def test_pages_above_the_depth_can_be_left_out() -> None:
    rows = [
        Row(1, "http://a.example/", ("x", "y", "z")),
        Row(2, "http://b.example/", ("x", "y")),
        Row(3, "http://b.example/", ("x", "y", "w", "deep")),
        Row(4, "ftp://b.example/", ("x",)),
    ]
    found = Directory.from_rows(rows, depth=3, deep_only=True)
    assert pairs(found) == {(A, "x/y/z"), (B, "x/y/w")}
    assert found.skipped == {"above depth 3": 1, "not a valid URL": 1}
    assert "left out" in found.depth_note
    kept = Directory.from_rows(rows, depth=3)
    assert len(pairs(kept)) == 3
    assert "kept" in kept.depth_note
    with pytest.raises(DirectoryError, match="no page at the depth"):
        Directory.from_rows(rows[1:2], depth=3, deep_only=True)


def test_urls_are_canonicalised() -> None:
    found = directory(("HTTP://A.example:80/./#top", "x"), ("http://a.example/", "x"))
    assert pairs(found) == {(A, "x")}


def test_equal_rows_count_once() -> None:
    row = Row(1, "http://a.example/", ("x", "y"))
    found = Directory.from_rows(row for _ in range(1_000_000))
    assert (len(found.ids), len(found.pages_of_pairs)) == (1, 1)


def test_invalid_urls_are_counted() -> None:
    found = directory(("ftp://a.example/", "x"), ("http://b.example/", "x"), ("\udcff", "x"))
    assert found.skipped == {"not a valid URL": 2}
    assert pairs(found) == {(B, "x")}


@pytest.mark.parametrize(
    ("rows", "said"), [([], "no row"), ([("x:y", "x")], "1 rows without a web address")]
)
def test_directory_without_pages_is_rejected(rows: list[tuple[str, str]], said: str) -> None:
    with pytest.raises(DirectoryError, match=f"the directory has no page .{said}"):
        directory(*rows)


def test_sample_consists_of_pairs_of_sibling_classes() -> None:
    rows = [
        (f"http://{parent}{child}.example/", f"{parent}/{child}")
        for parent in "xyz"
        for child in "1234"
    ]
    whole = directory(*rows, ("http://top.example/", "top"), ("http://x1.example/", "y/2"))
    found = whole.sampled(2, seed=5)
    assert found.fingerprint == whole.sampled(2, seed=5).fingerprint
    assert 3 <= len(found.classes) <= 4
    assert pairs(found) == {
        pair for pair in pairs(whole) if tuple(pair[1].split("/")) in found.classes
    }
    assert len({whole.sampled(2, seed=seed).classes for seed in range(9)}) > 1
    assert pairs(whole.sampled(99)) == {pair for pair in pairs(whole) if "/" in pair[1]}


def test_sample_without_sibling_classes_is_rejected() -> None:
    with pytest.raises(DirectoryError, match="no pairs to draw"):
        directory(("http://a.example/", "x"), ("http://b.example/", "y")).sampled(3)
