"""A killed update leaves the old index or the new one."""

from pathlib import Path

from tests.trust.kills import KilledUpdates


def test_killed_update_leaves_the_old_index_or_the_new_one(tmp_path: Path) -> None:
    updates = KilledUpdates(tmp_path, seed=7)
    for _ in range(20):
        updates.kill_one()
    updates.clean_up()
    assert updates.kills["old"], "no update was killed in time"
