"""Heddle's own: what each of many processors does for itself should take each as long as it takes one alone."""

from ..figures import Claim, Figure, Paper, Plot, Series
from ..quantity import ABOVE, BELOW
from ..rules import Constant, Relative, Trend, pick
from .simulated import EPYC, in_all, machine

LINEAR = 0.8
FIRST = 2  # a machine with one processor needs no locked instruction
# Numbers of processors, and what each of them is to one with a core of its own: 256 are two threads of each core, and
# each then executes 6.9 instructions a nanosecond in place of 11 (the profile's).
SPEEDS = {16: 1, 256: 6.9 / 11}
WHAT = (
    ("a yield among four tasks", "switch", {}), ("a lock of its own", "locks", {"scope": "local"}),
    ("tasks made and joined", "creators", {}), ("a matrix of 36,864 rows, shared out", "matrix", {"rows": "36864"}),
)


def picked(row, more, where):
    return pick(row, source="heddle", **more, **where)


def times_as_fast(row, more, where):
    """How many times the operations of two processors in the same time."""
    return Relative(picked(row, more, where), FIRST, True)


def is_linear(row, more, count):
    least = LINEAR * SPEEDS[count] * count / FIRST

    def make(where):
        return Constant(times_as_fast(row, more, where), "processors", ABOVE, least, "the speed-up", "", count, count)

    return f"simulated, {count}", in_all(machine(profile=EPYC), make)


def alone(where):
    return Trend(picked("matrix", {"rows": "128"}, where), "processors", BELOW, 1, factor=1.05,
                 name="what the one takes")


FIGURE = Figure(
    "Scaling", "One processor beside many others",
    "Each processor yields, locks a lock of its own, or makes tasks and joins them; or a multiplication is shared out: "
    "how many times as much is done as on two processors. Higher is better.",
    "No figure of a paper: a simulated machine with two sockets. Locks and the matrix from the start of the first task "
    "to the end of the last; yields, and tasks made and joined, for a millisecond after two in which the tasks find a "
    "processor each. Of 256 processors two share a core, which does a quarter more with both.",
    (Plot("Simulated, two sockets", "processors", "processors", "times as much as two processors",
          tuple(Series(name, times_as_fast(row, more, machine(profile=EPYC))) for name, row, more in WHAT),
          log_y=True),),
    claims=(
        *(Claim(f"{name[:1].upper()}{name[1:]}: at least {LINEAR:g} times as much for each core as on two.",
                tuple(is_linear(row, more, count) for count in SPEEDS)) for name, row, more in WHAT),
        Claim("One processor that works beside others that idle takes at most 1.05 times as long as on a machine of "
              "its own.", (("simulated, 256", in_all(machine(profile=EPYC), alone)),)),
    ),
)

PAPER = Paper("scaling", "Scaling", "Heddle's own measurement.", "", (FIGURE,))
