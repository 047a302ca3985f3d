"""Waiting that adapts: the lock-algorithms paper's future work, beside all fixed ways to wait."""

from ..figures import Cited, Claim, Figure, Table
from ..quantity import BELOW, mean
from ..rules import Compare, Least, Mean, Ratio, pick, place_text, shown
from .simulated import deciding, in_all, machine

FIXED = ("SYS", "S*S", "*YS", "**S", "SY*", "*Y*")
ADAPTIVE = "adaptive"
WAYS = (*FIXED, ADAPTIVE)
SCENARIOS = (("increment", "short sections"), ("parallel", "long sections"))
PLACES = (("hosted, 2", {"setting": "hosted", "processors": 2}), ("simulated, 16", machine(16)))
NEAR = 1.05


def waits(row, where, waiting):
    return pick(row, source="heddle", lock="mcs", waiting=waiting, **where)


def best(row, where):
    return Least(tuple(waits(row, where, waiting) for waiting in FIXED))


def overall(where, waiting):
    """How many times as long as the best fixed way, over all points of a place."""
    return Mean(tuple(Ratio(waits(row, where, waiting), best(row, where)) for row, _ in SCENARIOS), "tasks")


def points(evidence):
    """(name, the best, the ratios by way) of each point at which all ways were measured."""
    for place, where in PLACES:
        for row, what in SCENARIOS:
            least = best(row, where).over(evidence, "tasks")
            ratios = [Ratio(waits(row, where, waiting), best(row, where)).over(evidence, "tasks") for waiting in WAYS]
            for tasks, quantity in least.items():
                if all(tasks in ratio for ratio in ratios):
                    name = f"{what}, {place}, {place_text('tasks', tasks)}"
                    yield name, quantity, [ratio[tasks] for ratio in ratios]


def cells(quantities):
    return tuple((f"{quantity.value:.2f}", quantity.anchors, "") for quantity in quantities)


def table(evidence):
    found = list(points(evidence))
    rows = [(name, (f"{shown(least.value)} ns", least.anchors, ""), *cells(ratios)) for name, least, ratios in found]
    text = "How many times as long as the best fixed way each takes. "
    if found:
        by_way = list(zip(*(ratios for _, _, ratios in found)))
        rows.append(("geometric mean", "", *cells(mean(ratios) for ratios in by_way)))
        rows.append(("worst", "", *cells(max(ratios, key=lambda ratio: ratio.value) for ratios in by_way)))
        near = sum(ratio.value <= NEAR for ratio in by_way[-1])
        text += f"By the medians, adaptive is within {NEAR - 1:.0%} of it, or ahead, at {near} of {len(found)} points."
    return Table(text, ("point", "best fixed", *WAYS), tuple(rows))


ADAPTING = Figure(
    "Section 6", "Waiting that adapts",
    "An MCS lock that chooses while it runs, from what the last waits have taken, how many of the next tasks stay "
    "awake, and how they wait; beside all fixed ways to wait, in both scenarios. Nanoseconds a section; lower is "
    "better.",
    "The paper proposes it and does not build it.",
    cited=(Cited("an adaptive scheme that adjusts to any library", "planned", "section 6"),),
    claims=(
        Claim(f"Adaptive waiting is within {NEAR - 1:.0%} of the best fixed way everywhere, or ahead of it.", tuple(
            (f"{what}, {place}", in_all(where, lambda where, row=row: Compare(
                waits(row, where, ADAPTIVE), best(row, where), "tasks", BELOW,
                ("adaptive", f"{NEAR:g} times the best fixed way"), factor=NEAR)))
            for place, where in deciding(PLACES) for row, what in SCENARIOS)),
        Claim("It is better than any single fixed way over all.", tuple(
            (f"{place}, {waiting}", in_all(where, lambda where, waiting=waiting: Compare(
                overall(where, ADAPTIVE), overall(where, waiting), "points", BELOW, ("adaptive", waiting),
                "times the best"))) for place, where in deciding(PLACES) for waiting in FIXED)),
    ),
    tables=(table,),
)
