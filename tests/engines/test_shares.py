"""Sources shared by several tasks: each record is read and counted once."""

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pagekin import _core
from pagekin.crawl.feed import NamedSource
from pagekin.sample.pack import write_sample
from pagekin.strategy import Strategy
from pagekin.work.partitions import FilePart
from pagekin.work.settings import Limits

ExtractSummary = tuple[_core.ExtractSummary, int]


class Share(NamedTuple):
    """Every Nth record from a place on."""

    place: int
    of: int


def extracted(paths: list[Path], folder: Path, share: Share) -> ExtractSummary:
    """The result of a share of the files, and the number of bytes counted."""
    folder.mkdir()
    queue = _core.Queue([NamedSource(str(path)) for path in paths], 0, share)
    strategy = _core.Strategy(Strategy().to_core())
    return _core.extract(queue, strategy, folder, 0, 1 << 20, Limits()), queue.bytes


def urls(extract: _core.ExtractSummary) -> list[Any]:
    """The ids of the pages that have captures in the runs of one partition."""
    parts = [FilePart(run.place, 0, run.ends[-1]) for run in extract.runs]
    core = _core.Strategy(Strategy().to_core())
    folder = Path(str(extract.runs[0].place)).parent
    merger = _core.Merger(
        _core.SupersededCaptures(), _core.Templates([]), _core.Aliases([]), core, 0
    )
    found = merger.merge(parts, folder / "raw", folder / "counts")
    crawled = found.pages.filter(found.pages.column("crawled"))
    return [*crawled.column("id").to_numpy()]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A sound archive, a damaged one, a file that is not an archive, and a missing one."""
    write_sample(tmp_path / "sample.warc.gz")
    content = bytearray((tmp_path / "sample.warc.gz").read_bytes())
    content[5000:5100] = bytes(100)
    (tmp_path / "damaged.warc.gz").write_bytes(content[:-300])
    (tmp_path / "garbage.warc.gz").write_bytes(b"no archive")
    names = ("sample", "damaged", "garbage", "missing")
    return [tmp_path / f"{name}.warc.gz" for name in names]


@pytest.mark.parametrize("shares", [1, 2, 3, 7])
def test_counts_of_shares_sum_to_the_whole(shares: int, files: list[Path], tmp_path: Path) -> None:
    whole, size = extracted(files, tmp_path / "whole", Share(0, 1))
    parts = [extracted(files, tmp_path / str(at), Share(at, shares)) for at in range(shares)]
    for name in ("captures", "pages", "trees", "too_deep", "truncated", "links_left_out"):
        assert sum(getattr(part, name) for part, _ in parts) == getattr(whole, name), name
    assert whole.captures > 150
    skips: Counter[str] = Counter()
    for part, _ in parts:
        skips.update(part.skips)
    assert skips == Counter(whole.skips)
    assert skips["damaged"] > 0
    assert [failure for part, _ in parts for failure in part.failures] == whole.failures
    assert len(whole.failures) == 2
    assert [bytes_ for _, bytes_ in parts] == [size, *[0] * (shares - 1)]


def test_every_page_is_in_one_share(files: list[Path], tmp_path: Path) -> None:
    whole = urls(extracted(files[:1], tmp_path / "whole", Share(0, 1))[0])
    parts = [urls(extracted(files[:1], tmp_path / str(at), Share(at, 3))[0]) for at in range(3)]
    assert sorted(id_ for part in parts for id_ in part) == whole
    assert min(len(part) for part in parts) > 30


def test_invalid_share_is_rejected() -> None:
    for share in (Share(1, 1), Share(0, 0)):
        with pytest.raises(ValueError, match="share"):
            _core.Queue([], 0, share)
