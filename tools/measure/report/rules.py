"""What is compared, and the rules that decide claims. The sentences are made here, only from results."""

from dataclasses import dataclass

from . import quantity, reading
from .quantity import MARGIN

HOLDS, PART, SHORT, BETTER, FAILS, UNTOLD, ABSENT = (
    "holds", "holds in part", "falls short of the paper", "better than the paper claims", "does not hold",
    "cannot be told", "not measured"
)
RULE = (
    "A claim is decided point by point. What was measured in the same turns is compared turn by turn: the interval of "
    "the median difference must be on one side of 0. Else the intervals of the two medians must be apart. The medians "
    f"must differ by more than {quantity.MARGIN:.0%}, too; else it cannot be told there. A bound that the claim itself "
    "names is compared without that margin. An interval reaches from one run to another, so that chance alone, "
    "whatever the distribution, decides wrongly for a claim, or wrongly against it, with a probability of at most "
    f"{quantity.ERROR:.0%} each (the sign test). All points for the claim, each with that error, since chance would "
    "have to decide where the claim is wrong: it holds. Else the points share the error (Bonferroni's correction). For "
    "it at half of them at the least, and at more than against it: it holds in part. Against it at any point, else: it "
    "does not hold. "
    "Otherwise it cannot be told. A point that failed counts as one that cannot be told. A claim that does not hold "
    "falls short of the paper; or, if it concedes a weakness, what is here is better than the paper claims. On a "
    "simulated machine, whose results are exact, what things take is halved and doubled as well: where the outcome is "
    "not the same in all three, it cannot be told; where it holds in one and in part in another, it holds in part."
)


@dataclass(frozen=True)
class Pick:
    """One row of the results under some conditions. `field` selects the quantity: "ns", "rate" (thousands per second)
    or a further field of the line. `share`: the field is divided by this, for example by 100 if it is counted in
    10,000."""

    row: str
    conditions: tuple
    field: str = "ns"
    share: float = 1.0

    def about(self):
        """Pairs of a file and a row: the results that this uses."""
        return {(dict(self.conditions).get("source", ""), self.row)}

    def find(self, evidence):
        return evidence.find(self.row, **dict(self.conditions))

    def failed(self, evidence, name):
        """The places at which what was to be measured failed."""
        found = evidence.find_failed(self.row, **dict(self.conditions))
        return {reading.number(item.value(name)) for item in found} - {None}

    def quantity(self, found):
        """The quantity of a measurement; None if it lacks the field."""
        samples = found.samples if self.field in ("ns", "rate") else found.also.get(self.field)
        if not samples:
            return None
        measured = quantity.of_samples(samples, found.anchor, found.is_exact(),
                                       found.turns if len(found.turns) == len(samples) else ())
        return measured.inverse(1e6) if self.field == "rate" else measured.times(1 / self.share)

    def over(self, evidence, name):
        """The quantities by the value of an attribute or parameter, in order."""
        found = {}
        for item in sorted(self.find(evidence), key=lambda item: (item.origin["date"], item.line)):  # the newest counts
            place, measured = reading.number(item.value(name)), self.quantity(item)
            if place is not None and measured is not None:
                found[place] = measured
        return dict(sorted(found.items()))


@dataclass(frozen=True)
class Ratio:
    """One pick divided by another, at the same place."""

    top: Pick
    bottom: Pick

    def about(self):
        return self.top.about() | self.bottom.about()

    def over(self, evidence, name):
        top, bottom = self.top.over(evidence, name), self.bottom.over(evidence, name)
        return {place: top[place].over(bottom[place]) for place in top if place in bottom}

    def failed(self, evidence, name):
        return self.top.failed(evidence, name) | self.bottom.failed(evidence, name)


@dataclass(frozen=True)
class Relative:
    """A pick divided by its own value at one place, for example the speed-up over one task."""

    pick: Pick
    place: float
    inverse: bool = False  # the value there, divided by each

    def about(self):
        return self.pick.about()

    def over(self, evidence, name):
        found = self.pick.over(evidence, name)
        if self.place not in found:
            return {}
        first = found[self.place]
        return {place: first.over(item) if self.inverse else item.over(first) for place, item in found.items()}

    def failed(self, evidence, name):
        return self.pick.failed(evidence, name)


