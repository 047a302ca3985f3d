"""The ready queues beside each other, in whole programs: Heddle's, the scheduler paper's, and BWoS, on which the
exchange paper's own executor is based."""

from ..figures import Cited, Claim, Figure, Table
from ..quantity import ABOVE, BELOW
from ..rules import Compare, pick, shown
from .simulated import FOUR, deciding, in_all, machine

PLACES = (("hosted, 2", {"setting": "hosted", "processors": 2}), ("simulated, 64", machine(64, FOUR)))
LEVEL = 1.05  # times as long is taken for level
MADE = 1000  # tasks that are made and run, of those in Figure 7


def rows_of(programs):
    """(name, row, conditions): the programs of Table 1, and what they are made of."""
    return (("Making tasks", "create", {"tasks": MADE}), ("Yields of 100 tasks", "switch", {"tasks": 100}),
            ("Yields of 1,000 tasks", "switch", {"tasks": 1000}), ("Matrix, 64 tasks", "matrix", {"tasks": 64}),
            *((name, row, conditions) for name, row, conditions, *_ in programs))


def measured(row, where, policy, conditions):
    return pick(row, source="heddle", policy=policy, **where, **conditions)


def against(rows, left, right, names, relation=BELOW, factor=1.0):
    """Cases: each program in each place, under two policies."""
    return tuple(
        (f"{name}, {place}", in_all(where, lambda where, row=row, conditions=conditions: Compare(
            measured(row, where, left, conditions), measured(row, where, right, conditions), "processors", relation,
            names, factor=factor)))
        for place, where in deciding(PLACES) for name, row, conditions in rows)


def cells(evidence, row, where, conditions, policies):
    """The times under each policy, those behind the first with how many times as long they are."""
    found = [next(iter(measured(row, where, more["policy"], conditions).over(evidence, "processors").values()), None)
             for _, more in policies]
    for quantity in found:
        if quantity is None:
            yield "–"
        elif quantity is found[0] or found[0] is None:
            yield f"{shown(quantity.value)} ns", quantity.anchors, ""
        else:
            ratio = quantity.over(found[0])
            yield f"{shown(quantity.value)} ns ({shown(ratio.value)})", ratio.anchors, ""


def table(rows, policies):
    def make(evidence):
        return Table(
            "Nanoseconds an operation under each policy; in brackets, how many times as long as under the first.",
            ("program", *(name for name, _ in policies)),
            tuple((f"{name}, {place}", *cells(evidence, row, where, conditions, policies))
                  for place, where in PLACES for name, row, conditions in rows))

    return make


def figure(programs, policies):
    """`programs`: those of Table 1; `policies`: pairs of a name and the conditions of a policy."""
    rows = rows_of(programs)
    beside = [row for row in rows if row[1] != "create"]
    return Figure(
        "Section 7", "Ready queues, program by program",
        "The paper's future work is ready queues of the processors' own. Heddle's (sched=local) beside the paper's "
        "global queue with Heddle's reuse of nodes (global) and with its own ACQUIRE (paper), and beside BWoS (bwos), "
        "on which the exchange paper's executor is based (its section 5.3): a queue a processor, in blocks of 32 "
        "tasks, each with its own words, of which a thief takes all that is left. Lower is better.",
        "BWoS and the paper's ACQUIRE are added as a ready queue of one's own is: called by address, on the "
        "processor's stack, so a yield does not have the short cut that local queues give it. Thieves look at the "
        "nearest first, not at random. BWoS keeps the block that its owner takes from out of the reach of all others, "
        "also while they idle; three of Heddle's tests, which ask for the contrary, fail with it.",
        cited=(Cited("BWoS, macrobenchmarks", "up to 1.25 times as fast (Renaissance), 1.12 (Hyper on Tokio)",
                     "Wang et al., OSDI 2023, abstract"),),
        claims=(
            Claim(f"No program takes longer with Heddle's queues than with BWoS (here: than {LEVEL:g} times as long).",
                  against(rows, "local", "bwos", ("Heddle's", "BWoS"), factor=LEVEL)),
            Claim("A task is made and run in less time with Heddle's queues than with BWoS.",
                  against([rows[0]], "local", "bwos", ("Heddle's", "BWoS"))),
            Claim(f"No program takes longer with Heddle's queues than with the paper's (here: than {LEVEL:g} times).",
                  against(beside, "local", "paper", ("Heddle's", "the paper's"), factor=LEVEL)),
        ),
        tables=(table(rows, policies),),
    )
