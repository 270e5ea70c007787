"""Arrow arrays made and read without Arrow's conversions, compared with those."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagekin.arrays import Numbers, array, flags, lists, numbers, word_array, word_lists

KINDS = [np.uint8, np.uint16, np.uint32, np.uint64, np.int64, np.float64]

BUILD = """
import sys
from importlib.abc import MetaPathFinder

class NoPandas(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] == "pandas":
            sys.exit("pandas was imported")

sys.meta_path.insert(0, NoPandas())
import pagekin
settings = pagekin.Settings(threads=2)
pagekin.build(sys.argv[1], sys.argv[2], settings=settings)
index = pagekin.open(sys.argv[2])
print(len(index.related("http://www.hedgerow.example/plants/roses.html", k=3).hits))
"""


def test_build_and_query_do_not_import_pandas(crawl: Path, tmp_path: Path) -> None:
    pytest.importorskip("pandas", reason="nothing to import where it is not installed")
    command = [sys.executable, "-c", BUILD, str(crawl), str(tmp_path / "index")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "3", "")


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_survive_conversion(kind: type) -> None:
    values: Numbers = np.arange(10).astype(kind)
    made = array(values)
    assert made.equals(pa.array(values))
    assert numbers(made.slice(3, 4)).tolist() == values[3:7].tolist()
    assert numbers(made.slice(10)).dtype == kind
    assert len(numbers(array(values[:0]))) == 0


@given(st.lists(st.booleans(), max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_flags_survive_conversion(values: list[bool], start: int, length: int) -> None:
    made = pa.array(values, pa.bool_()).slice(start, length)
    assert flags(made).tolist() == made.to_pylist()


@given(st.lists(st.none() | st.integers(0, 2**64 - 1), max_size=20))
def test_missing_values_are_null(values: list[int | None]) -> None:
    there = np.array([value is not None for value in values], np.bool_)
    made = array(np.array([value or 0 for value in values], np.uint64), there)
    made.validate(full=True)
    assert made.to_pylist() == values


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])))))
def test_words_survive_conversion(words: list[list[str]]) -> None:
    made = word_lists(words)
    made.validate(full=True)
    assert made.to_pylist() == words
    for one in words:
        assert word_array(one).equals(pa.array(one, pa.string()))


def test_lists_are_cut_at_their_offsets() -> None:
    made = lists(np.array([0, 2, 2, 3]), pa.array([5, 6, 7]))
    made.validate(full=True)
    assert made.to_pylist() == [[5, 6], [], [7]]
