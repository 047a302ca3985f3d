"""Negele, Friedrich, Oh, Egger: On the Design and Implementation of an Efficient Lock-Free Scheduler (JSSPP 2015)."""

from ..figures import MERIT, WEAKNESS, Cited, Claim, Figure, Paper, Plot, Series, Table
from ..quantity import ABOVE, BELOW
from ..rules import Compare, Constant, Relative, Trend, pick, shown
from .queues import figure as queues
from .simulated import FOUR, SETTING, deciding, in_all, machine as simulated

EMULATED = (4, 64)
LINUX = {"source": "linux", "who": "linux"}
WHERE = "section 6"
IN_TURN = ("Linux has the same sources on pthreads: hosted Heddle beside the Linux of this host decides. Beside the "
           "distribution's Linux, QEMU has all processors take turns in one thread (tcg,thread=single), for Heddle "
           "alike.")


def machine(processors):
    return simulated(processors, FOUR)


def suite(row, setting, processors, **conditions):
    where = machine(processors) if setting == SETTING else {"setting": setting, "processors": processors}
    return pick(row, source="heddle", **where, **conditions)


def cases_in(make, settings):
    """Cases: the rule that make(of) gives in each place, where of(row, ...) picks what was measured there."""
    def case(where):
        return make(lambda row, **conditions: pick(row, source="heddle", **where, **conditions))

    return tuple((name, in_all(where, case)) for name, where in deciding(settings))


LARGE = {"setting": "kernel", "processors": 64}
SOME = (("hosted", {"setting": "hosted", "processors": 2}), ("QEMU, 64", LARGE), ("simulated, 64", machine(64)))


def linux(row, processors, **conditions):
    return pick(row, processors=processors, **LINUX, **conditions)


def turns(row, processors, **conditions):
    """Heddle in the same run as Linux."""
    return pick(row, source="linux", who="heddle", processors=processors, **conditions)


def itself(row, who, **conditions):
    """The same program as a process of this host: hosted Heddle, or the layer of threads."""
    return pick(row, source="native", who=who, **conditions)


def beside(row, over, relation, factor=1.0, **conditions):
    """Cases: hosted against Linux itself. What is beside it in an emulator decides nothing."""
    name = "Linux" if factor == 1.0 else f"{factor:g} times Linux"
    return (("hosted, beside Linux itself", Compare(
        itself(row, "heddle", **conditions), itself(row, "linux", **conditions), over, relation, ("Heddle", name),
        factor=factor)),)


def compared(row, y, labels=(("", {}),)):
    """Plots of the kernel beside Linux, over the number of tasks. `labels`: further series by conditions."""
    def series(name, source, processors):
        return tuple(Series(f"{name}, {label}" if label else name, source(row, processors, **more))
                     for label, more in labels)

    return tuple(
        Plot(f"Beside Linux in QEMU, {processors} processors in turn", "tasks", "tasks", y,
             series("Heddle", turns, processors) + series("Linux", linux, processors), log_y=True)
        for processors in EMULATED)


def alone(row, y, places, labels=(("Heddle", {}),)):
    """Plots of Heddle by itself. `places`: pairs of a setting and a number of processors."""
    titles = {"hosted": "Hosted, {} processor{}", "kernel": "QEMU, {} processor{}",
              SETTING: "Simulated, four sockets, {} processor{}"}
    return tuple(
        Plot(titles[setting].format(processors, "" if processors == 1 else "s"), "tasks", "tasks", y,
             tuple(Series(name, suite(row, setting, processors, **more)) for name, more in labels), log_y=True)
        for setting, processors in places)


