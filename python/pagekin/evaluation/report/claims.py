"""The paper's claims, and a verdict on each by the results of a sweep.

Most say that one strategy beats another. Such a claim holds if the interval of the difference, over
resamples of the classes that are the same for both, lies above 0; it fails if the interval lies
below; otherwise this directory cannot tell. A claim that two are about equal holds if the interval
lies within a margin, and fails if it lies outside. What is not about two strategies is in
`statements`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pagekin.evaluation.measures import Measure
from pagekin.evaluation.report.figures import SIZES, anchor, cocitation, content, hybrid, links
from pagekin.evaluation.selection import Contender, Result, difference
from pagekin.strategy import Kinds, Window

__all__ = ["Claim", "JudgedClaim", "Verdict", "claims", "findings", "orthogonality_claims"]

MARGIN = 0.05
"""Two strategies whose Γ differ by less are about equal."""
Verdict = Literal["holds", "does not hold", "cannot tell"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the paper: the one is better than the other, or about equal to it."""

    sentence: str
    better: Contender
    worse: Contender
    equal: bool = False


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim and the difference found, with its interval."""

    claim: Claim
    difference: float
    low: float
    high: float

    @property
    def verdict(self) -> Verdict:
        """What to make of it."""
        if self.claim.equal:
            return self._equality
        if self.low > 0:
            return "holds"
        return "does not hold" if self.high < 0 else "cannot tell"

    @property
    def _equality(self) -> Verdict:
        if self.low > -MARGIN and self.high < MARGIN:
            return "holds"
        outside = self.low > MARGIN or self.high < -MARGIN
        return "does not hold" if outside else "cannot tell"


def claims() -> Iterator[Claim]:
    """The claims of the paper about its figures 3 to 9."""
    yield from _windows()
    yield from _weights()
    yield from _kinds()
    near = Window()
    stem = anchor(near, "nmdf", "stem")
    stopstem = anchor(near, "nmdf", "stopstem")
    nostem = anchor(near, "nmdf", "nostem")
    yield Claim("stopping by stem beats not stemming", stopstem, nostem)
    yield Claim("stemming beats stopping by stem", stem, stopstem)
    yield Claim("stemming beats not stemming", stem, nostem)
    yield Claim(
        "cosine is about as good as Jaccard", replace(stem, similarity="cosine"), stem, True
    )
    yield Claim("co-citation is about as good as links", cocitation(), links(), True)


def _windows() -> Iterator[Claim]:
    even = Window(distance=False)
    sizes = [anchor(replace(even, size=size)) for size in SIZES]
    for at in range(1, len(sizes)):
        yield Claim(
            f"windows of {SIZES[at]} words beat windows of {SIZES[at - 1]}",
            sizes[at],
            sizes[at - 1],
        )
    yield Claim("windows of 32 words beat windows of 0", sizes[-1], sizes[0])
    topical = anchor(replace(even, kind="topical"))
    syntactic = anchor(replace(even, kind="syntactic"))
    yield Claim("topical windows beat syntactic ones", topical, syntactic)
    yield Claim("windows of 32 words beat topical ones", sizes[-1], topical)
    yield Claim("windows of 32 words beat content", sizes[-1], content())
    of_size = dict(zip(SIZES, sizes, strict=True))
    yield Claim("syntactic windows are about as good as 4 words", syntactic, of_size[4], True)
    yield Claim("topical windows are about as good as 16 words", topical, of_size[16], True)


def _weights() -> Iterator[Claim]:
    near, even = Window(), Window(distance=False)
    yield Claim("distance weights help", anchor(near), anchor(even))
    yield Claim("distance weights help NMDF", anchor(near, "nmdf"), anchor(even, "nmdf"))
    nmdf = anchor(near, "nmdf")
    yield Claim("NMDF beats no frequency weight", nmdf, anchor(near, "none"))
    yield Claim("NMDF beats log", nmdf, anchor(near, "log"))
    sqrt = anchor(near, "sqrt")
    yield Claim("NMDF beats sqrt", nmdf, sqrt)
    yield Claim("of monotonic weights, sqrt beats log", sqrt, anchor(near, "log"))
    yield Claim("of monotonic weights, sqrt beats none", sqrt, anchor(near, "none"))


def _kinds() -> Iterator[Claim]:
    both = hybrid(Kinds(), "nmdf")
    anchors = hybrid(Kinds(content=0), "nmdf")
    yield Claim("content + anchors beats anchors", both, anchors)
    yield Claim("content + anchors beats content", both, content("nmdf"))
    all_three = hybrid(Kinds(link=1), "nmdf")
    yield Claim("adding links lowers content + anchors", both, all_three)
    yield Claim("adding links lowers anchors", anchors, hybrid(Kinds(content=0, link=1), "nmdf"))
    with_links = hybrid(Kinds(anchor=0, link=1), "nmdf")
    yield Claim("adding links lowers content", content("nmdf"), with_links)
    worst = links()
    yield Claim("links are worse than content", content(), worst)
    yield Claim("links are worse than windows of 32", anchor(Window(distance=False)), worst)
    smallest = anchor(Window(size=0, distance=False))
    yield Claim("links are worse than anchor text alone", smallest, worst)


def orthogonality_claims() -> Iterator[Claim]:
    """The claims of the paper about its figure 4; the better strategy leaves fewer pairs of a class
    without a common term."""
    even = Window(distance=False)
    sizes = [anchor(replace(even, size=size)) for size in SIZES]
    for at in range(1, len(sizes)):
        yield Claim(
            f"windows of {SIZES[at]} words leave fewer pairs orthogonal than {SIZES[at - 1]}",
            sizes[at],
            sizes[at - 1],
        )
    yield Claim("windows of 32 words leave fewer pairs orthogonal than links", sizes[-1], links())
    largest = "windows of 32 words leave fewer pairs orthogonal than content"
    yield Claim(largest, sizes[-1], content())
    syntactic, topical = (anchor(replace(even, kind=kind)) for kind in ("syntactic", "topical"))
    of_size = dict(zip(SIZES, sizes, strict=True))
    yield Claim("syntactic windows leave about as many as 4 words", syntactic, of_size[4], True)
    yield Claim("topical windows leave about as many as 16 words", topical, of_size[16], True)


def findings(
    results: Mapping[str, Result], measure: Measure, about: Iterable[Claim] | None = None
) -> list[JudgedClaim]:
    """The findings for the claims whose strategies are both in the grid."""
    sign = -1 if measure.less_is_better else 1
    found = []
    for claim in claims() if about is None else about:
        better, worse = results.get(claim.better.key), results.get(claim.worse.key)
        if better is not None and worse is not None:
            value, *interval = difference(better, worse, measure)
            low, high = sorted(sign * end for end in interval)
            found.append(JudgedClaim(claim, sign * value, low, high))
    return found
