"""The results as Markdown: who wins where, then a table for each crawl."""

from collections.abc import Mapping
from importlib.metadata import version

from bench.quality.judge import GroupedRatio, Judged
from pagekin.strategy import DEFAULT

__all__ = ["Board", "markdown"]

Board = Mapping[str, Mapping[str, Judged]]
"""What was judged, by crawl and system."""
MISSING = "-"


def markdown(board: Board) -> str:
    """All tables."""
    crawls = [_crawl_table(name, judged) for name, judged in board.items()]
    return "\n\n".join([_versions(), _summary(board), *crawls])


def _versions() -> str:
    return ", ".join(f"{name} {version(name)}" for name in ("pagekin", "scikit-learn", "tantivy"))


def _summary(board: Board) -> str:
    """How often the default is better than, not told apart from, and worse than each system."""
    systems = dict.fromkeys(name for judged in board.values() for name in judged if name != DEFAULT)
    rows = [
        [name, *(_outcomes(judged.get(name), judged[DEFAULT]) for judged in board.values())]
        for name in systems
    ]
    head = f"Measures by which `{DEFAULT}` wins / cannot be told apart / loses:"
    return f"{head}\n\n{_table(['against', *board], rows)}"


def _outcomes(judged: Judged | None, default: Judged) -> str:
    if judged is None:
        return MISSING
    intervals = [
        ratio.gain_interval(default.measures[name]) for name, ratio in judged.measures.items()
    ]
    wins = sum(high < 0 for _, high in intervals)
    losses = sum(low > 0 for low, _ in intervals)
    return f"{wins} / {len(intervals) - wins - losses} / {losses}"


def _crawl_table(crawl: str, judged: Mapping[str, Judged]) -> str:
    default = judged[DEFAULT].measures
    rows = [
        [
            name,
            f"{found.milliseconds:.2f}",
            *(
                _cell(found.measures.get(measure), default[measure], is_default=name == DEFAULT)
                for measure in default
            ),
        ]
        for name, found in judged.items()
    ]
    return f"### {crawl}\n\n{_table(['', 'ms per page', *default], rows)}"


def _cell(ratio: GroupedRatio | None, default: GroupedRatio, *, is_default: bool) -> str:
    if ratio is None:
        return MISSING
    if is_default:
        return f"{ratio.value:.3f}"
    low, high = ratio.gain_interval(default)
    return f"{ratio.value:.3f} ({low:+.2f} to {high:+.2f})"


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
