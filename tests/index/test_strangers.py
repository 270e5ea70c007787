"""Indexes of strangers: what is no file, has no end or lies about itself is refused at once.

An attacker can compute every checksum again, so only bounds and checks of what is read help.
"""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pytest

import pagekin
from pagekin import _core
from pagekin.errors import Defect, EngineError, IndexCorrupt, PagekinError, exit_code
from pagekin.index import Manifest
from pagekin.index.manifest import LONGEST
from pagekin.index.tables.schema import TABLES
from pagekin.strategy import Sketch, Strategy
from tests.archives import SAFETY_NET, run, spawn
from tests.index.forging import ROSES, described, forge, path_of, reseal
from tests.index.questions import QUESTIONS, SLOW
from tests.index.test_forged import FORGERIES

MOST_MEMORY = 1 << 30
QUICK = [name for name in QUESTIONS if name not in SLOW]


def refused(index: Path, *words: str) -> str:
    """The last line of a command that refuses the index, within the bounds of memory and time."""
    ran = spawn(*(words or ("related", str(index), ROSES)))
    assert ran.code == 2, ran.out
    assert ran.peak < MOST_MEMORY
    return ran.last


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("become", [pipe, endless])
@pytest.mark.parametrize("table", ["manifest", "pages", "sums"])
def test_what_is_no_regular_file_is_refused(
    index: Path, table: str, become: Callable[[Path], None]
) -> None:
    path = index / "manifest.json" if table == "manifest" else path_of(index, table)
    become(path)
    told = refused(index)
    assert f"{path}: the {'manifest' if table == 'manifest' else 'table'} cannot be " in told
    assert "not a regular file" in told


def test_pipe_beside_other_damage_is_not_waited_for(index: Path) -> None:
    """Whoever looks for the cause of one damage meets the other."""
    pipe(path_of(index, "sums", 1))
    manifest = Manifest.read(index)
    reseal_manifest(index, manifest, strategy="no TOML")
    assert "the manifest's strategy cannot be used" in refused(index)


def test_fitted_strategy_of_another_strategy_is_refused(index: Path) -> None:
    manifest = Manifest.read(index)
    reseal_manifest(index, manifest, fitted="no TOML")
    assert "the manifest's strategy cannot be used" in refused(index)
    reseal_manifest(index, manifest, fitted=Strategy(sketch=Sketch(seed=1)).to_toml())
    assert "the manifest's fitted strategy is not one of its strategy" in refused(index)


def reseal_manifest(index: Path, manifest: Manifest, **fields: Any) -> None:
    raw = json.loads(manifest.to_json()) | fields
    Manifest(**raw).write(index)


def test_manifest_without_end_is_refused(index: Path) -> None:
    with (index / "manifest.json").open("r+b") as file:
        file.truncate(1 << 40)
    assert f"the manifest has more than {LONGEST:,} bytes" in refused(index)


@pytest.mark.parametrize("item", ["[]", "{}", '"x"', "1"])
def test_longest_manifest_is_read_within_the_memory(index: Path, item: str) -> None:
    count = LONGEST // (len(item) + 1) - 2
    (index / "manifest.json").write_text(f"[{','.join([item] * count)}]")
    assert "a field of the manifest is missing" in refused(index)


@pytest.mark.parametrize("count", ["pages", "bags", "terms", "links", "concepts"])
@pytest.mark.parametrize("value", [None, -1, 1.5, "1", True, 1 << 64])
def test_missing_or_impossible_count_is_refused(index: Path, count: str, value: object) -> None:
    manifest = Manifest.read(index)
    counts: dict[str, Any] = {**manifest.counts, count: value}
    if value is None:
        del counts[count]
    reseal_manifest(index, manifest, counts=counts)
    with pytest.raises(IndexCorrupt, match="a field of the manifest"):
        pagekin.open(index)


Codec = Literal["lz4", "zstd"]


