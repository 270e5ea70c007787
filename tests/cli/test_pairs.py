"""`pagekin pairs`: what people read, what programs read, and a clear word for every bad query."""

import json
import random
import shutil
from pathlib import Path

import pyarrow as pa
import pytest

import pagekin
from pagekin.api import Index
from pagekin.errors import IndexCorrupt
from pagekin.index.tables.schema import PACKED
from pagekin.work.settings import Settings
from tests.archives import CommandResult, members, page, run, spawn
from tests.pairs.crawl import write_sites

QUERY = ("university", "research", "data structures")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pairs")
    pagekin.build(write_sites(folder / "sites.warc.gz"), folder / "index")
    return folder / "index"


def test_text_output_shows_sites_pairs_and_keywords(
    capfd: pytest.CaptureFixture[str], index: Path
) -> None:
    shown = run(capfd, "pairs", index, *QUERY)
    assert (shown.code, shown.err) == (0, "")
    first, second = shown.out.split("\n\n")
    assert first.splitlines() == [
        "one.example  University of One",
        "  home    http://one.example/",
        "  0.644   Research",
        "          http://one.example/research",
        "          research 1.00, data structures 0.33",
        "  links   [data structures group]",
        "  to      Data structures",
        "          http://one.example/structures",
        "          research 0.33, data structures 1.00",
    ]
    assert second.startswith("two.example  Two\n")


def test_json_is_one_document_with_the_documented_fields(
    capfd: pytest.CaptureFixture[str], index: Path
) -> None:
    shown = run(capfd, "pairs", index, *QUERY, "--json", "--sites", "1", "--per-site", "2")
    assert (shown.code, shown.out.count("\n")) == (0, 1)
    answer = json.loads(shown.out)
    assert list(answer) == ["keywords", "alpha", "sites", "empty", "took_ms"]
    assert answer["keywords"] == [*QUERY]
    assert (answer["alpha"], answer["empty"]) == (0.6, None)
    (site,) = answer["sites"]
    assert list(site) == ["site", "home", "title", "rank", "about", "pairs"]
    assert len(site["pairs"]) == 2
    pair = site["pairs"][0]
    assert list(pair) == ["weight", "source", "target", "words"]
    assert list(pair["source"]) == ["url", "title", "carries"]
    assert pair["source"]["carries"][0] == {"keyword": "research", "count": 3, "strength": 1.0}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["university"], 2, '"university": 1 keyword; give 2 to 5'),
        (["a1", "b", "c", "d", "e", "f"], 2, "6 keywords; give 2 to 5"),
        (["the", "of"], 2, '"the": this is a stop word; '),
        (["university", "of the"], 2, '"of the": these are stop words; '),
        (["university", "research", "2007"], 2, '"2007": this keyword has no word; '),
        (["university", ""], 2, '"": this keyword has no word; '),
        (["university", "research", "Researches"], 2, 'the same keyword as "research"; leave one'),
        (["university", "data structures", "structured data"], 2, "the same keyword as"),
        (["university", "xylophone"], 1, '"xylophone": no page of the crawl has this word; '),
        (["xylophone", "university"], 1, '"xylophone": no page of the crawl has this word; '),
        (["university", "hermitage lectures"], 1, '"hermitage lectures": no page of the crawl has'),
        (["hermitage", "research", "data"], 1, 'the 1 site with "hermitage" has one page'),
        (["prices", "research", "algebra"], 1, 'no page of the 1 site with "prices" has "algebra"'),
        (["prices", "research", "costly"], 1, "no two linked pages have different keywords of"),
        (["university", "research", "--alpha", "0.4"], 2, "'0.4' is not a number from 0.5 to 1"),
        (["university", "research", "--alpha", "1.01"], 2, "is not a number from 0.5 to 1"),
        (["university", "research", "--alpha", "nan"], 2, "is not a number from 0.5 to 1"),
        (["university", "research", "--sites", "0"], 2, "is not a whole number of at least 1"),
        (["university", "research\udcff"], 2, "this keyword has no word"),
    ],
)
def test_unanswerable_queries_are_explained(
    capfd: pytest.CaptureFixture[str], index: Path, words: list[str], code: int, said: str
) -> None:
    shown = run(capfd, "pairs", index, *words)
    assert (shown.code, shown.out) == (code, "")
    assert said in shown.err
    assert shown.err.startswith(("pagekin: ", "usage: "))


def test_json_of_an_empty_answer_has_the_reason(
    capfd: pytest.CaptureFixture[str], index: Path
) -> None:
    shown = run(capfd, "pairs", index, "hermitage", "research", "data", "--json")
    assert (shown.code, shown.err) == (1, "")
    answer = json.loads(shown.out)
    assert answer["sites"] == []
    assert "a pair needs two" in answer["empty"]


def built(capfd: pytest.CaptureFixture[str], folder: Path, *records: bytes) -> CommandResult:
    (folder / "few.warc.gz").write_bytes(members(*records))
    pagekin.build(folder / "few.warc.gz", folder / "index", settings=Settings(threads=1))
    return run(capfd, "pairs", folder / "index", "plain", "words")


def test_crawl_without_links_has_no_pairs(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    shown = built(capfd, tmp_path, page("a"), page("b"))
    assert (shown.code, shown.out) == (1, "")
    assert "the crawl has no links" in shown.err


def test_index_of_an_old_format_is_rejected(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    built(capfd, tmp_path, page("a"))
    manifest = tmp_path / "index" / "manifest.json"
    described = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(described | {"format": 1}))
    shown = run(capfd, "pairs", tmp_path / "index", "plain", "words")
    assert (shown.code, shown.out) == (2, "")
    assert "index format 1, expected 7; build the index again" in shown.err


def test_folder_without_an_index_is_rejected(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    shown = run(capfd, "pairs", tmp_path, "plain", "words")
    assert (shown.code, shown.out) == (2, "")
    assert "contains no index" in shown.err


@pytest.mark.parametrize("table", ["ranks", "arcs", "sites", "postings"])
def test_flipped_bytes_are_reported(index: Path, table: str, tmp_path: Path) -> None:
    broken = shutil.copytree(index, tmp_path / "index")
    path = broken / pagekin.open(index).reader.manifest.folder / f"{table}-00000.arrow"
    content = bytearray(path.read_bytes())
    flips = random.Random(table)
    for _ in range(30):
        content[flips.randrange(len(content))] ^= 0xFF
    path.write_bytes(content)
    assert spawn("pairs", broken, *QUERY).last.endswith("build the index again")


def test_broken_posting_lists_are_reported(index: Path) -> None:
    opened = Index(index)
    table = opened.reader.tables["postings"]
    rows = [row | {"postings": row["postings"][:-1]} for row in table._batch(0).to_pylist()]
    table._known[0] = pa.RecordBatch.from_pylist(rows, schema=PACKED["postings"])
    with pytest.raises(IndexCorrupt, match="a packed list is broken"):
        opened.pairs(QUERY)
