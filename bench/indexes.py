"""Indexes that benchmarks build once and keep in bench/out."""

from pathlib import Path

import pagekin
from bench.measure import OUT
from pagekin.errors import IndexFault
from pagekin.strategy import DEFAULT, Strategy, presets

__all__ = ["kept_index", "strategy_of"]


def kept_index(archive: Path, strategy: Strategy | None = None) -> Path:
    """The index of an archive, built unless one is there that can be opened and is of this
    strategy, by default the one that a build uses."""
    wanted = strategy or presets()[DEFAULT]
    path = OUT / f"{archive.name}.index"
    if strategy_of(path) != wanted:
        OUT.mkdir(exist_ok=True)
        summary = pagekin.build(archive, path, strategy=wanted)
        total = sum(summary.seconds.values())
        parts = ", ".join(f"{name} {each / total:.0%}" for name, each in summary.seconds.items())
        print(f"{archive.name}: built in {total:.1f} s ({parts})")
    return path


def strategy_of(path: Path) -> Strategy | None:
    """What an index was built with; nothing if there is none, or one of another format."""
    try:
        return pagekin.open(path).strategy
    except IndexFault:
        return None
