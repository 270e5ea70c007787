"""Questions that nobody waits for any more end within the loops of the core."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator

import pyarrow as pa
import pytest

import pagekin
from pagekin import _core
from pagekin.errors import Refused
from pagekin.query.filters import ExclusionLists, Filters
from pagekin.serve.service import Pool
from pagekin.strategy import presets
from tests.archives import members, page

PAGES = 4000
TIMER = 0.3


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], pa.RecordBatch]:
    """A question that takes minutes: all pages are compared with all."""
    folder = tmp_path_factory.mktemp("many")
    pages = (page(f"n{number}", "words that all have" * 20) for number in range(PAGES))
    (folder / "many.warc.gz").write_bytes(members(*pages))
    pagekin.build(folder / "many.warc.gz", folder / "index", strategy=presets()["content"])
    searcher = pagekin.Index(folder / "index").reader.searcher
    options = Filters(k=1, exact=True, copy_score=1).options(ExclusionLists())
    rows = searcher.rows()[0]

    def asked() -> pa.RecordBatch:
        none = _core.Exclusions(site=False, linked=False, language=False)
        return searcher.answers(0, 0, rows, options, none)

    return asked


def test_cancelled_question_ends(ask: Callable[[], pa.RecordBatch]) -> None:
    cancellation = _core.Cancellation()
    timer = threading.Timer(TIMER, cancellation.cancel)
    timer.start()
    with pytest.raises(_core.Interrupted), cancellation:
        ask()
    timer.join()


def test_question_that_was_cancelled_before_does_not_begin(
    ask: Callable[[], pa.RecordBatch],
) -> None:
    cancellation = _core.Cancellation()
    cancellation.cancel()
    with pytest.raises(_core.Interrupted), cancellation:
        ask()


@pytest.fixture
def interrupted() -> Iterator[None]:
    """A signal whose handler raises what Ctrl-C raises."""

    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, TIMER)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("interrupted")
def test_signal_ends_a_question(ask: Callable[[], pa.RecordBatch]) -> None:
    with pytest.raises(KeyboardInterrupt):
        ask()


def test_timed_out_question_frees_its_thread(ask: Callable[[], pa.RecordBatch]) -> None:
    async def asked() -> str:
        pool = Pool(threads=1, waiting=1, seconds=10 * TIMER)
        with pytest.raises(Refused):
            await pool.run(ask)
        return await pool.run(lambda: "the thread is free")

    assert asyncio.run(asked()) == "the thread is free"
