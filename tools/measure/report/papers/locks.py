"""Skazhenik, Korobenikov, Churbanov, Malakhov, Aksenov: Basic Lock Algorithms in Lightweight Thread Environments."""

from ..figures import Cited, Claim, Figure, Paper, Plot, Series
from ..quantity import ABOVE, BELOW
from ..rules import Compare, Trend, first_upper, pick
from .simulated import deciding, in_all, machine
from .waiting import ADAPTING

RATE, LATENCY = "thousand sections a second", "ms, quantile 0.95"
HOSTED = {"setting": "hosted", "processors": 2}
KERNEL = {count: {"setting": "kernel", "processors": count} for count in (4, 16, 64)}
SIMULATED = {count: machine(count) for count in KERNEL}
PLACES = (("hosted, 2", HOSTED),) + tuple((f"QEMU, {count}", where) for count, where in KERNEL.items()) + tuple(
    (f"simulated, {count}", where) for count, where in SIMULATED.items())
LARGEST = (("QEMU, 64", KERNEL[64]), ("simulated, 64", SIMULATED[64]))
FIRST = (("hosted, 2", HOSTED), ("QEMU, 16", KERNEL[16]), ("simulated, 16", SIMULATED[16]))
SCENARIOS = (("parallel", "long sections"), ("increment", "short sections"))
UNLIKE = ("Heddle's tasks instead of Boost Fibers; two real processors instead of 4 to 64 cores. Below QEMU a "
          "processor that only yields takes time from the others, so yielding alone is measured there with few "
          "tasks. ")


def suite(row, field, where, **conditions):
    return pick(row, field, 1.0 if field == "rate" else 1e6, source="heddle", **where, **conditions)


def mcs(waiting):
    return {"lock": "mcs", "waiting": waiting}


STRATEGIES = tuple((waiting, mcs(waiting)) for waiting in ("SYS", "SY*", "*YS", "*Y*", "**S")) + (
    ("exchange", {"lock": "exchange"}),)
S_MCS, Y_MCS = mcs("SYS"), mcs("SY*")
S_COHORT = {"lock": "cohort", "waiting": "SYS", "queues": 8}
S_SINGLE = {"lock": "cohort", "waiting": "SYS", "queues": 1}
Y_COHORT = {"lock": "cohort", "waiting": "SY*", "queues": 8}
TTAS = {"lock": "ttas"}
LOCKS = (("S-TTAS-MCS-8", S_COHORT), ("S-TTAS-MCS-1", S_SINGLE), ("Y-TTAS-MCS", Y_COHORT), ("TTAS", TTAS),
         ("S-MCS", S_MCS), ("Y-MCS", Y_MCS), ("exchange", {"lock": "exchange"}))


def plots(row, field, places, locks, name="{place}"):
    y = RATE if field == "rate" else LATENCY
    return tuple(
        Plot(first_upper(name.format(place=place)) + " processors", "tasks", "tasks", y,
             tuple(Series(label, suite(row, field, where, **conditions)) for label, conditions in locks), log_y=True)
        for place, where in places)


def compared(row, left, right, relation, names, places, field="rate", **limits):
    unit = "thousand/s" if field == "rate" else "ms"
    return tuple(
        (place, in_all(where, lambda where: Compare(
            suite(row, field, where, **left), suite(row, field, where, **right), "tasks", relation, names, unit,
            **limits))) for place, where in deciding(places))


STRATEGY = Figure(
    "Figure 1", "How a task waits",
    "An MCS lock whose waiters spin, yield, then suspend; a star leaves a stage out. Long sections make 12 tasks and "
    "join them, short ones increment two cache lines and yield once. Throughput: higher is better; latency: lower.",
    UNLIKE + "The library's own lock is the exchange mutex.",
    tuple(plot for row, what in SCENARIOS for field, sort in (("rate", "throughput"), ("p95_ns", "latency"))
          for plot in plots(row, field, FIRST, STRATEGIES, f"{what.capitalize()}, {sort}: {{place}}")),
    (Cited("long sections, up to 16 threads on 16 cores", "yielding without suspending is far ahead",
           "section 5.1, Figure 1 (a)"),
     Cited("short sections, many threads", "yielding alone degrades; yield and suspend stays stable",
           "section 5.1, Figure 1 (b)"),
     Cited("the library's mutex, latency", "the worst throughout", "section 5.1, Figures 1 (c) and (d)")),
    (
        Claim("Long sections: to yield without suspending is ahead while there are no more tasks than processors.",
              compared("parallel", Y_MCS, S_MCS, ABOVE, ("SY*", "SYS"), FIRST[1:], most=16)),
        Claim("Short sections: to yield without suspending is behind when there are many tasks (here: 64 and more).",
              compared("increment", Y_MCS, S_MCS, BELOW, ("SY*", "SYS"), (FIRST[0], FIRST[2]), least=64)),
        Claim("Short sections: with suspending the throughput is stable (here: with 256 tasks at least 0.7 times that "
              "with 64).", tuple(
                  (place, in_all(where, lambda where: Trend(suite("increment", "rate", where, **S_MCS), "tasks", ABOVE,
                                                            64, 256, 0.7, "thousand/s")))
                  for place, where in deciding(FIRST))),
        Claim("The library's own lock has the worst latency.",
              compared("increment", {"lock": "exchange"}, S_MCS, ABOVE, ("exchange", "SYS"), FIRST, "p95_ns")),
    ),
)