@dataclass(frozen=True)
class Least:
    """The lowest of several picks at each place at which all were measured. Which one that is, their medians say."""

    picks: tuple

    def about(self):
        return set().union(*(one.about() for one in self.picks))

    def over(self, evidence, name):
        found = [one.over(evidence, name) for one in self.picks]
        return {place: min((one[place] for one in found), key=lambda item: item.value)
                for place in found[0] if all(place in one for one in found)}

    def failed(self, evidence, name):
        return set().union(*(one.failed(evidence, name) for one in self.picks))


@dataclass(frozen=True)
class Mean:
    """The geometric mean of several ratios over all their places: at one place, which is their number."""

    ratios: tuple
    name: str  # of the places that it is over

    def about(self):
        return set().union(*(ratio.about() for ratio in self.ratios))

    def over(self, evidence, _):
        found = [item for ratio in self.ratios for item in ratio.over(evidence, self.name).values()]
        return {len(found): quantity.mean(found)} if found else {}

    def failed(self, evidence, _):
        return set()


def pick(row, field="ns", share=1.0, **conditions):
    return Pick(row, tuple(sorted(conditions.items())), field, share)


@dataclass(frozen=True)
class Verdict:
    outcome: str
    sentence: str
    anchors: tuple = ()


def shown(value):
    """A number with three significant digits."""
    if value == 0:
        return "0"
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:#.3g}"


def against_text(left, right, unit):
    """Two numbers with their unit; long times in larger units."""
    least = min(left, right)
    if unit == "ns" and least >= 1e4:
        factor, unit = (1e6, "ms") if least >= 1e6 else (1e3, "us")
        left, right = left / factor, right / factor
    return f"{shown(left)} against {shown(right)} {unit}".strip()


PLACES = {
    "tasks": "{} tasks", "processors": "{} processors", "section": "{} ns more", "writers": "{} writers in 10,000",
    "points": "{} points", "resources": "{} resources", "lines": "{} lines", "range": "{} keys", "value": "{} bytes",
    "disks": "{} disks",
}


def place_text(name, place):
    """A place on the x axis in words: "10,000 tasks"."""
    text = PLACES[name].format(f"{place:,.0f}" if place == int(place) else f"{place:g}")
    return text.removesuffix("s") if text.startswith("1 ") else text


def places_text(name, places):
    return tuple(place_text(name, place) for place in places)


@dataclass(frozen=True)
class Compare:
    """`left` is below (or above) `right` at each place. The names are for the sentence. `factor`: compare with that
    many times `right`."""

    left: object
    right: object
    over: str  # an attribute or parameter
    relation: str = quantity.BELOW
    names: tuple = ("", "")
    unit: str = "ns"
    factor: float = 1.0
    least: float = 0.0  # only places from here
    most: float = float("inf")  # and up to here

    def about(self):
        return self.left.about() | self.right.about()

    def judge(self, evidence):
        left, right = self.left.over(evidence, self.over), self.right.over(evidence, self.over)
        failed = self.left.failed(evidence, self.over) | self.right.failed(evidence, self.over)
        points = [(place_text(self.over, place), left[place], right[place].times(self.factor))
                  for place in left if place in right and self.least <= place <= self.most]
        lacking = [place for place in sorted(failed) if self.least <= place <= self.most
                   and not (place in left and place in right)]
        return decide(points, self.relation, self.names, self.unit, places_text(self.over, lacking),
                      MARGIN if self.factor == 1.0 else 0.0)


@dataclass(frozen=True)
class Trend:
    """The measurement at `end` is below (or above) that at `start` times a factor. Without an end: the last place."""

    of: object
    over: str
    relation: str
    start: float
    end: float = None
    factor: float = 1.0
    unit: str = "ns"
    name: str = "what is measured"

    def about(self):
        return self.of.about()

    def judge(self, evidence):
        found, failed = self.of.over(evidence, self.over), self.of.failed(evidence, self.over)
        end = self.end if self.end is not None else max(found.keys() | failed, default=None)
        lacking = sorted({place for place in (self.start, end) if place in failed and place not in found})
        if lacking:
            return decide([], self.relation, (self.name, ""), self.unit, places_text(self.over, lacking))
        if self.start not in found or end not in found or end == self.start:
            return Verdict(ABSENT, "Not measured.")
        first, last = place_text(self.over, self.start), place_text(self.over, end)
        times = "that" if self.factor == 1 else f"{self.factor:g} times that"
        return decide([("", found[end], found[self.start].times(self.factor))], self.relation,
                      (f"{self.name} with {last}", f"{times} with {first}"), self.unit,
                      margin=MARGIN if self.factor == 1.0 else 0.0)


