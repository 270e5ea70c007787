"""The thread pool: limits on threads, waiting requests and time."""

import asyncio
import threading

import pytest

from pagekin.errors import Refused
from pagekin.serve.service import Pool


def test_pool_returns_results_and_raises_errors() -> None:
    async def asked() -> tuple[int, BaseException]:
        pool = Pool(threads=1, waiting=1, seconds=30)
        with pytest.raises(ZeroDivisionError) as raised:
            await pool.run(divmod, 1, 0)
        return await pool.run(int, "11", base=2), raised.value

    assert asyncio.run(asked())[0] == 3


def test_full_pool_rejects_work() -> None:
    async def asked() -> list[object]:
        pool, go = Pool(threads=2, waiting=3, seconds=30), threading.Event()
        under_way = [asyncio.create_task(pool.run(go.wait)) for _ in range(5)]
        await asyncio.sleep(0)
        with pytest.raises(Refused) as refused:
            await pool.run(go.wait)
        go.set()
        done = await asyncio.gather(*under_way)
        return [refused.value.code, *done, await pool.run(lambda: "there is room again")]

    assert asyncio.run(asked()) == ["overloaded", *[True] * 5, "there is room again"]


def test_timed_out_work_is_rejected_and_frees_its_place() -> None:
    async def asked() -> tuple[list[str], bool]:
        pool, go = Pool(threads=1, waiting=1, seconds=0.2), threading.Event()
        begun: list[str] = []
        waiting = [pool.run(go.wait), pool.run(begun.append, "what nobody waits for")]
        found = await asyncio.gather(*waiting, return_exceptions=True)
        go.set()
        while (answer := await _again(pool)) is None:
            await asyncio.sleep(0.01)
        return [each.code for each in found if isinstance(each, Refused)], not begun and answer

    assert asyncio.run(asked()) == (["too_slow", "too_slow"], True)


async def _again(pool: Pool) -> bool | None:
    try:
        return await pool.run(lambda: True)
    except Refused:
        return None