ARGOBOTS = Figure(
    "Figure 2", "The same for Argobots",
    "Not measured: no registry carries Argobots, so the paper's findings stand alone. Figure 1 has the same two "
    "programs on Heddle.",
    "Argobots is left out.",
    cited=(Cited("costs of yield and suspend", "do not differ significantly", "section 5.1, Figure 2"),),
)


def cores(number, title, row, field, measured, cited, claims):
    return Figure(number, title, measured, UNLIKE + "The paper has 4, 16 and 64 cores.",
                  plots(row, field, PLACES, LOCKS), cited, claims)


MEASURED = ("Names as in the paper: TTAS-MCS-N is the cohort lock with N queues; S- spins, yields, then suspends, Y- "
            "does not suspend. ")

INCREMENT = cores(
    "Figure 3", "Short sections: throughput", "increment", "rate",
    MEASURED + "Thousands of sections a second over the number of tasks. Higher is better.",
    (Cited("S-TTAS-MCS-8 (with 4 cores S-TTAS-MCS-4)", "near optimal", "section 5.2, Figure 3"),),
    (
        Claim("S-TTAS-MCS-8 is near the best: at least 0.9 times S-MCS.", compared(
            "increment", S_COHORT, S_MCS, ABOVE, ("S-TTAS-MCS-8", "0.9 times S-MCS"), PLACES, factor=0.9)),
        Claim("S-TTAS-MCS-8 is near the best: at least 0.9 times TTAS.", compared(
            "increment", S_COHORT, TTAS, ABOVE, ("S-TTAS-MCS-8", "0.9 times TTAS"), PLACES, factor=0.9)),
    ),
)

PARALLEL = cores(
    "Figure 4", "Long sections: throughput", "parallel", "rate",
    MEASURED + "Thousands of sections a second over the number of tasks. Higher is better.",
    (Cited("long sections, many cores", "prefer to yield only: Y-TTAS-MCS", "section 5.2, Figure 4"),
     Cited("64 cores", "throughput rises with the number of queues", "section 5.2, Figure 4 (c)")),
    (
        Claim("Y-TTAS-MCS is ahead of S-TTAS-MCS-8.", compared(
            "parallel", Y_COHORT, S_COHORT, ABOVE, ("Y-TTAS-MCS", "S-TTAS-MCS-8"), PLACES)),
        Claim("More queues, more throughput: 8 against 1.", compared(
            "parallel", S_COHORT, S_SINGLE, ABOVE, ("8 queues", "1 queue"), LARGEST)),
    ),
)

SHORT_LATENCY = cores(
    "Figure 5", "Short sections: latency", "increment", "p95_ns",
    MEASURED + "How long a lock takes, the quantile 0.95, over the number of tasks. Lower is better.",
    (Cited("S-TTAS-MCS-8", "a favourable balance of throughput and latency", "section 5.2, Figure 5"),),
    (Claim("S-TTAS-MCS-8 has a lower latency than TTAS.", compared(
        "increment", S_COHORT, TTAS, BELOW, ("S-TTAS-MCS-8", "TTAS"), PLACES, "p95_ns")),),
)

LONG_LATENCY = cores(
    "Figure 6", "Long sections: latency", "parallel", "p95_ns",
    MEASURED + "How long a lock takes, the quantile 0.95, over the number of tasks. Lower is better.",
    (Cited("Y-TTAS-MCS", "the low latency of queue locks with TTAS's throughput", "section 5.2, Figure 6"),),
    (Claim("Y-TTAS-MCS has a lower latency than TTAS.", compared(
        "parallel", Y_COHORT, TTAS, BELOW, ("Y-TTAS-MCS", "TTAS"), PLACES, "p95_ns")),),
)

LARGE = Figure(
    "Figure 7", "Argobots on 64 cores",
    "The paper's library is left out; this is Heddle with 64 processors.",
    UNLIKE + "Argobots is in no registry: its published findings are cited.",
    tuple(plot for row, what in SCENARIOS
          for plot in plots(row, "rate", LARGEST, LOCKS, f"{what.capitalize()}: {{place}}")),
    (Cited("long sections", "what is most like TTAS has the highest throughput", "section 5.2, Figure 7 (a)"),
     Cited("short sections", "depends on the number of queues, not on the waiting", "section 5.2, Figure 7 (b)")),
    (
        Claim("Long sections: TTAS has a higher throughput than S-MCS.", compared(
            "parallel", TTAS, S_MCS, ABOVE, ("TTAS", "S-MCS"), LARGEST)),
        Claim("Short sections: 8 queues differ from 1 in throughput, upwards.", compared(
            "increment", S_COHORT, S_SINGLE, ABOVE, ("8 queues", "1 queue"), LARGEST)),
    ),
)

PAPER = Paper(
    "locks", "Lock algorithms",
    "T. Skazhenik, N. Korobenikov, A. Churbanov, A. Malakhov, V. Aksenov: Basic Lock Algorithms in Lightweight Thread "
    "Environments.",
    "four Intel Xeon Gold 5218 of 16 cores; medians of 50 runs of 10 s",
    (STRATEGY, ARGOBOTS, INCREMENT, PARALLEL, SHORT_LATENCY, LONG_LATENCY, LARGE, ADAPTING),
)