@dataclass(frozen=True)
class Constant:
    """A pick is below (or above) a number at each place."""

    of: object
    over: str
    relation: str
    value: float
    name: str
    unit: str = "ns"
    least: float = 0.0
    most: float = float("inf")

    def about(self):
        return self.of.about()

    def judge(self, evidence):
        fixed, found = quantity.constant(self.value), self.of.over(evidence, self.over)
        points = [(place_text(self.over, place), item, fixed) for place, item in found.items()
                  if self.least <= place <= self.most]
        lacking = [place for place in sorted(self.of.failed(evidence, self.over))
                   if self.least <= place <= self.most and place not in found]
        return decide(points, self.relation, (self.name, "the bound"), self.unit, places_text(self.over, lacking), 0.0)


@dataclass(frozen=True)
class InAll:
    """A rule under several conditions, pairs of their name and the rule; the first is the one that is shown. An outcome
    counts only if it is the same in all. What holds also holds in part."""

    rules: tuple

    def about(self):
        return set().union(*(rule.about() for _, rule in self.rules))

    def judge(self, evidence):
        (_, first), *others = [(name, rule.judge(evidence)) for name, rule in self.rules]
        if first.outcome == ABSENT:
            return first
        anchors = tuple(dict.fromkeys(first.anchors + sum((verdict.anchors for _, verdict in others), ())))
        unlike = [f"{name}: {verdict.outcome}" for name, verdict in others if verdict.outcome != first.outcome]
        if unlike:
            all_of_them = {first.outcome, *(verdict.outcome for _, verdict in others)}
            return Verdict(PART if all_of_them == {HOLDS, PART} else UNTOLD,
                           f"{first.sentence} But it depends on what things take ({'; '.join(unlike)}).", anchors)
        return Verdict(first.outcome, first.sentence + " The same with " + " and ".join(
            name for name, _ in others) + ".", anchors)


def decide(points, relation, names, unit, failed=(), margin=MARGIN):
    """The verdict on points (where, left, right); `failed`: where one of these failed."""
    if not points and not failed:
        return Verdict(ABSENT, "Not measured.")
    against = quantity.ABOVE if relation == quantity.BELOW else quantity.BELOW
    found = told_points(points, relation, quantity.ERROR, margin)
    if failed or any(point[3] != relation for point in found):
        found = told_points(points, relation, quantity.ERROR / max(len(points), 1), margin)
    good = [point for point in found if point[3] == relation]
    bad = [point for point in found if point[3] == against]
    anchors = tuple(anchor for _, left, right, _ in found for anchor in left.anchors + right.anchors)
    said = [sentence(found, good, bad, relation, names, unit)] if found else []
    said += [f"Measuring failed: {', '.join(failed)}."] if failed else []
    return Verdict(outcome_of(len(good), len(bad), len(found) + len(failed)), " ".join(said),
                   tuple(dict.fromkeys(anchors)))


def told_points(points, relation, error, margin):
    return [(where, left, right, told(left, right, relation, error, margin)) for where, left, right in points]


def told(left, right, relation, error, margin):
    """How two quantities compare; without a margin the right one is a bound."""
    if margin == 0.0 and quantity.keeps(left, right, relation, error):
        return relation
    return quantity.compare(left, right, error, margin)


def outcome_of(good, bad, count):
    """The outcome with so many points for and against a claim."""
    if good == count:
        return HOLDS
    if good > bad and 2 * good >= count:
        return PART
    return FAILS if bad else UNTOLD


def sentence(found, good, bad, relation, names, unit):
    """The finding in words: at how many points, and the figures of up to three, or of the two that differ most."""
    def shown_at(point):
        where, left, right, _ = point
        at = f"{where}: " if where else ""
        return at + against_text(left.value, right.value, unit)

    if len(found) == 1:
        text = f"{names[0]} is {'' if good else 'not '}{relation} {names[1]}"
        if not good and not bad:
            text = f"it cannot be told whether {names[0]} is {relation} {names[1]}"
        return first_upper(f"{text} ({shown_at(found[0])}).")
    text = f"{names[0]} is {relation} {names[1]} at {len(good)} of {len(found)} points"
    if bad:
        text += f", the other way round at {len(bad)}"
    level = len(found) - len(good) - len(bad)
    if level:
        text += f"; it cannot be told at {level}"
    ordered = sorted(found, key=lambda point: point[1].value / max(point[2].value, 1e-12))
    examples = ordered if len(ordered) <= 3 else [ordered[0], ordered[-1]]
    return first_upper(f"{text} ({'; '.join(shown_at(point) for point in examples)}).")


def first_upper(text):
    return text[:1].upper() + text[1:]