CREATION = Figure(
    "Figure 7", "Making threads",
    "Tasks with an empty body are made, run and reclaimed: nanoseconds a task, over the number that is made before the "
    "creator waits. Lower is better.",
    "An emulator on two processors instead of 64 real ones; at most as many tasks as the machine here has memory for "
    "(1 million with PROFILE=full). " + IN_TURN,
    compared("create", "ns a task") + alone("create", "ns a task", (("hosted", 1), ("kernel", 64), (SETTING, 64))),
    (
        Cited("threads that the runtime makes without significant degradation", "10,000,000", f"{WHERE}, Figure 7"),
        Cited("threads at which the benchmark fails on Linux", "100,000", f"{WHERE}, Figure 7"),
        Cited("threads at which it fails on Windows", "1,000,000", f"{WHERE}, Figure 7"),
    ),
    (
        Claim("A task is made, run and reclaimed in less time than a Linux thread.",
              beside("create", "tasks", BELOW)),
        Claim("Ever more tasks cost no more each (here: the most tasks at most twice what 1,000 cost).", (
            ("hosted", Trend(suite("create", "hosted", 1), "tasks", BELOW, 1000, factor=2)),
            ("simulated, 64", in_all(machine(64), lambda where: Trend(
                pick("create", source="heddle", **where), "tasks", BELOW, 1000, factor=2))),
        )),
    ),
    headline=True,
)

POLICIES = (("local queues", {"policy": "local"}), ("global queue", {"policy": "global"}),
            ("global, the paper's ACQUIRE", {"policy": "paper"}), ("BWoS", {"policy": "bwos"}))

SWITCH = Figure(
    "Figure 8", "Context switches",
    "Tasks that only yield: nanoseconds a yield, over the number of tasks. Heddle has the paper's one global queue, "
    "with its own reuse of nodes and with the paper's (T + 2N nodes), and, as its default, a queue for each processor; "
    "and BWoS (below). Lower is better.",
    "As in Figure 7. In an emulator an atomic operation costs little more than another instruction and lines do not "
    "travel between processors, so contention shows less than on hardware.",
    compared("switch", "ns a yield")
    + alone("switch", "ns a yield", (("hosted", 2), ("kernel", 64), (SETTING, 64)), POLICIES),
    (Cited("Native against Linux", "much worse (no figure in the text)", f"{WHERE}, Figure 8"),
     Cited("with more threads", "stabilizes quickly, then constant", f"{WHERE}, Figure 8")),
    (
        Claim("A switch costs more than Linux's (in the paper with the global queue; here with Heddle's default).",
              beside("switch", "tasks", ABOVE), WEAKNESS),
        Claim("With the global queue the time stays constant from some number of tasks on (here: 10,000 tasks at most "
              "1.5 times what 100 cost).",
              cases_in(lambda of: Trend(of("switch", policy="global"), "tasks", BELOW, 100, 10000, 1.5), SOME)),
        Claim("Heddle's own: a queue for each processor costs less than the paper's global queue.", cases_in(
            lambda of: Compare(of("switch", policy="local"), of("switch", policy="global"), "tasks", BELOW,
                               ("local", "global")), SOME)),
        Claim("Heddle's own: the global queue costs less with its reuse of nodes than with the paper's.", cases_in(
            lambda of: Compare(of("switch", policy="global"), of("switch", policy="paper"), "tasks", BELOW,
                               ("Heddle's reuse", "the paper's")), SOME)),
    ),
    headline=True,
)

LOCKED = "ns a lock and unlock"
SCOPES = (("a lock each", {"scope": "local"}), ("one lock for all", {"scope": "global"}))


