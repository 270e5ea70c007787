"""A worker that reloads one index after another."""

import asyncio
import contextlib
import shutil
import socket
import threading
from pathlib import Path

import pagekin
from pagekin.serve.app import cached_app
from pagekin.serve.processes.worker import _config, _Server
from pagekin.serve.service import ServedIndex, Service, Snapshot
from pagekin.serve.settings import ServeSettings
from tests.crawls import build_pages
from tests.serve.running import PATIENCE

GRACE = 0.5
"""Seconds in which an unordered reload would overtake the one before."""


class SlowCurrent(ServedIndex):
    """Opens the index on disk, but the first time returns it only when allowed to."""

    def __init__(self, index: Path) -> None:
        super().__init__(str(index))
        self.has_opened, self.may_give = threading.Event(), threading.Event()
        self.given = 0

    def open_new(self) -> Snapshot | None:
        snapshot = super().open_new()
        if not self.has_opened.is_set():
            self.has_opened.set()
            assert self.may_give.wait(PATIENCE)
        self.given += 1
        return snapshot


def test_concurrent_reloads_keep_their_order(index: Path, tmp_path: Path) -> None:
    """The first reload is delayed with the old index; the second must not overtake it."""
    served = Path(shutil.copytree(index, tmp_path / "served"))
    other = build_pages(tmp_path, {"": "roses of iron"}, pagekin.Strategy())
    current = SlowCurrent(served)
    service = Service.open(ServeSettings(index=str(served)))
    config = _config(cached_app(service), service.settings)

    async def two_reloads() -> None:
        with socket.socket() as lifeline:
            server = _Server(config, current, lifeline)
            server._begin_reload()
            await asyncio.to_thread(current.has_opened.wait, PATIENCE)
            shutil.copytree(other, served, dirs_exist_ok=True)
            server._begin_reload()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    while not current.given:
                        await asyncio.sleep(0.01)
            current.may_give.set()
            await asyncio.gather(*server._background)

    asyncio.run(two_reloads())
    service.pool.close()
    assert current.given == 2
    assert current.index.reader.manifest == pagekin.open(other).reader.manifest
    assert current.on_disk() == "same"
