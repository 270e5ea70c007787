"""The experiment of the paper on cohesive arcs, section 4: CAM against cosine on random graphs.

    python -m bench.questions.cohesive_arcs    tables on standard output, the figure in bench/out

Graphs of 100, 200 and 500 vertices, each arc there or not by a coin, no loops. A vertex carries
each of two or three keywords with a chance of a half, with a tf-idf between 0 and 1. Seeded.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.measure import OUT
from pagekin.arrays import Numbers
from pagekin.pairs.graph import cohesive, cosine

ALPHA = 0.6
SIZES = (100, 200, 500)
KEYWORDS = (2, 3)
TOP = 10
PARTS = 20
"""Number of parts of the arcs in the figure, heaviest first."""
TABLE_1 = [
    ((0.9, 0.9), (0.9, 0.9)),
    ((0.9, 0), (0, 0.9)),
    ((0.9, 0.9), (0, 0.9)),
    ((0.7, 0), (0, 0.9)),
    ((0, 0.9), (0.9, 0)),
    ((0.7, 0), (0, 0.7)),
    ((0.5, 0), (0, 0.9)),
    ((0.9, 0.9), (0.7, 0)),
    ((0.5, 0), (0, 0.7)),
]
KINDS = (
    "all keywords, shared out in order",
    "all keywords, shared out against it",
    "all keywords, some on both pages",
    "not all keywords",
)
COLOURS = ("#1b6ca8", "#7fb3d5", "#9aa0a6", "#e0e0e0")


@dataclass(frozen=True, slots=True)
class Graph:
    """Vertices with features, and arcs between them."""

    vertices: Numbers
    source: Numbers
    target: Numbers

    @property
    def cam(self) -> Numbers:
        """The cohesive arc measure of every arc."""
        return cohesive(self.vertices[self.source], self.vertices[self.target], ALPHA)

    @property
    def cosine(self) -> Numbers:
        """The cosine of the two ends of every arc."""
        return cosine(self.vertices[self.source], self.vertices[self.target])

    @property
    def kinds(self) -> Numbers:
        """Of every arc, which of `KINDS` it is."""
        one, other = self.vertices[self.source] > 0, self.vertices[self.target] > 0
        shared_out = (one ^ other).all(axis=1) & one.any(axis=1) & other.any(axis=1)
        # Of keywords that are shared out, those of the first page are a prefix of the query.
        forward = shared_out & (np.diff(one.astype(int), axis=1) <= 0).all(axis=1)
        every = (one | other).all(axis=1)
        return np.select([forward, shared_out, every], [0, 1, 2], 3)


def random_graph(size: int, seed: int, keywords: int = 2) -> Graph:
    """A graph as the paper draws them."""
    random = np.random.default_rng(seed)
    shape = (size, keywords)
    vertices = random.random(shape) * (random.random(shape) < 0.5)
    adjacent = random.random((size, size)) < 0.5
    np.fill_diagonal(adjacent, False)
    return Graph(vertices, *np.nonzero(adjacent))


def main() -> int:
    """Print the tables, draw the figure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=4, help="default: %(default)s")
    seed = parser.parse_args().seed
    graphs = {size: random_graph(size, seed) for size in SIZES}
    print("\n".join([*table_1(), "", *figure_3()]))
    for graph in graphs.values():
        print("\n".join(["", *top_pairs(graph)]))
    for keywords in KEYWORDS:
        drawn = {size: random_graph(size, seed, keywords) for size in SIZES}
        print("\n".join(["", f"{keywords} keywords", "", *kinds_at_the_top(drawn)]))
    OUT.mkdir(exist_ok=True)
    draw(graphs[100], OUT / "cohesive_arcs.svg")
    print(f"\nfigure 4: {OUT.name}/cohesive_arcs.svg")
    return 0


def table_1() -> Iterator[str]:
    """The paper's table 1, by the formula."""
    yield from ("Table 1", "", "| f(a) | f(b) | weight |", "|---|---|---|")
    for source, target in TABLE_1:
        weight = cohesive(np.array([source]), np.array([target]), ALPHA)[0]
        yield f"| {source} | {target} | {round(float(weight), 12):g} |"


