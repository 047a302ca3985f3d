"""The exchange paper's own form: C++20 coroutines; its Figures 9 to 11 with them, beside those on Heddle's tasks."""

import dataclasses

from ..figures import Plot, Series
from ..rules import Compare, Ratio, pick

ON_THREADS, ON_TASKS = "coroutines", "coroutinesheddle"
PLACES = (("coroutines on threads, 2", ON_THREADS), ("coroutines on Heddle, 2", ON_TASKS))
DIFFERS = (" The panels on coroutines are of `user/include/heddle/coroutine.hpp`, the library that the paper has for "
           "itself: an executor on two threads with work stealing, though not by blocks, or one on Heddle's tasks. By "
           "inline each that waits is on the stack of the one before it, for which a task's stack is too small.")


def measured(row, lock, executor, field="rate", **conditions):
    return pick(row, field, source="runtimes", who=executor, lock=lock, **conditions)


def locks(executor):
    return ("exchange", "dispatch", "inline")[: 3 if executor == ON_THREADS else 2]


def panels(row, over, x, y, kind, **conditions):
    """A panel for each executor; `kind` makes the series of one."""
    return tuple(Plot(name.capitalize(), over, x, y, kind(executor, row, conditions)) for name, executor in PLACES)


def rates(executor, row, conditions):
    return tuple(Series(lock, measured(row, lock, executor, **conditions)) for lock in locks(executor))


def gain(executor, row, conditions):
    return Ratio(measured(row, "exchange", executor, **conditions), measured(row, "dispatch", executor, **conditions))


def gains(executor, row, conditions):
    return (Series("exchange", gain(executor, row, conditions)),)


def moved(rule, executor, conditions):
    """The same claim where coroutines run; None where that lock is not measured there."""
    if isinstance(rule, Compare):
        left, right = (moved_pick(side, executor, conditions) for side in (rule.left, rule.right))
        return left and right and dataclasses.replace(rule, left=left, right=right)
    of = Ratio(moved_pick(rule.of.top, executor, conditions), moved_pick(rule.of.bottom, executor, conditions))
    return dataclasses.replace(rule, of=of)


def moved_pick(found, executor, conditions):
    lock = dict(found.conditions)["lock"]
    return measured(found.row, lock, executor, found.field, **conditions) if lock in locks(executor) else None


def beside(figure, panels_of_it, **conditions):
    """A figure with panels and places on coroutines. `conditions`: of what is compared there."""
    claims = []
    for claim in figure.claims:
        rule = claim.cases[0][1]
        more = tuple((name, moved(rule, executor, conditions)) for name, executor in PLACES)
        claims.append(dataclasses.replace(claim, cases=(*claim.cases, *(case for case in more if case[1]))))
    return dataclasses.replace(figure, plots=(*figure.plots, *panels_of_it), claims=tuple(claims),
                               differs=figure.differs + DIFFERS)


def extended(figure):
    """The figure as it is, or with coroutines."""
    rate = "thousand sections a second"
    if figure.number == "Figure 9":
        return beside(figure, panels("section", "processors", "processors", rate, rates, section="0"), section="0")
    if figure.number == "Figure 10":
        made = (dataclasses.replace(panel, log_x=False, line=1.0) for panel in panels(
            "section", "section", "ns more in the section", "exchange / dispatch", gains, processors="2"))
        return beside(figure, tuple(made), processors="2")
    if figure.number == "Figure 11":
        return beside(figure, panels("readers", "writers", "writers in 10,000", rate, rates, processors="2"),
                      processors="2")
    return figure
