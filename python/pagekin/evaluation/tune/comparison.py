"""One strategy against another on the same classes, over the same resamples."""

from dataclasses import dataclass

import numpy as np

from pagekin.evaluation.counts import Pooled, bootstrap, percentiles
from pagekin.evaluation.measures import Measure

__all__ = ["Comparison", "compared"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A measure with its interval, and by how much it beats another's."""

    value: float
    interval: tuple[float, float]
    gain: float
    gain_interval: tuple[float, float]

    @property
    def wins(self) -> bool:
        """Whether it is the better one for 95 of 100 resamples of the classes."""
        return self.gain_interval[0] > 0

    @property
    def loses(self) -> bool:
        """Whether it is the worse one as surely."""
        return self.gain_interval[1] < 0


def compared(one: Pooled, other: Pooled, measure: Measure) -> Comparison:
    """Counts by class against others."""
    resampled = bootstrap(one.queries > 0)
    ours, theirs = resampled(one).measure(measure), resampled(other).measure(measure)
    everything = np.ones((1, len(one.queries)))
    value, beaten = (float(each.summed(everything).measure(measure)[0]) for each in (one, other))
    return Comparison(value, percentiles(ours), value - beaten, percentiles(ours - theirs))