def figure_3() -> Iterator[str]:
    """The weight of every arc between the four Boolean vertices."""
    pages = [(1, 1), (1, 0), (0, 1), (0, 0)]
    yield from ("Figure 3: from the row to the column", "")
    yield from ("| | " + " | ".join(map(str, pages)) + " |", "|---" * 5 + "|")
    for source in pages:
        weights = cohesive(np.array([source] * 4), np.array(pages), ALPHA)
        yield f"| {source} | " + " | ".join(f"{weight:g}" for weight in weights) + " |"


def top_pairs(graph: Graph) -> Iterator[str]:
    """The paper's tables 2 and 3: the best pairs by both measures, with their features."""
    yield from (f"Tables 2 and 3: the best pairs of {len(graph.vertices)} vertices", "")
    yield from ("| CAM | features | weight | cosine | features |", "|---|---|---|---|---|")
    cam, angle = graph.cam, graph.cosine
    best = zip(_best(cam)[:TOP], _best(angle)[:TOP], strict=True)
    for one, other in best:
        yield (
            f"| {_pair(graph, one)} | {_features(graph, one)} | {cam[one]:.3f} "
            f"| {_pair(graph, other)} | {_features(graph, other)} |"
        )


def _best(weights: Numbers) -> Numbers:
    return np.argsort(-weights, kind="stable")


def _pair(graph: Graph, arc: int) -> str:
    return f"({graph.source[arc]}, {graph.target[arc]})"


def _features(graph: Graph, arc: int) -> str:
    ends = graph.vertices[[graph.source[arc], graph.target[arc]]]
    return ", ".join("({:.2f}, {:.2f})".format(*end) for end in ends)


def kinds_at_the_top(graphs: dict[int, Graph]) -> Iterator[str]:
    """What kinds of pairs are among the heaviest twentieth of all arcs."""
    yield from ("Kinds of pairs among the heaviest twentieth of arcs, and among all", "")
    yield from ("| vertices | measure | " + " | ".join(KINDS) + " |", "|---" * 6 + "|")
    for size, graph in graphs.items():
        for name, order in (("CAM", _best(graph.cam)), ("cosine", _best(graph.cosine))):
            yield f"| {size} | {name} | {_shares(graph.kinds[order[: len(order) // PARTS]])} |"
        yield f"| {size} | all arcs | {_shares(graph.kinds)} |"


def _shares(kinds: Numbers) -> str:
    return " | ".join(f"{share:.0%}" for share in np.bincount(kinds, minlength=4) / len(kinds))


def draw(graph: Graph, path: Path) -> None:
    """The paper's figure 4: kinds of pairs from the heaviest arcs to the lightest."""
    shapes = [*_bars(graph.kinds[_best(graph.cam)], 40, "CAM")]
    shapes += _bars(graph.kinds[_best(graph.cosine)], 300, "cosine")
    for place, (kind, colour) in enumerate(zip(KINDS, COLOURS, strict=True)):
        top = 560 + 22 * place
        shapes.append(f'<rect x="40" y="{top}" width="14" height="14" fill="{colour}"/>')
        shapes.append(f'<text x="62" y="{top + 12}">{kind}</text>')
    size = 'width="680" height="660" font-family="sans-serif" font-size="13"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    path.write_text("\n".join([head, *shapes, "</svg>", ""]), encoding="utf-8")


def _bars(kinds: Numbers, top: int, name: str) -> Iterator[str]:
    """A bar for each part of the arcs, the heaviest at the left."""
    yield f'<text x="40" y="{top - 8}">{name}: arcs from the heaviest to the lightest</text>'
    for place, part in enumerate(np.array_split(kinds, PARTS)):
        y = float(top)
        for share, colour in zip(np.bincount(part, minlength=4) / len(part), COLOURS, strict=True):
            height = 200 * share
            x = 40 + 30 * place
            yield (f'<rect x="{x}" y="{y:.1f}" width="26" height="{height:.1f}" fill="{colour}"/>')
            y += height


if __name__ == "__main__":
    sys.exit(main())
