"""Klaftenegger, Sagonas, Winblad: Delegation Locking Libraries for Improved Performance of Multithreaded Programs."""

from ..figures import Cited, Claim, Figure, Paper, Plot, Series
from ..quantity import ABOVE, BELOW
from ..rules import Compare, Ratio, Trend, first_upper, pick
from .simulated import deciding, in_all, machine

STEPS = tuple((f"MRQD-{name}", {"lock": "mrqd", "step": step})
              for name, step in (("wait", "wait"), ("malloc", "allocate"), ("copy", "copy")))
LOCKS = (("reader-writer", {"lock": "exchange"}), ("DR-MCS", {"lock": "dr-mcs"}),
         ("CC-Synch", {"lock": "cc-synch"}), *STEPS)
QUEUES = (("one queue", {"lock": "qd", "step": "copy"}), ("one for each node", {"lock": "hqd", "step": "copy"}))
CONDITIONS = dict(LOCKS + QUEUES)
PLACES = (("hosted, 2", {"setting": "hosted", "processors": 2}), ("QEMU, 16", {"setting": "kernel", "processors": 16}),
          ("simulated, 16", machine(16)))
WHERE = "section 5.2"
UNLIKE = ("An AVL tree behind the lock, as ETS has it, but none of Erlang's own costs, so sections are shorter; tasks "
          "instead of threads; the reader-writer lock is Heddle's, not Erlang's. Nanoseconds an operation instead of "
          "the time of 2^22 operations. ")
TIME = "ns an operation"


def store(name, where, **conditions):
    return pick("store", source="heddle", **CONDITIONS[name], **where, **conditions)


def plots(over, x, **conditions):
    return tuple(
        Plot(f"{first_upper(place)} processors", over, x, TIME,
             tuple(Series(name, store(name, where, **conditions)) for name, _ in LOCKS), log_y=True)
        for place, where in PLACES)


def compared(left, right, over, relation, limits=None, **conditions):
    return tuple(
        (place, in_all(where, lambda where: Compare(
            store(left, where, **conditions), store(right, where, **conditions), over, relation, (left, right),
            **(limits or {})))) for place, where in deciding(PLACES))


CONTENDED = {"least": 2}
UPDATES, LOOKUPS = {"lookups": 0}, {"lookups": 8000}

SCALING = Figure(
    "Figure 1 (a)", "Updates only",
    "Tasks insert and delete keys of 2^16: over the number of tasks. Lower is better.",
    UNLIKE,
    plots("tasks", "tasks", **UPDATES),
    (Cited("MRQD-copy", "best in all contended cases", f"{WHERE}, Figure 1 (a)"),
     Cited("MRQD-wait, CC-Synch, MRQD-malloc", "close behind, almost indistinguishable", f"{WHERE}, Figure 1 (a)"),
     Cited("DR-MCS", "behind all that delegate", f"{WHERE}, Figure 1 (a)")),
    (
        Claim("MRQD-copy is faster than CC-Synch in all contended cases.",
              compared("MRQD-copy", "CC-Synch", "tasks", BELOW, CONTENDED, **UPDATES)),
        Claim("MRQD-copy is faster than DR-MCS in all contended cases.",
              compared("MRQD-copy", "DR-MCS", "tasks", BELOW, CONTENDED, **UPDATES)),
        Claim("MRQD-copy is faster than the reader-writer lock in all contended cases.",
              compared("MRQD-copy", "reader-writer", "tasks", BELOW, CONTENDED, **UPDATES)),
        Claim("MRQD-wait is faster than DR-MCS, too.",
              compared("MRQD-wait", "DR-MCS", "tasks", BELOW, CONTENDED, **UPDATES)),
    ),
    headline=True,
)

MIXED = Figure(
    "Figure 1 (b)", "Lookups, 80 %",
    "The same with four lookups for each update. Lower is better.",
    UNLIKE,
    plots("tasks", "tasks", **LOOKUPS),
    (Cited("order of MRQD-copy, -malloc, -wait and DR-MCS", "as with updates only", f"{WHERE}, Figure 1 (b)"),
     Cited("with 99 % lookups", "very small differences", WHERE)),
    (
        Claim("MRQD-copy is faster than DR-MCS in all contended cases.",
              compared("MRQD-copy", "DR-MCS", "tasks", BELOW, CONTENDED, **LOOKUPS)),
        Claim("MRQD-copy is faster than MRQD-wait.",
              compared("MRQD-copy", "MRQD-wait", "tasks", BELOW, CONTENDED, **LOOKUPS)),
    ),
)


