"""A measured quantity with its spread, and the comparison of two of them."""

import statistics
from dataclasses import dataclass

QUARTILES_FROM = 5  # samples; with fewer the spread covers all of them
MARGIN = 0.05  # two runs of the same thing differ by as much on a busy host

BELOW, ABOVE, LEVEL = "below", "above", "level"


@dataclass(frozen=True)
class Quantity:
    """A median; the spread around it: from the first to the third quartile or, for few samples, from the lowest to
    the highest; and the lines that it comes from."""

    value: float
    low: float
    high: float
    anchors: tuple = ()

    def over(self, other):
        """This one divided by another."""
        return Quantity(self.value / other.value, self.low / other.high, self.high / other.low,
                        self.anchors + other.anchors)

    def times(self, factor):
        return Quantity(self.value * factor, self.low * factor, self.high * factor, self.anchors)

    def inverse(self, factor=1.0):
        """`factor` divided by this one: turns a time into a rate, a rate into a time."""
        return Quantity(factor / self.value, factor / self.high, factor / self.low, self.anchors)


def of_samples(samples, anchor):
    """The quantity of some samples; ratios need one without 0."""
    ordered = sorted(samples)
    low, high = ordered[0], ordered[-1]
    if len(ordered) >= QUARTILES_FROM:
        low, _, high = statistics.quantiles(ordered, n=4, method="inclusive")
    return Quantity(statistics.median(ordered), low, high, (anchor,))


def compare(left, right):
    """BELOW or ABOVE if the spreads do not overlap and the medians differ by more than MARGIN; LEVEL: undecided."""
    if left.high < right.low and left.value < right.value * (1 - MARGIN):
        return BELOW
    if left.low > right.high and left.value * (1 - MARGIN) > right.value:
        return ABOVE
    return LEVEL