LOCKING = Figure(
    "Figure 9", "Locking",
    "Each task locks and unlocks a lock of its own, or one that all share: nanoseconds a lock and unlock, over the "
    "number of tasks. Lower is better.",
    "As in Figure 7. In one thread a lock is seldom found taken. Heddle's locks are handed over by exchange, the "
    "paper's were not.",
    compared("locks", LOCKED, SCOPES) + alone("locks", LOCKED, (("hosted", 2), ("kernel", 64), (SETTING, 64)), SCOPES),
    (Cited("local locks: the three systems", "minimal differences, Native ahead", f"{WHERE}, Figure 9"),
     Cited("global lock", "the cost of a lock rises in Native, by contention for memory", f"{WHERE}, Figure 9")),
    (
        Claim("A lock of its own costs a task less than on Linux.", beside("locks", "tasks", BELOW, scope="local")),
        Claim("One lock for all costs more than one for each.", cases_in(
            lambda of: Compare(of("locks", scope="global"), of("locks", scope="local"), "tasks", ABOVE,
                               ("the shared lock", "its own"), least=2), SOME), WEAKNESS),
    ),
)


def speed_up(setting, processors):
    return Relative(suite("matrix", setting, processors, policy="local"), 1, True)


def speed_up_in(where, make):
    """A rule on the speed-up in a place."""
    return in_all(where, lambda where: make(Relative(
        pick("matrix", source="heddle", policy="local", **where), 1, True)))


# Where, and with how many tasks: as many as processors, some more, many more.
SPEED_UPS = (("hosted", {"setting": "hosted", "processors": 2}, 2, 3, 64),
             ("simulated, 64", machine(64), 64, 72, 128))


MATRIX = Figure(
    "Figure 10", "Matrix multiplication",
    "A multiplication whose rows are shared out among tasks: (a) how many times faster than with one task, higher is "
    "better; (b) nanoseconds a multiplication and addition, lower is better.",
    "Two real processors, also below QEMU's 64: a speed-up above 2 cannot be had in this machine. Matrices of 256 "
    "(hosted; 1,024 with PROFILE=full) and 128 rows; simulated 2,304 rows of 128 columns, so that a processor computes "
    "about as many rows as in the paper.",
    (
        Plot("(a) Hosted, 2 processors", "tasks", "tasks", "speed-up", (Series("Heddle", speed_up("hosted", 2)),)),
        Plot("(a) QEMU, 64 processors", "tasks", "tasks", "speed-up", (Series("Heddle", speed_up("kernel", 64)),)),
        Plot("(a) Simulated, 64 processors", "tasks", "tasks", "speed-up", (
            Series("Heddle", Relative(pick("matrix", source="heddle", policy="local", **machine(64)), 1, True)),)),
        Plot("(b) Hosted, 2 processors", "tasks", "tasks", "ns an operation", (
            *(Series(name, suite("matrix", "hosted", 2, **more)) for name, more in POLICIES),)),
        Plot("(b) QEMU, 64 processors", "tasks", "tasks", "ns an operation", (
            Series("Heddle", suite("matrix", "kernel", 64)),)),
    ),
    (Cited("one thread, Linux (fastest)", "12.5 s", f"{WHERE}, Figure 10 (b)"),
     Cited("one thread, Native (slowest)", "14.7 s", f"{WHERE}, Figure 10 (b)"),
     Cited("speed-up", "close to linear until all cores are used, drops at slightly more threads, then recovers",
           f"{WHERE}, Figure 10 (a)")),
    (
        Claim("The speed-up is close to linear while there are no more tasks than processors (here: at least 0.9 times "
              "the number of tasks).", tuple(
                  (name, speed_up_in(where, lambda of, count=count: Constant(
                      of, "tasks", ABOVE, 0.9 * count, "the speed-up", "", count, count)))
                  for name, where, count, *_ in SPEED_UPS)),
        Claim("With slightly more tasks than processors the speed-up drops.", tuple(
            (name, speed_up_in(where, lambda of, count=count, more=more: Trend(
                of, "tasks", BELOW, count, more, unit="", name="the speed-up")))
            for name, where, count, more, _ in SPEED_UPS), WEAKNESS),
        Claim("With many more tasks it recovers.", tuple(
            (name, speed_up_in(where, lambda of, more=more, many=many: Trend(
                of, "tasks", ABOVE, more, many, unit="", name="the speed-up")))
            for name, where, _, more, many in SPEED_UPS)),
        Claim("The whole takes longer than on Linux, by the checks that the compiler inserts (here with 64 tasks).",
              beside("matrix", "tasks", ABOVE), WEAKNESS),
    ),
)

