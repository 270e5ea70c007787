"""The results as Markdown: who wins where, where the default loses, then a table for each crawl."""

from collections.abc import Iterator, Mapping, Sequence

from bench.quality.judge import GroupedRatio, Judged
from bench.quality.rivals import RIVALS, WITHOUT
from bench.quality.runs import Cost, installed_version
from pagekin.strategy import DEFAULT

__all__ = ["TOLD", "Board", "in_short", "markdown", "told"]

Board = Mapping[str, Mapping[str, Judged]]
"""What was judged, by crawl and system."""
MISSING = "-"
QUOTED = ("tf-idf", "BM25", "LSA 50", "LSA 200", "MiniLM", "model2vec")
"""The rivals that README shows."""
TOLD = {
    "sibling Γ": "sibling Γ",
    "P@10": "precision of the first ten",
    "R@10": 'recall of "See also" in the first ten',
    "links R@10": "recall of links held out",
    "sentence RR@10": "a sentence finds its page (reciprocal rank)",
}
"""The measures that README shows, in plain words."""


def markdown(board: Board, cost: Cost) -> str:
    """All tables."""
    crawls = [_crawl_table(name, judged) for name, judged in board.items()]
    return "\n\n".join([_about(cost), _summary(board, _others(board)), _losses(board), *crawls])


def in_short(board: Board) -> str:
    """The tables of README: some measures, and the wins and losses against other tools."""
    shown = [name for name in QUOTED if name in _others(board)]
    rows = [
        [f"{crawl}: {words}", *(_value(judged.get(name), measure) for name in (DEFAULT, *shown))]
        for crawl, judged in board.items()
        for measure, words in TOLD.items()
        if measure in judged[DEFAULT].measures
    ]
    values = _table(["crawl and measure", "pagekin", *shown], rows)
    return "\n\n".join([values, _summary(board, shown), _losses_in_words(board, shown)])


def _about(cost: Cost) -> str:
    versions = ", ".join(
        f"{name} {installed_version(name)}" for name in ("pagekin", "scikit-learn", "tantivy")
    )
    return f"{versions}. Judged by two processes in {told(cost)} (target: 900 s by the clock)."


def told(cost: Cost) -> str:
    """What a run took, in words."""
    starts = "in one go" if cost.starts == 1 else f"in {cost.starts} starts"
    return f"{cost.seconds:.0f} s by the clock, {cost.core_seconds:.0f} s on the cores, {starts}"


def _others(board: Board) -> list[str]:
    return [*dict.fromkeys(name for judged in board.values() for name in judged if name != DEFAULT)]


def _summary(board: Board, systems: Sequence[str]) -> str:
    """How often the default is better than, not told apart from, and worse than each system."""
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


def _losses(board: Board) -> str:
    """Whom the default loses to, measure by measure."""
    rows = [
        [crawl, measure, f"{judged[DEFAULT].measures[measure].value:.3f}", *cells]
        for crawl, judged in board.items()
        for measure in judged[DEFAULT].measures
        if any(cells := _winners(judged, measure))
    ]
    heads = ["crawl", "measure", f"`{DEFAULT}`", "other tools that are better", "own presets"]
    return f"Where `{DEFAULT}` loses:\n\n{_table(heads, rows)}"


def _winners(judged: Mapping[str, Judged], measure: str) -> tuple[str, str]:
    """The other tools, and the presets, that are better than the default, the best first."""
    found = [*_better(judged, measure)]
    rivals = [f"{name} {value:.3f}" for name, value in found if name in RIVALS]
    presets = [f"{name} {value:.3f}" for name, value in found if name not in RIVALS]
    return ", ".join(rivals), ", ".join(presets)


def _better(judged: Mapping[str, Judged], measure: str) -> Iterator[tuple[str, float]]:
    default = judged[DEFAULT].measures[measure]
    values = {name: found.measures.get(measure) for name, found in judged.items()}
    better = {
        name: ratio.value
        for name, ratio in values.items()
        if ratio is not None and ratio.gain_interval(default)[0] > 0
    }
    yield from sorted(better.items(), key=lambda found: -found[1])


def _losses_in_words(board: Board, systems: Sequence[str]) -> str:
    """A sentence on the losses to these systems, with and without templates."""
    known = {*systems, *(f"{name}, {WITHOUT}" for name in systems)}
    told = []
    for crawl, judged in board.items():
        for measure, ratio in judged[DEFAULT].measures.items():
            better = [found for found in _better(judged, measure) if found[0] in known]
            if better:
                name, value = better[0]
                told.append(f"{crawl}, {measure}: {ratio.value:.2f}, {name} {value:.2f}")
    if not told:
        return "It loses to none of these tools by any measure."
    return f"It loses to these tools, with or without templates in their texts: {'; '.join(told)}."


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


def _value(judged: Judged | None, measure: str) -> str:
    found = judged.measures.get(measure) if judged else None
    return f"{found.value:.2f}" if found else MISSING


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
