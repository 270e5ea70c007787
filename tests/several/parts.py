"""The sample crawl as one index, and in parts that were built with its model."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pagekin
from pagekin.sample.pack import write_sample
from pagekin.strategy import Strategy
from tests.crawls import read_warc, spread

PARTS = 10


@dataclass(frozen=True)
class Cut:
    """An index of all captures, and indexes of a tenth each."""

    whole: Path
    parts: list[Path]
    files: list[Path]

    @property
    def one(self) -> pagekin.Index:
        return pagekin.open(self.whole)

    @property
    def several(self) -> pagekin.Index:
        return pagekin.open(self.parts)


def cut(folder: Path, strategy: Strategy | None = None) -> Cut:
    """The sample, cut page by page, so that most links lead from one part to another."""
    write_sample(folder / "sample.warc.gz")
    files = spread(folder, [*read_warc(folder / "sample.warc.gz")], PARTS)
    pagekin.build(files, folder / "whole", strategy=strategy)
    parts = [folder / f"part-{number}" for number in range(PARTS)]
    for file, part in zip(files, parts, strict=True):
        pagekin.build(file, part, model=folder / "whole")
    return Cut(folder / "whole", parts, files)


def plain(answer: Any) -> dict[str, Any]:
    """An answer without the time it took."""
    values = asdict(answer)
    del values["took_ms"]
    return values
