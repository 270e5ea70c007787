"""What skew does to a crawl of the web's size: popular targets, long lists, large hosts.

    python -m bench.build.skew [--pages 3e9] [--parts 65536] [--seed 1]

Nothing of the size of the crawl is made. In-degrees, lengths of lists and sizes of hosts follow
Zipf's law: the heaviest `HEAD` are laid out one by one, each to the part that its hash says, and
the tail is even, because a part has very many of them (its spread is that of a Poisson variable).
Printed is what the heaviest task of each step has to do, beside the mean.
"""

import argparse
from dataclasses import dataclass

import numpy as np

HEAD = 5_000_000
"""Number of the heaviest that are placed one by one."""
LINK_BYTES = 32
"""A link in a join: source, target and the sites of both."""
WINDOW_BYTES = 400
"""What a merging task holds of one link at its peak."""
KEY_BYTES = 25
"""A row of the join: key, rest, place, whether it is listed."""
SITE_BYTES = 26 * 150
"""What a task holds of one page of a site and 25 links within it."""
MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Law:
    """`count` things whose sizes fall as rank to the power of -exponent and sum to `total`."""

    name: str
    count: float
    total: float
    exponent: float
    most: float

    def head(self) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        """The sizes of the heaviest."""
        ranks = np.arange(1, min(HEAD, int(self.count)) + 1, dtype=np.float64)
        sizes = ranks**-self.exponent
        return np.minimum(sizes * self.total / _harmonic(self.count, self.exponent), self.most)


def _harmonic(count: float, exponent: float) -> float:
    """The sum of rank^-exponent over all ranks, the far ones as an integral."""
    known = np.arange(1, min(count, 1e6) + 1)
    near = float((known**-exponent).sum())
    start = float(known[-1])
    if exponent == 1:
        return near + float(np.log(count / start))
    rest: float = (count ** (1 - exponent) - start ** (1 - exponent)) / (1 - exponent)
    return near + rest


def heaviest(law: Law, parts: int, seed: int) -> tuple[float, float, float]:
    """The mean weight of a part, that of the heaviest part, and the largest single thing."""
    head = law.head()
    places = np.random.default_rng(seed).integers(0, parts, len(head))
    loads = np.bincount(places, head, parts)
    tail = max(law.total - float(head.sum()), 0.0) / parts
    # Five standard deviations of a tail of things of the size of the last one of the head.
    spread = 5 * np.sqrt(tail * float(head[-1]))
    return law.total / parts, float(loads.max()) + tail + float(spread), float(head[0])


def laws(pages: float) -> list[tuple[Law, float, str]]:
    """What is skewed, the bytes of one of it, and the step that feels it."""
    urls = pages * 5 / 3
    links, most = pages * 40, pages / 3
    hosts = pages / 30
    return [
        (Law("inlinks of a target", urls, links, 1.0, most), WINDOW_BYTES, "merge"),
        (Law("links to a target", urls, links, 1.0, most), LINK_BYTES, "links, ranks"),
        (Law("pages of a value", pages, pages, 0.9, pages / 100), KEY_BYTES, "join of precompute"),
        (Law("pages of a host", hosts, pages, 0.9, pages / 100), SITE_BYTES, "site graphs"),
    ]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=float, default=3e9)
    parser.add_argument("--parts", type=int, default=1 << 16)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{options.pages:,.0f} pages in {options.parts:,} parts")
    print(
        f"{'what':22} {'step':20} {'largest':>14} {'mean part':>12} {'heaviest':>12} {'ratio':>6}"
    )
    for law, size, step in laws(options.pages):
        mean, most, largest = heaviest(law, options.parts, options.seed)
        row = f"{largest:14,.0f} {mean * size / MIB:8,.0f} MiB {most * size / MIB:8,.0f} MiB"
        print(f"{law.name:22} {step:20} {row} {most / mean:6.1f}")


if __name__ == "__main__":
    main()
