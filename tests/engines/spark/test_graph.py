"""Site graphs by Spark joins, against those of the local engine."""

from pathlib import Path
from typing import Any

import pytest

from pagekin.engines import spark
from pagekin.engines.spark.frames import materialise, materialise_sums
from pagekin.engines.spark.site_frames import site_graphs
from pagekin.engines.spark.work_folder import Folder
from tests.engines.spark.clusters import Driver, needs_java
from tests.engines.spark.graphs import made_up

pytestmark = [pytest.mark.slow, needs_java]

HIGHEST = 1 << 63
Columns = dict[str, list[Any]]


def distributed(urls: int, seed: int, folder: str) -> dict[str, Columns]:
    """The three tables as columns, in order of ids."""
    with spark.open_session() as session:
        found = site_graphs(*made_up(urls, seed).frames(session), Folder(folder), 2)
        frames = {"ranks": found.ranks, "arcs": found.arcs, "sites": found.sites}
        rows = {table: sorted(frame.collect()) for table, frame in frames.items()}
        return {
            table: {name: [row[name] for row in rows[table]] for name in frame.columns}
            for table, frame in frames.items()
        }


def ids(longs: list[int | None]) -> list[int | None]:
    """Longs of Spark as the ids that they stand for."""
    return [None if long is None else long + HIGHEST for long in longs]


def test_distributed_graphs_equal_local_graphs_bit_for_bit(
    two_cores: Driver, tmp_path: Path
) -> None:
    expected = made_up(400, seed=1).local()
    found = two_cores.run(distributed, 400, 1, str(tmp_path))
    assert found["ranks"].pop("number") == [*range(expected.ranks.num_rows)]
    for table, columns in found.items():
        wanted = getattr(expected, table)
        assert sorted(columns) == sorted(wanted.schema.names)
        for name, values in columns.items():
            known = ids(values) if name in ("id", "root") else values
            assert known == wanted.column(name).to_pylist(), (table, name)
    assert any(len(targets) > 1 for targets in found["arcs"]["targets"])
    assert any(root is None for root in found["sites"]["root"])


def keeping(folder: str) -> tuple[list[int], bool, int, int]:
    """Sums, whether the rows are equal, and the counts of a second and an empty materialisation."""
    work = Folder(folder)
    with spark.open_session() as session:
        frame = session.range(0, 1000, 1, 3).selectExpr("id", "id * 2 as twice")
        rows, sums = materialise_sums(frame, work, "numbers", ["id", "twice"])
        same = sorted(rows.collect()) == sorted(frame.collect())
        again = materialise(session.range(0, 5).selectExpr("id", "id as twice"), work, "numbers")
        return sums, same, again.count(), materialise(frame.filter("id < 0"), work, "none").count()


def test_materialised_rows_are_computed_once(two_cores: Driver, tmp_path: Path) -> None:
    assert two_cores.run(keeping, str(tmp_path)) == ([499_500, 999_000], True, 1000, 0)