# The paper's program and sizes; our row and its parameters; milliseconds native and on Linux; what the paper says.
PROGRAMS = (
    ("City", "city", {}, 61, 63, BELOW, 1.25, "level with Linux or ahead (here: below 1.25 times)"),
    ("Eratosthenes", "eratosthenes", {}, 3629, 4750, BELOW, 1, "faster than on Linux"),
    ("Mandelbrot", "mandelbrot", {}, 4066, 5287, BELOW, 1, "faster than on Linux"),
    ("News", "news", {}, 1260, 374, ABOVE, 1, "slower than on Linux"),
    ("Producer, N = 1", "producer", {"pairs": 1}, 1382, 269, ABOVE, 1, "slower than on Linux"),
    ("Producer, N = 64", "producer", {"pairs": 64}, 54495, 105086, BELOW, 1, "faster than on Linux"),
    ("Token ring", "tokenring", {}, 4506, 15672, BELOW, 1, "faster than on Linux"),
)


def cell(quantity, unit=""):
    return "–" if quantity is None else (f"{shown(quantity.value)}{unit}", quantity.anchors, "")


def first_of(found):
    return next(iter(found.values()), None)


def program_table(evidence):
    rows = []
    for name, row, conditions, native, other, *_ in PROGRAMS:
        cells = [name, f"{native:,} ms", f"{other:,} ms", f"{native / other:.2f}"]
        pairs = [(itself(row, "heddle", **conditions), itself(row, "linux", **conditions))]
        pairs += [(turns(row, count, **conditions), linux(row, count, **conditions)) for count in EMULATED]
        for heddle, there in (map(lambda of: first_of(of.over(evidence, "processors")), pair) for pair in pairs):
            cells += [cell(heddle, " ns"), cell(there, " ns"), cell(heddle.over(there) if heddle and there else None)]
        rows.append(tuple(cells))
    head = ("program", "paper: native", "paper: Linux", "native / Linux")
    for place in ("hosted", *(f"QEMU {processors}" for processors in EMULATED)):
        head += (f"Heddle, {place}", f"Linux, {place}", "Heddle / Linux")
    return Table("The paper's milliseconds for the whole program, and nanoseconds an operation here. The ratios can be "
                 "compared: below 1, Linux takes longer.", head, tuple(rows))


TABLE = Figure(
    "Table 1", "Whole programs",
    "Seven programs with many tasks: nanoseconds an operation. Lower is better.",
    "Smaller sizes of Eratosthenes and Mandelbrot and fewer rounds of Producer and Token ring than the paper's; with "
    "PROFILE=full the paper's, but in QEMU. The times are of an operation, so that the ratios can be compared. "
    + IN_TURN,
    cited=tuple(Cited(f"{name}: native, Linux", f"{native:,} ms, {other:,} ms", f"{WHERE}, Table 1")
                for name, _, _, native, other, *_ in PROGRAMS),
    claims=tuple(
        Claim(f"{name}: {says}.", beside(row, "processors", relation, factor, **conditions),
              WEAKNESS if relation == ABOVE else MERIT)
        for name, row, conditions, _, _, relation, factor, says in PROGRAMS
    ),
    tables=(program_table,),
)

PAPER = Paper(
    "scheduler", "Scheduler",
    "F. Negele, F. Friedrich, S. Oh, B. Egger: On the Design and Implementation of an Efficient Lock-Free Scheduler. "
    "JSSPP 2015.",
    "four AMD Opteron 6380 (64 processors at 2.5 GHz), Linux 2.6.32 and Windows Server 2008 R2",
    (CREATION, SWITCH, LOCKING, MATRIX, TABLE, queues(PROGRAMS, POLICIES)),
)
