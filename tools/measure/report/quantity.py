"""A measured quantity with its spread, and the comparison of two of them.

Two quantities are told apart by intervals. That of a median reaches from one sample to another, and misses the median
of all runs that there could be with a probability that is known, whatever the distribution: each run is below that
median as often as a coin falls on its head (the sign test).

What was measured in the same turns is compared turn by turn: by the interval of the median difference, in which what
slows a whole turn cancels out. Else the intervals of both medians must be apart, and share the error. What is
calculated from several quantities likewise has a value for each turn, or an interval calculated from theirs."""

import math
import statistics
from dataclasses import dataclass, replace

QUARTILES_FROM = 5  # samples; with fewer the spread that is shown covers all of them
MARGIN = 0.05  # two runs of the same thing differ by as much on a busy host
ERROR = 0.05  # the probability that chance alone decides a claim, at any of its points
NO_INTERVAL = (0.0, math.inf)  # too few samples: the median may be anywhere
ANY_DIFFERENCE = (-math.inf, math.inf)

BELOW, ABOVE, LEVEL = "below", "above", "level"


@dataclass(frozen=True)
class Quantity:
    """A median; the spread around it: from the first to the third quartile or, for few samples, from the lowest to
    the highest; and the lines that it comes from. `medians`: how many medians it is calculated from, without those that
    are exact. `interval`: from the error allowed to its interval. `turns`: its value in each turn, where that is known;
    None: the same in all."""

    value: float
    low: float
    high: float
    anchors: tuple = ()
    medians: int = 0
    interval: object = None
    turns: dict = None

    def at(self, turn):
        return self.value if self.turns is None else self.turns[turn]

    def within(self, error):
        """The interval with that error at the most."""
        return self.interval(error) if self.interval else (self.value, self.value)

    def over(self, other):
        """This one divided by another."""
        anchors, turns = self.anchors + other.anchors, side_by_side(self, other)
        if turns:
            return of_turns({turn: self.at(turn) / other.at(turn) for turn in turns}, anchors)

        def interval(error):
            own, others = shared(self, other, error)
            return own[0] / others[1], own[1] / others[0] if others[0] > 0 else math.inf

        medians = self.medians + other.medians
        return Quantity(self.value / other.value, self.low / other.high, self.high / other.low, anchors, medians,
                        interval, {} if medians else None)

    def times(self, factor):
        turns = self.turns and {turn: value * factor for turn, value in self.turns.items()}
        return Quantity(self.value * factor, self.low * factor, self.high * factor, self.anchors, self.medians,
                        lambda error: tuple(end * factor for end in self.within(error)), turns)

    def inverse(self, factor=1.0):
        """`factor` divided by this one: turns a time into a rate, a rate into a time."""
        return constant(factor).over(self)


def constant(value):
    """A number that is known."""
    return Quantity(value, value, value)


def mean(quantities):
    """Their geometric mean."""
    medians, share = sum(item.medians for item in quantities), 1 / len(quantities)
    anchors, turns = sum((item.anchors for item in quantities), ()), side_by_side(*quantities)
    if turns:
        return of_turns({turn: math.prod(item.at(turn) ** share for item in quantities) for turn in turns}, anchors)

    def interval(error):
        ends = [item.within(error * item.medians / max(medians, 1)) for item in quantities]
        return tuple(math.prod(end[side] ** share for end in ends) for side in (0, 1))

    value, low, high = (math.prod(getattr(item, name) ** share for item in quantities)
                        for name in ("value", "low", "high"))
    return Quantity(value, low, high, anchors, medians, interval, {} if medians else None)


def side_by_side(*quantities):
    """The turns in which all of these were measured, if that is most of what each has; else none."""
    measured = [item.turns for item in quantities if item.turns is not None]
    common = [turn for turn in measured[0] if all(turn in turns for turns in measured)] if measured else []
    return common if all(2 * len(common) > len(turns) for turns in measured) else []


def shared(one, other, error):
    """The intervals of two quantities that share an error, by how many medians each has."""
    both = max(one.medians + other.medians, 1)
    return one.within(error * one.medians / both), other.within(error * other.medians / both)


def median_interval(ordered, error):
    """The narrowest interval between two of the samples that misses the median with at most that probability."""
    count, missed, found = len(ordered), 0.0, NO_INTERVAL
    for place in range(count // 2):
        missed += 2 * math.comb(count, place) / 2 ** count
        if missed > error:
            break
        found = ordered[place], ordered[-1 - place]
    return found


def of_samples(samples, anchor, exact=False, turns=()):
    """The quantity of some samples; ratios need one without 0. `exact`: each run gives the same. `turns`: the name of
    each sample's, if known."""
    ordered = sorted(samples)
    low, high = ordered[0], ordered[-1]
    if len(ordered) >= QUARTILES_FROM:
        low, _, high = statistics.quantiles(ordered, n=4, method="inclusive")
    middle = statistics.median(ordered)
    if exact:
        return Quantity(middle, low, high, (anchor,))
    return Quantity(middle, low, high, (anchor,), 1, lambda error: median_interval(ordered, error),
                    dict(zip(turns, samples)))


def of_turns(values, anchors):
    """The quantity that has these values in its turns."""
    return replace(of_samples(values.values(), "", turns=values), anchors=anchors)


def compare(left, right, error=ERROR, margin=MARGIN):
    """BELOW or ABOVE if the interval of their difference is on one side of 0, and the medians differ by more than the
    margin; LEVEL: undecided."""
    low, high = difference(left, right, error)
    if high < 0 and left.value < right.value * (1 - margin):
        return BELOW
    if low > 0 and left.value * (1 - margin) > right.value:
        return ABOVE
    return LEVEL


def difference(left, right, error):
    """The interval, with that error, of how much the left one is more than the right one."""
    turns = side_by_side(left, right)
    if turns:
        found = median_interval(sorted(left.at(turn) - right.at(turn) for turn in turns), error)
        return ANY_DIFFERENCE if found == NO_INTERVAL else found
    own, others = shared(left, right, error)
    return own[0] - others[1], own[1] - others[0]


def keeps(left, right, relation, error=ERROR):
    """Whether the left one is below (or above) the right one, a bound, which it may reach."""
    low, high = difference(left, right, error)
    return high <= 0 if relation == BELOW else low >= 0
