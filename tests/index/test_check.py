"""`check`: silent for every sound index, and naming the fault of every other."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import pagekin
from pagekin.errors import IndexCorrupt, IndexVersion, StrategyMismatch
from pagekin.index import Manifest
from pagekin.index.tables import TABLES
from pagekin.index.writer import TableWriter
from pagekin.sample.pack import write_sample
from pagekin.strategy import Kinds, Sketch, Strategy, presets
from tests.archives import SAFETY_NET
from tests.index.forging import forge, path_of, reseal, swapped, with_values

ROSES = "http://www.hedgerow.example/plants/roses.html"
ROOT = Path(__file__).parents[2]
SHARDS = pagekin.Settings(shard_urls=40)
ABOUT = Strategy(kinds=Kinds(concept=1))
EVERYTHING = Strategy(
    kinds=Kinds(link=1, concept=1), sketch=Sketch(positions=33, seed=5, min_inlinks=2)
)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("crawl") / "sample.warc.gz"
    write_sample(path)
    return path


@pytest.fixture(scope="module")
def sound(crawl: Path) -> Path:
    """An index of several shards that nobody has touched."""
    pagekin.build(crawl, crawl.parent / "sound", strategy=ABOUT, settings=SHARDS)
    return crawl.parent / "sound"


@pytest.fixture
def index(sound: Path, tmp_path: Path) -> Path:
    """A copy of it, to be spoilt."""
    return shutil.copytree(sound, tmp_path / "index")


def fault_of(index: Path) -> str:
    with pytest.raises(IndexCorrupt) as caught:
        pagekin.open(index).check()
    assert caught.value.advice == "build the index again"
    return f"{Path(caught.value.path).name}: {caught.value.what}"


@pytest.mark.parametrize("preset", sorted(presets()))
@pytest.mark.parametrize("settings", [pagekin.Settings(), SHARDS], ids=["one", "many"])
def test_every_preset_gives_a_sound_index(
    crawl: Path, tmp_path: Path, preset: str, settings: pagekin.Settings
) -> None:
    pagekin.build(crawl, tmp_path / "index", strategy=presets()[preset], settings=settings)
    pagekin.open(tmp_path / "index").check()


@pytest.mark.parametrize("shard_urls", [3, 20, 1000])
def test_any_sketch_and_any_shards_give_a_sound_index(
    crawl: Path, tmp_path: Path, shard_urls: int
) -> None:
    settings = pagekin.Settings(shard_urls=shard_urls)
    pagekin.build(crawl, tmp_path / "index", strategy=EVERYTHING, settings=settings)
    index = pagekin.open(tmp_path / "index")
    index.check()
    assert index.manifest.shards >= 142 // shard_urls


def spoilt_list(values: list[Any], change: Callable[[list[int]], Any]) -> None:
    """Change the longest list of a column."""
    change(max(values, key=len))


def exchange(values: list[Any], first: int, second: int) -> None:
    values[first], values[second] = values[second], values[first]


def plus(values: list[Any], place: int, step: int) -> None:
    values[place] += step


FORGERIES = {
    "a loading too many": (
        "loadings",
        with_values("loadings", lambda rows: rows[2].append(1)),
        "loadings-00000.arrow: a term has not one loading a component",
    ),
    "loadings of nothing": (
        "loadings",
        with_values("loadings", lambda rows: rows.__setitem__(2, [0] * len(rows[2]))),
        "loadings-00000.arrow: a term is of no component",
    ),
    "loadings not in order": (
        "loadings",
        swapped(2, 3),
        "loadings-00000.arrow: the rows are not in order",
    ),
    "another concept": (
        "concepts",
        with_values("concept", lambda numbers: exchange(numbers, 0, 1)),
        "concepts-00000.arrow: concept 32 has another's term",
    ),
    "a concept in a bag that is none": (
        "bags",
        with_values("terms", lambda bags: next(filter(None, bags)).__setitem__(0, 1 << 51)),
        "bags-00000.arrow: a bag has a concept that there is not",
    ),
    "H is not of the bags": (
        "sketches",
        with_values("sketch", lambda rows: plus(rows[3], 7, 1)),
        "sketches-00000.arrow: a sketch is not that of its bag",
    ),
    "ids of H": (
        "sketches",
        with_values("id", lambda ids: plus(ids, 3, 1)),
        "sketches-00000.arrow: the ids are not those of the pages",
    ),
    "ids not in order": ("pages", swapped(4, 5), "pages-00000.arrow: the rows are not in order"),
    "another URL": (
        "pages",
        with_values("url", lambda urls: exchange(urls, 4, 5)),
        "pages-00000.arrow: the row of http",
    ),
    "another site": (
        "pages",
        with_values("site", lambda sites: sites.__setitem__(0, "elsewhere.example")),
        "has another id or site",
    ),
    "words of another page": (
        "words",
        with_values("id", lambda ids: plus(ids, 0, 1)),
        "words-00000.arrow: the ids are not those of the pages",
    ),
    "words of a page that was not crawled": (
        "words",
        with_values("words", lambda words: words.__setitem__(words.index(None), "rose")),
        "words-00000.arrow: a page has words and was not crawled, or the other way round",
    ),
    "a window without its anchor": (
        "links",
        with_values("to", lambda ends: ends.__setitem__(2, 0)),
        "links-00000.arrow: a window does not hold its anchor",
    ),
    "links not in order": (
        "links",
        lambda table: swapped(0, table.num_rows - 1)(table),
        "links-00000.arrow: the rows are not in order",
    ),
    "terms not in order": (
        "bags",
        with_values("terms", lambda bags: spoilt_list(bags, list.reverse)),
        "bags-00000.arrow: the terms of a bag are not in order",
    ),
    "weights of another sum": (
        "bags",
        with_values("weights", lambda bags: spoilt_list(bags, lambda bag: plus(bag, 0, 1))),
        "bags-00000.arrow: the weights of a bag do not sum to 65535",
    ),
    "weights of the right sum": (
        "bags",
        with_values("weights", lambda bags: spoilt_list(bags, lambda bag: bag.sort())),
        "sketches-00000.arrow: a sketch is not that of its bag",
    ),
    "a weight too few": (
        "bags",
        with_values("weights", lambda bags: spoilt_list(bags, list.pop)),
        "bags-00000.arrow: a bag has more terms than weights, or fewer",
    ),
    "bags of other pages": (
        "bags",
        with_values("id", lambda ids: plus(ids, 0, 1)),
        "bags-00000.arrow: the ids are not those of the pages",
    ),
    "a term in no bag": (
        "lexicon",
        with_values("frequency", lambda counts: counts.__setitem__(9, 0)),
        "lexicon-00000.arrow: a term is in no bag, or in more than there are",
    ),
    "a term in more bags than there are": (
        "lexicon",
        with_values("frequency", lambda counts: counts.__setitem__(9, 143)),
        "lexicon-00000.arrow: a term is in no bag, or in more than there are",
    ),
    "terms of the lexicon not in order": (
        "lexicon",
        swapped(0, 1),
        "lexicon-00000.arrow: the rows are not in order",
    ),
    "holders are not of the bags": (
        "holders",
        with_values("weights", lambda lists: plus(lists[5], 0, 1)),
        "holders-00000.arrow: the holders of a term are not those of the bags",
    ),
    "a holder of another row": (
        "holders",
        with_values("rows", lambda lists: plus(lists[5], 0, 1)),
        "holders-00000.arrow: the holders of a term are not those of the bags",
    ),
    "a row too few": (
        "lexicon",
        lambda table: table.slice(1),
        ": 3097 terms, and the tables have 3096",
    ),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_table_is_named(index: Path, forgery: str) -> None:
    table, change, said = FORGERIES[forgery]
    forge(index, table, change)
    assert said in fault_of(index)


@pytest.mark.parametrize("table", ["pages", "words", "links", "bags", "lexicon", "sketches"])
def test_batches_of_another_size_are_named(index: Path, table: str) -> None:
    forge(index, table, lambda found: found, rows=7)
    assert fault_of(index) == (
        f"{table}-00000.arrow: a batch has not the number of rows of its format"
    )


@pytest.mark.parametrize("table", ["pages", "words", "links", "bags", "lexicon", "sketches"])
def test_a_table_of_another_shard_is_named(index: Path, table: str) -> None:
    first, second = path_of(index, table, 0), path_of(index, table, 1)
    first.write_bytes(second.read_bytes())
    reseal(index)
    assert f"{table}-00000.arrow: a row belongs to another shard" in fault_of(index)


def inverse_batches(index: Path) -> list[pa.RecordBatch]:
    with pa.OSFile(str(path_of(index, "inverse")), "rb") as file:
        reader = pa.ipc.open_file(file)
        return [reader.get_batch(number) for number in range(reader.num_record_batches)]


def write_inverse(index: Path, batches: list[pa.RecordBatch]) -> None:
    writer = TableWriter(path_of(index, "inverse"), batches[0].schema, None)
    for batch in batches:
        writer.write(batch)
    writer.close()
    reseal(index)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda batches: batches[:-1], "position 79 is not that of the sketches"),
        (lambda batches: [*batches, batches[0]], "there are more positions than a sketch has"),
        (lambda batches: batches[::-1], "position 0 is not that of the sketches"),
        (
            lambda batches: [*batches[:5], batches[5].slice(1), *batches[6:]],
            "position 5 is not that of the sketches",
        ),
        (
            lambda batches: [
                batches[0].take(pa.array([1, 0, *range(2, batches[0].num_rows)])),
                *batches[1:],
            ],
            "position 0 is not that of the sketches",
        ),
    ],
)
def test_a_forged_inverse_is_named(
    index: Path, change: Callable[[list[pa.RecordBatch]], list[pa.RecordBatch]], said: str
) -> None:
    write_inverse(index, change(inverse_batches(index)))
    assert fault_of(index) == f"inverse-00000.arrow: {said}"


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("harm", ["flipped", "cut", "longer", "missing", "empty", "zeroed"])
def test_a_damaged_file_is_named(index: Path, table: str, harm: str) -> None:
    path = path_of(index, table, 1)
    content = path.read_bytes()
    middle = len(content) // 2
    path.unlink()
    if harm != "missing":
        flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
        harmed = {"flipped": flipped, "cut": content[:-9], "longer": content + b"?"}
        path.write_bytes({**harmed, "empty": b"", "zeroed": bytes(len(content))}[harm])
    assert f"{table}-00001.arrow" in fault_of(index)


def test_a_file_that_the_manifest_alone_knows_is_named(index: Path) -> None:
    manifest = Manifest.read(index)
    files = {**manifest.files, "extra-00000.arrow": {"bytes": 1, "xxh3": ""}}
    reseal(index, files=files)
    assert fault_of(index) == "extra-00000.arrow: the manifest lists too few or too many files"


@pytest.mark.parametrize("table", TABLES)
def test_a_file_that_the_manifest_does_not_know_is_named(index: Path, table: str) -> None:
    files = dict(Manifest.read(index).files)
    del files[f"{table}-00001.arrow"]
    reseal(index, files=files)
    assert fault_of(index) == f"index: the manifest lacks {table}-00001.arrow"


@pytest.mark.parametrize("count", ["pages", "bags", "terms", "links", "concepts"])
def test_another_count_is_named(index: Path, count: str) -> None:
    counts = dict(Manifest.read(index).counts)
    reseal(index, counts={**counts, count: counts[count] + 1})
    assert fault_of(index) == (
        f"index: {counts[count] + 1} {count}, and the tables have {counts[count]}"
    )


def test_a_changed_manifest_is_named(index: Path) -> None:
    path = index / "manifest.json"
    raw = json.loads(path.read_text())
    raw["counts"]["bags"] += 1
    path.write_text(json.dumps(raw))
    assert fault_of(index) == "index: the manifest is not as it was written"


def test_the_files_of_another_index_are_named(index: Path, crawl: Path, tmp_path: Path) -> None:
    pagekin.build(crawl, tmp_path / "other", strategy=presets()["content"], settings=SHARDS)
    for table in TABLES:
        path = path_of(index, table)
        own = path.read_bytes()
        path.write_bytes(path_of(tmp_path / "other", table).read_bytes())
        if path.read_bytes() != own:
            assert f"{table}-00000.arrow" in fault_of(index)
        path.write_bytes(own)
    pagekin.open(index).check()


def test_another_strategy_does_not_fit(index: Path) -> None:
    reseal(index, strategy=presets()["content"].to_toml())
    with pytest.raises(StrategyMismatch, match="fingerprint"):
        pagekin.open(index)


def test_another_strategy_with_its_own_fingerprint_does_not_fit_either(index: Path) -> None:
    other = Strategy(sketch=Sketch(seed=1))
    reseal(index, strategy=other.to_toml(), fingerprint=other.fingerprint)
    assert fault_of(index) == "sketches-00000.arrow: a sketch is not that of its bag"


def test_another_number_of_positions_does_not_fit_either(index: Path) -> None:
    other = Strategy(sketch=Sketch(positions=40))
    reseal(index, strategy=other.to_toml(), fingerprint=other.fingerprint)
    assert "sketches-00000.arrow: the table has other columns" in fault_of(index)


@pytest.mark.parametrize("found", [0, 1, 2, 4])
def test_an_index_of_another_format_is_not_read(index: Path, found: int) -> None:
    reseal(index, format=found)
    with pytest.raises(IndexVersion, match=f"index format {found}, expected 3; build the index"):
        pagekin.open(index)


def run_flips(index: Path, url: str, seed: int, count: int) -> dict[str, list[str]]:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.index.flips", index, url, str(seed), str(count)],
        cwd=ROOT,
        env={**os.environ, "RUST_BACKTRACE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=2 * SAFETY_NET,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    found: dict[str, list[str]] = json.loads(ran.stdout)
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_a_flipped_byte_anywhere_is_noticed_and_never_believed(index: Path, seed: int) -> None:
    found = run_flips(index, ROSES, seed, 6)
    assert (found["wrong"], found["unnoticed"]) == ([], [])
    assert found["right"] and found["refused"]


@pytest.mark.slow
def test_a_flipped_byte_of_a_tiny_index_is_never_believed(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    text = "<title>One</title>garden roses <a href=b.html>lightning tulips</a>"
    (tmp_path / "pages" / "a.html").write_text(text)
    source = pagekin.Source(str(tmp_path / "pages"), "http://t.example/")
    pagekin.build(source, tmp_path / "index", strategy=Strategy(sketch=Sketch(positions=4)))
    found = run_flips(tmp_path / "index", "http://t.example/a.html", 3, 400)
    assert (found["wrong"], found["unnoticed"]) == ([], [])
    assert len(found["right"]) + len(found["refused"]) == 400 * (len(TABLES) + 1)


def test_answers_of_forged_indexes_end_well(index: Path, tmp_path: Path) -> None:
    """Nobody can tell a forged table by itself; but it must not end the process."""
    code = "\n".join(
        [
            "import sys, pagekin",
            "for path in sys.argv[2:]:",
            "    try:",
            "        index = pagekin.open(path)",
            "        index.related(sys.argv[1]), index.show(sys.argv[1])",
            "        index.related_to_text('garden roses')",
            "    except pagekin.errors.PagekinError:",
            "        pass",
        ]
    )
    paths = []
    for number, (table, change, _) in enumerate(FORGERIES.values()):
        paths.append(shutil.copytree(index, tmp_path / f"forged-{number}"))
        forge(paths[-1], table, change)
    write_inverse(paths[0], inverse_batches(index)[::-1])
    ran = subprocess.run(
        [sys.executable, "-c", code, ROSES, *paths], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
