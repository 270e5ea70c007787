"""The fit of a strategy to a crawl: weights of kinds by traits that need no judgements.

`[fit]` says whether a build may choose. What it chooses is a strategy as well, by which bags are
weighted; an index stores both. Only additions, products, quotients and comparisons, so that every
machine chooses the same. Decision 10 has the measurements.
"""

from dataclasses import dataclass, replace

from pagekin.strategy import checks
from pagekin.strategy.kinds import Kinds, Topic

__all__ = ["CrawlTraits", "Fit"]

SITES = 3.0
"""From this number of sites on, a crawl is a broad one."""
OF_TOPICS = 5.0
"""What topics weigh in a broad crawl, as a multiple of their weight with one site."""
OF_LINKS = 3.0
"""The same for linking pages, in what topics are learnt from."""
BOUNDS = (0.001, 1000.0)


@dataclass(frozen=True, slots=True)
class CrawlTraits:
    """The properties of a crawl's sample.

    `sites` is how many sites of equal size would be as varied: the inverse of Simpson's index
    (1949), the chance that two pages are of one site. `components` is the share of the wanted
    components that were found.
    """

    sites: float
    components: float = 1.0

    @property
    def breadth(self) -> float:
        """0 for one site, 1 for many."""
        return min((self.sites - 1) / (SITES - 1), 1.0)


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a build fits weights to the crawl: of concepts and topics in bags, and of linking
    pages in topics.

    What was learnt from few pages says little, so concepts and topics are multiplied by the share
    of components that were found.
    """

    weights: bool = False

    def __post_init__(self) -> None:
        checks.flag("fit.weights", self.weights)

    def kinds(self, given: Kinds, traits: CrawlTraits) -> Kinds:
        """The weights of kinds for a crawl with these traits."""
        if not self.weights:
            return given
        breadth, components = traits.breadth, traits.components
        return replace(
            given,
            concept=_weight(given.concept, components),
            topic=_weight(given.topic, (1 + (OF_TOPICS - 1) * breadth) * components),
        )

    def topic(self, given: Topic, traits: CrawlTraits) -> Topic:
        """How topics of such a crawl are learnt."""
        if not self.weights:
            return given
        return replace(given, link=_weight(given.link, 1 + (OF_LINKS - 1) * traits.breadth))


def _weight(given: float, factor: float) -> float:
    """A weight times a factor, within bounds and in few digits, because people read it; a kind that
    is not used stays so."""
    lowest, highest = BOUNDS
    return round(min(max(given * factor, lowest), highest), 3) if given else 0.0
