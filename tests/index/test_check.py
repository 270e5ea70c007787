"""`check`: silent for every sound index, and naming the fault of every damaged one."""

import json
from pathlib import Path

import pytest

import pagekin
from pagekin.errors import IndexVersion, StrategyMismatch
from pagekin.index import Manifest
from pagekin.index.tables.schema import TABLES
from pagekin.strategy import Kinds, Sketch, Strategy, presets
from tests.index.forging import SHARDS, fault_of, path_of, reseal

EVERYTHING = Strategy(
    kinds=Kinds(link=1, concept=1), sketch=Sketch(positions=33, seed=5, min_inlinks=2)
)


@pytest.mark.parametrize("preset", sorted(presets()))
@pytest.mark.parametrize("settings", [pagekin.Settings(), SHARDS], ids=["one", "many"])
def test_check_passes_for_every_preset(
    crawl: Path, tmp_path: Path, preset: str, settings: pagekin.Settings
) -> None:
    pagekin.build(crawl, tmp_path / "index", strategy=presets()[preset], settings=settings)
    pagekin.open(tmp_path / "index").check()


@pytest.mark.parametrize("shard_urls", [3, 20, 1000])
def test_check_passes_for_any_sketch_and_shard_size(
    crawl: Path, tmp_path: Path, shard_urls: int
) -> None:
    settings = pagekin.Settings(shard_urls=shard_urls)
    pagekin.build(crawl, tmp_path / "index", strategy=EVERYTHING, settings=settings)
    index = pagekin.open(tmp_path / "index")
    index.check()
    assert index.reader.manifest.shards >= 142 // shard_urls


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("harm", ["flipped", "cut", "longer", "missing", "empty", "zeroed"])
def test_damaged_file_is_reported(index: Path, table: str, harm: str) -> None:
    path = path_of(index, table, 1)
    content = path.read_bytes()
    middle = len(content) // 2
    path.unlink()
    if harm != "missing":
        flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
        harmed = {"flipped": flipped, "cut": content[:-9], "longer": content + b"?"}
        path.write_bytes({**harmed, "empty": b"", "zeroed": bytes(len(content))}[harm])
    assert f"{table}-00001.arrow" in fault_of(index)


def test_surplus_manifest_entry_is_reported(index: Path) -> None:
    manifest = Manifest.read(index)
    files = {**manifest.files, "extra-00000.arrow": {"bytes": 1, "xxh3": ""}}
    reseal(index, files=files)
    assert fault_of(index) == "extra-00000.arrow: the manifest lists too few or too many files"


@pytest.mark.parametrize("table", TABLES)
def test_missing_manifest_entry_is_reported(index: Path, table: str) -> None:
    files = dict(Manifest.read(index).files)
    del files[f"{table}-00001.arrow"]
    reseal(index, files=files)
    assert fault_of(index) == f"index: the manifest lacks {table}-00001.arrow"


@pytest.mark.parametrize("count", ["pages", "bags", "terms", "links", "concepts"])
def test_wrong_count_is_reported(index: Path, count: str) -> None:
    counts = dict(Manifest.read(index).counts)
    reseal(index, counts={**counts, count: counts[count] + 1})
    assert fault_of(index) == (
        f"index: the manifest counts {counts[count] + 1} {count}, the tables have {counts[count]}"
    )


def test_changed_manifest_is_reported(index: Path) -> None:
    path = index / "manifest.json"
    raw = json.loads(path.read_text())
    raw["counts"]["bags"] += 1
    path.write_text(json.dumps(raw))
    assert fault_of(index) == "index: the manifest does not match its checksum"


def test_file_of_another_index_is_reported(index: Path, crawl: Path, tmp_path: Path) -> None:
    pagekin.build(crawl, tmp_path / "other", strategy=presets()["content"], settings=SHARDS)
    for table in TABLES:
        path = path_of(index, table)
        own = path.read_bytes()
        path.write_bytes(path_of(tmp_path / "other", table).read_bytes())
        if path.read_bytes() != own:
            assert f"{table}-00000.arrow" in fault_of(index)
        path.write_bytes(own)
    pagekin.open(index).check()


def test_strategy_with_wrong_fingerprint_is_rejected(index: Path) -> None:
    reseal(index, strategy=presets()["content"].to_toml())
    with pytest.raises(StrategyMismatch, match="fingerprint"):
        pagekin.open(index)


def test_strategy_with_another_seed_is_detected(large: Path) -> None:
    other = Strategy(sketch=Sketch(seed=1))
    reseal(large, strategy=other.to_toml(), fitted=other.to_toml(), fingerprint=other.fingerprint)
    assert fault_of(large) == "sketches-00000.arrow: a sketch does not match its bag"


def test_strategy_with_another_sketch_size_is_detected(index: Path) -> None:
    other = Strategy(sketch=Sketch(positions=40))
    reseal(index, strategy=other.to_toml(), fitted=other.to_toml(), fingerprint=other.fingerprint)
    assert "sketches-00000.arrow: the table has unexpected columns" in fault_of(index)


@pytest.mark.parametrize("found", [0, 1, 2, 3, 4, 5, 7])
def test_index_of_another_format_is_rejected(index: Path, found: int) -> None:
    reseal(index, format=found)
    with pytest.raises(IndexVersion, match=f"index format {found}, expected 6; build the index"):
        pagekin.open(index)