def bomb(path: Path, rows: int, codec: Codec) -> None:
    """The table with its first batch repeated until it has as many rows, compressed."""
    with pa.OSFile(str(path), "rb") as file:
        found = pa.ipc.open_file(file).read_all()
    table = pa.concat_tables([found] * (rows // found.num_rows + 1)).combine_chunks()
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with pa.ipc.new_file(str(path), table.schema, options=options) as writer:
        writer.write_batch(table.to_batches()[0])


@pytest.mark.parametrize("codec", ["lz4", "zstd"])
@pytest.mark.parametrize("table", ["pages", "links", "sums"])
@pytest.mark.parametrize("command", ["related", "check"])
def test_compressed_table_is_refused(index: Path, table: str, codec: Codec, command: str) -> None:
    path = path_of(index, table)
    bomb(path, 100_000, codec)
    if table == "sums":
        manifest = Manifest.read(index)
        files = {**manifest.files, path.name: described(path)}
        reseal_manifest(index, manifest, files=files)
    else:
        reseal(index)
    ran = spawn(command, index, *([ROSES] if command == "related" else []))
    assert ran.code == (1 if command == "check" else 2)
    assert "compressed" in ran.out + ran.err
    assert ran.peak < MOST_MEMORY


CODE = """
import sys
from pathlib import Path
from pagekin.errors import Defect, PagekinError
from tests.index.questions import answer
url, names, paths = sys.argv[1], sys.argv[2].split(), sys.argv[3:]
for path in map(Path, paths):
    for name in names:
        try:
            answer(path, name, url)
        except Defect as error:
            sys.exit(f"{path} {name}: {error}")
        except PagekinError:
            pass
"""


def ask_everything(paths: list[Path], names: list[str]) -> None:
    """Ask all questions of all indexes; only errors of the tree may come, and no defect."""
    words = [sys.executable, "-c", CODE, ROSES, " ".join(names), *map(str, paths)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False, timeout=4 * SAFETY_NET)
    assert (ran.returncode, ran.stderr) == (0, "")


def broken_footer(path: Path, chance: random.Random) -> None:
    """Change some bytes of the footer, or of the description of a batch."""
    content = bytearray(path.read_bytes())
    length = int.from_bytes(content[-10:-6], "little")
    end = len(content) - 10
    for _ in range(chance.randrange(1, 4)):
        content[chance.randrange(end - length, end)] = chance.randrange(256)
    path.write_bytes(content)


@pytest.mark.parametrize("seed", range(4))
def test_broken_footers_are_refused_without_a_panic(index: Path, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    paths = []
    for table in (name for name in TABLES if name != "sums"):
        path = Path(shutil.copytree(index, tmp_path / table))
        broken_footer(path_of(path, table), chance)
        reseal(path)
        paths.append(path)
    ask_everything(paths, ["related", "search", "pairs", "check"])


@pytest.mark.slow
def test_forged_tables_give_no_error_outside_of_the_tree(index: Path, tmp_path: Path) -> None:
    paths = []
    for number, (table, change, _) in enumerate(FORGERIES.values()):
        paths.append(Path(shutil.copytree(index, tmp_path / f"forged-{number}")))
        forge(paths[-1], table, change)
    ask_everything(paths, QUICK)


def test_missing_value_is_refused(index: Path) -> None:
    def without_site(table: pa.Table) -> pa.Table:
        place = table.schema.get_field_index("site")
        sites = [None, *table.column("site").to_pylist()[1:]]
        column = pa.chunked_array([pa.array(sites, pa.string())])
        return table.set_column(place, table.schema.field(place), column)

    for shard in range(Manifest.read(index).shards):
        forge(index, "sites", without_site, shard=shard)
    with pytest.raises(IndexCorrupt, match="a value is missing"):
        pagekin.open(index).overview()


class Fake:
    """A core that fails."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        raise self._error


@pytest.mark.parametrize(
    ("cause", "kind", "said"),
    [
        (_core.CorePanic("index out of bounds"), Defect, "a defect of pagekin (index out of"),
        (MemoryError("8 EiB"), EngineError, "not enough memory to answer (8 EiB)"),
        (IndexError("row 7"), IndexCorrupt, "the tables give no answer (IndexError: row 7)"),
        (OverflowError("too large"), IndexCorrupt, "give no answer (OverflowError: too large)"),
    ],
)
def test_error_of_the_core_is_told_as_what_it_is(
    index: Path,
    cause: Exception,
    kind: type[PagekinError],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened = pagekin.open(index)
    monkeypatch.setattr(opened.reader, "searcher", Fake(cause))
    with pytest.raises(kind) as raised:
        opened.related(ROSES)
    assert said in str(raised.value)
    assert exit_code(raised.value) == (3 if kind is Defect else 2)


def test_panic_while_building_is_told_as_a_defect(
    crawl: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def panic(*_: object) -> None:
        raise _core.CorePanic("attempt to subtract with overflow")

    monkeypatch.setattr(_core, "merge_postings", panic)
    ran = run(capfd, "index", crawl, "-o", tmp_path / "index")
    assert ran.code == 3
    assert "a defect of pagekin (attempt to subtract with overflow)" in ran.last
    assert "check the disk" not in ran.last
    assert not (tmp_path / "index").exists()