def advantage(over, slow, fast, start, end, relation, **conditions):
    return tuple(
        (place, in_all(where, lambda where: Trend(
            Ratio(store(slow, where, **conditions), store(fast, where, **conditions)), over, relation, start, end,
            unit="", name=f"{slow} divided by {fast}"))) for place, where in deciding(PLACES))


KEYS = Figure(
    "Figure 2 (a)", "The number of keys",
    "Updates only by 8 tasks, over the number of keys. Lower is better.",
    UNLIKE + "Eight tasks, as the paper has threads, on fewer processors.",
    plots("range", "keys", tasks=8, value=""),
    (Cited("advantage of delegation over DR-MCS", "larger with fewer keys", f"{WHERE}, Figure 2 (a)"),
     Cited("with the most keys", "all slow down: memory instead of the shared cache", f"{WHERE}, Figure 2 (a)")),
    (
        Claim("What delegation (MRQD-copy) gains over DR-MCS is more with fewer keys (64 against 1,000,000).",
              advantage("range", "DR-MCS", "MRQD-copy", 64, 1000000, BELOW, tasks=8, value="")),
        Claim("MRQD-copy is faster than DR-MCS for every number of keys.",
              compared("MRQD-copy", "DR-MCS", "range", BELOW, tasks=8, value="")),
    ),
)

VALUES = {"range": 1024, "tasks": 8}

SIZE = Figure(
    "Figure 2 (b)", "The size of the values",
    "Updates only by 8 tasks with 2^10 keys, over the bytes of a value. Lower is better.",
    UNLIKE,
    plots("value", "bytes of a value", **VALUES),
    (Cited("MRQD-malloc", "least affected by the size", f"{WHERE}, Figure 2 (b)"),
     Cited("MRQD-copy", "best up to a few cache lines", f"{WHERE}, Figure 2 (b)")),
    (
        Claim("Values of 64 bytes: MRQD-copy is faster than MRQD-malloc.",
              compared("MRQD-copy", "MRQD-malloc", "value", BELOW, {"least": 64, "most": 64}, **VALUES)),
        Claim("Larger values cost MRQD-copy more than MRQD-malloc (1,024 bytes against 64, as a ratio).",
              advantage("value", "MRQD-copy", "MRQD-malloc", 64, 1024, ABOVE, **VALUES)),
    ),
)

NODES = machine(64)

KEYS_OF_NODES = (("65,536 keys", {"range": ""}), ("1,024 keys", {"range": 1024}))

HIERARCHY = Figure(
    "Section 8", "A queue for each node",
    "Tasks on four sockets insert and delete keys, which are written into one queue, or into one for each node whose "
    "helpers take turns: over the number of tasks. Lower is better.",
    UNLIKE + "The paper names this variant and leaves its figures to another paper.",
    tuple(
        Plot(f"Simulated, four sockets, 64 processors, {keys}", "tasks", "tasks", TIME,
             tuple(Series(name, store(name, NODES, **limits)) for name, _ in QUEUES), log_y=True)
        for keys, limits in KEYS_OF_NODES),
    (Cited("on NUMA machines", "faster delegation and execution, but depends on the workload", "section 8"),),
    (
        Claim("A queue for each node is faster than one for all.", tuple(
            (f"simulated, 64, {keys}", in_all(NODES, lambda where, limits=limits: Compare(
                store("one for each node", where, **limits), store("one queue", where, **limits), "tasks", BELOW,
                ("one for each node", "one queue")))) for keys, limits in KEYS_OF_NODES)),
    ),
)

PAPER = Paper(
    "delegation", "Delegation",
    "D. Klaftenegger, K. Sagonas, K. Winblad: Delegation Locking Libraries for Improved Performance of Multithreaded "
    "Programs.",
    "one Intel Xeon E5-4650 (8 cores, 16 threads, 2.7 GHz)",
    (SCALING, MIXED, KEYS, SIZE, HIERARCHY),
)
