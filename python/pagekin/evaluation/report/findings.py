"""The paper's findings, held against this crawl.

A finding says that one strategy beats another. It holds if the interval of the difference, over
resamples of the classes that are the same for both, lies above 0; it fails if the interval lies
below; otherwise this directory cannot tell.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pagekin.evaluation.measures import Measure
from pagekin.evaluation.report import figures as of
from pagekin.evaluation.sweep import Contender, Result, difference
from pagekin.strategy import Kinds, Window

__all__ = ["Claim", "Finding", "claims", "findings"]

Verdict = Literal["holds", "does not hold", "cannot tell"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the paper: the one is better than the other."""

    sentence: str
    better: Contender
    worse: Contender


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim and the difference found, with its interval."""

    claim: Claim
    difference: float
    low: float
    high: float

    @property
    def verdict(self) -> Verdict:
        """What to make of it."""
        if self.low > 0:
            return "holds"
        return "does not hold" if self.high < 0 else "cannot tell"


def claims() -> Iterator[Claim]:
    """Everything that the paper says of its figures 3 to 9."""
    yield from _windows()
    yield from _weights()
    yield from _kinds()
    near = Window()
    stem = of.anchor(near, "nmdf", "stem")
    stopstem = of.anchor(near, "nmdf", "stopstem")
    nostem = of.anchor(near, "nmdf", "nostem")
    yield Claim("stopping by stem beats not stemming", stopstem, nostem)
    yield Claim("stemming beats stopping by stem", stem, stopstem)


def _windows() -> Iterator[Claim]:
    even = Window(distance=False)
    sizes = [of.anchor(replace(even, size=size)) for size in of.SIZES]
    for at in range(1, len(sizes)):
        yield Claim(
            f"windows of {of.SIZES[at]} words beat windows of {of.SIZES[at - 1]}",
            sizes[at],
            sizes[at - 1],
        )
    yield Claim("windows of 32 words beat windows of 0", sizes[-1], sizes[0])
    topical = of.anchor(replace(even, kind="topical"))
    syntactic = of.anchor(replace(even, kind="syntactic"))
    yield Claim("topical windows beat syntactic ones", topical, syntactic)
    yield Claim("windows of 32 words beat topical ones", sizes[-1], topical)


def _weights() -> Iterator[Claim]:
    near, even = Window(), Window(distance=False)
    yield Claim("distance weights help", of.anchor(near), of.anchor(even))
    yield Claim("distance weights help NMDF", of.anchor(near, "nmdf"), of.anchor(even, "nmdf"))
    nmdf = of.anchor(near, "nmdf")
    yield Claim("NMDF beats no frequency weight", nmdf, of.anchor(near, "none"))
    yield Claim("NMDF beats log", nmdf, of.anchor(near, "log"))
    yield Claim("NMDF beats sqrt", nmdf, of.anchor(near, "sqrt"))


def _kinds() -> Iterator[Claim]:
    both = of.hybrid(Kinds(), "nmdf")
    anchors = of.hybrid(Kinds(content=0), "nmdf")
    yield Claim("content + anchors beats anchors", both, anchors)
    yield Claim("content + anchors beats content", both, of.content("nmdf"))
    all_three = of.hybrid(Kinds(link=1), "nmdf")
    yield Claim("adding links lowers content + anchors", both, all_three)
    worst = of.links()
    yield Claim("links are worse than content", of.content(), worst)
    yield Claim("links are worse than windows of 32", of.anchor(Window(distance=False)), worst)
    smallest = of.anchor(Window(size=0, distance=False))
    yield Claim("links are worse than anchor text alone", smallest, worst)


def findings(known: Mapping[str, Result], measure: Measure) -> list[Finding]:
    """What there is to say of the claims whose strategies are both in the grid."""
    found = []
    for claim in claims():
        better, worse = known.get(claim.better.key), known.get(claim.worse.key)
        if better is not None and worse is not None:
            found.append(Finding(claim, *difference(better, worse, measure)))
    return found
