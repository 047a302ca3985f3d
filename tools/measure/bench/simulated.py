"""What is measured in virtual time, on simulated machines like those of the papers; and with that, all groups."""

from . import plan
from .plan import POLICIES, SECTION_6, milliseconds, points, queues, scenarios, spread_out, strategies, table

EPYC, FOUR = "epyc-2s", "xeon-4s"
# How many times a number is factorized outside a section: 256 threads that never wait then run about as many sections
# as the exchange paper reports, a million a second. Its numbers are larger; how large, it does not say.
OUTSIDE = 40
# Rows of a matrix for each processor. The scheduler paper's took 12.5 s with one thread, so it had about 2,000, and 64
# processors would have some 36 each. The columns are fewer here.
ROWS = 36
MATRIX = {"size": 128, "rows": ROWS * 64}


def exchange(wanted):
    """The exchange paper: Figures 9 to 11 and 15, on two sockets. Its 1,000 rounds with PROFILE=full."""
    locks, strict = ["exchange", "dispatch", "inline"], ["exchange", "strict", "dispatch", "inline"]
    rounds = wanted.pick(3, 1000)
    for processors in wanted.pick([1, 16, 64, 256], [1, 2, 4, 8, 16, 32, 64, 128, 192, 256]):
        wanted.simulated("exchange Figure 9", EPYC, processors,
                         points("section", rounds=rounds, outside=OUTSIDE, lock=strict), seconds=processors / 40)
    lengths = wanted.pick([0, 250, 7500], [0, 250, 1000, 2500, 7500])
    for processors in wanted.pick([256], [64, 128, 256]):
        wanted.simulated("exchange Figure 10", EPYC, processors,
                         points("section", rounds=rounds, outside=OUTSIDE, section=lengths, lock=strict[:3]),
                         seconds=processors / 40)
    writers = wanted.pick([5000, 625], [5000, 2500, 1250, 625])
    for processors in wanted.pick([256], [1, 4, 16, 64, 128, 256]):
        wanted.simulated("exchange Figure 11", EPYC, processors,
                         points("readers", rounds=rounds, outside=OUTSIDE, writers=writers, lock=locks),
                         seconds=processors / 40)
    wanted.simulated("exchange Figure 15", EPYC, 256,
                     points("delay", rounds=wanted.pick(20, 1000), tasks=[16, 64, 256], lock=strict[:3]))
    wanted.simulated("exchange section 5.4", EPYC, 16, points("residency", rounds=10, resources=[4, 64, 1000]))


def scheduler(wanted):
    """The scheduler paper: Figures 7 to 10 and Table 1, on four sockets."""
    for processors in wanted.pick([1, 64], [1, 4, 16, 64]):
        wanted.simulated("scheduler Figure 7", FOUR, processors,
                         spread_out("create", wanted.pick([100, 1000, 10000], [100, 1000, 10000, 100000]), 20000))
        for policy in POLICIES:
            wanted.simulated("scheduler Figure 8", FOUR, processors,
                             spread_out("switch", [100, 1000, 10000], wanted.pick(50000, 500000)), policy)
        wanted.simulated("scheduler Figure 9", FOUR, processors,
                         spread_out("locks", [1, 16, 64, 256], wanted.pick(25000, 250000), scope=["local", "global"]))
    for processors in (1, 16, 64):
        wanted.simulated("scheduler Figure 10", FOUR, processors,
                         points("matrix", **MATRIX, tasks=sorted({1, 16, 64, 72, 128, processors})))
    for policy in POLICIES:
        if policy != "local":
            wanted.simulated("scheduler Figure 7", FOUR, 64, points("create", tasks=1000, rounds=20), policy)
            wanted.simulated("scheduler Figure 10", FOUR, 64, points("matrix", **MATRIX, tasks=[64, 128]), policy)
        wanted.simulated("scheduler Table 1", FOUR, 64, table(500, 20, 100, wanted.pick(500, 2000), {}), policy)


def lock_algorithms(wanted):
    """The lock-algorithms paper: Figures 1 to 7, on four sockets."""
    tasks = wanted.pick([16, 64, 256], [4, 16, 64, 256, 1000])
    time = milliseconds(wanted.pick(4, 100))
    wanted.simulated("lock-algorithms Figure 1 and section 6", FOUR, 16,
                     strategies(tasks, tasks, time, time, SECTION_6), seconds=1)
    numbers = wanted.pick([1, 8], [1, 4, 8, 32])
    for processors in (4, 16, 64):
        wanted.simulated("lock-algorithms Figures 3 to 7", FOUR, processors,
                         queues(tasks, tasks, time, time, numbers), seconds=1)


def delegation(wanted):
    """The delegation paper: Figures 1 and 2, on four sockets; and a queue for each of them."""
    total = wanted.pick(8000, 200000)
    for processors in wanted.pick([16], [4, 16, 64]):
        wanted.simulated("delegation Figures 1 and 2", FOUR, processors, list(plan.delegation_points(wanted, total)),
                         seconds=1)
    for keys in ({}, {"range": 1024}):
        wanted.simulated("delegation section 8", FOUR, 64,
                         spread_out("store", [16, 64, 256], 4 * total, lock=["qd", "hqd"], step="copy", **keys),
                         seconds=6)


def known(wanted):
    """What is known of locks: one on which all spin collapses, a queue does not."""
    for processors in wanted.pick([1, 4, 16, 64], [1, 2, 4, 8, 16, 32, 64]):
        wanted.simulated("known outcomes", FOUR, processors,
                         points("collapse", variant=["spin", "queue"], rounds=wanted.pick(8000, 80000) // processors))


def scaling(wanted):
    """Heddle's own: what each of ever more processors does for itself, on two sockets; and one that works alone. The
    256 tasks of a matrix take some 0.3 ms to begin and to be joined, and compute ten times as long."""
    more = wanted.pick(1, 10)
    for processors in wanted.pick([1, 2, 16, 256], [1, 2, 4, 16, 64, 128, 256]):
        wanted.simulated("scaling", EPYC, processors, [
            *points("switch", tasks=4 * processors, milliseconds=more, warmup=2),
            *points("locks", tasks=processors, rounds=more * 200000, scope="local"),
            *points("creators", milliseconds=more, warmup=2),
            *points("matrix", size=128, rows=4 * ROWS * 256, tasks=processors),
            *points("matrix", size=128, rows=128, tasks=1),
        ], seconds=processors / 100)


def groups(profile):
    """All, with what is simulated last."""
    wanted = plan.Plan(profile)
    for part in (known, exchange, scheduler, lock_algorithms, delegation, scaling):
        part(wanted)
    return plan.groups(profile) + wanted.groups
