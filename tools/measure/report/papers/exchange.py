"""König, Epple, Becker: Minimize Your Critical Path with Combine-and-Exchange Locks."""

from ..figures import OTHER, Cited, Claim, Figure, Mark, Paper, Plot, Series
from ..quantity import ABOVE, BELOW
from ..rules import Compare, Constant, Ratio, Trend, pick
from .simulated import deciding, in_all, machine

LOCKS = (("exchange", "exchange"), ("dispatch", "dispatch"), ("inline", "inline"))
# Only the mutex may be handed over later than at its unlock; "strict" is the paper's mutex, which never is.
MUTEXES = (("exchange, deferred", "exchange"), ("exchange, strict", "strict"), *LOCKS[1:])
RATE = "thousand sections a second"
MICRO, READERS, APPLICATION, DELAY = "section 6.1", "section 6.2", "section 6.4", "section 6.5"


def suite(row, lock, field="ns", **conditions):
    return pick(row, field, source="heddle", lock=lock, **conditions)


def section(lock, field="ns", **conditions):
    """The rows of Figure 9: only the insertion is in the section."""
    return suite("section", lock, field, section=("", "0"), **conditions)


def against(row, other, over, relation, names, settings, field="rate", **conditions):
    """Cases: exchange against another lock, in each setting."""
    return tuple(
        (name, in_all(where, lambda where, limits=limits: Compare(
            suite(row, "exchange", field, **where, **conditions), suite(row, other, field, **where, **conditions), over,
            relation, names, "thousand/s" if field == "rate" else "ns", **limits)))
        for name, where, limits in deciding(settings)
    )


HOSTED_2, QEMU_64 = {"setting": "hosted", "processors": 2}, {"setting": "kernel", "processors": 64}
SIMULATED = machine(256)
BOTH = (("hosted", HOSTED_2, {}), ("QEMU, 64", QEMU_64, {}), ("simulated, 256", SIMULATED, {}))
GROWING = (("hosted", {"setting": "hosted"}, {"least": 2}), ("QEMU", {"setting": "kernel"}, {}),
           ("simulated", machine(), {"least": 2}))
PLACED = (("Hosted, 2 processors", HOSTED_2), ("QEMU, 64 processors", QEMU_64),
          ("Simulated, 256 processors on two sockets", SIMULATED))
ANY = {"section": ("", "0")}

THROUGHPUT = Figure(
    "Figure 9", "Which task runs next after an unlock",
    "5,000 tasks insert into a map under one mutex and sieve primes outside: thousands of sections a second, over the "
    "number of processors. Higher is better.",
    "2 processors hosted and 4 to 64 emulated ones on two real ones, instead of 256; what travels between caches costs "
    "nothing in an emulator, which is what exchange is to save. Outside a section a number is divided by trial, which "
    "takes some microseconds; on simulated processors it is divided 40 times, so that 256 of them could run as many "
    "sections as the paper reports, if they never waited.",
    tuple(
        Plot(name, "processors", "processors", RATE, tuple(
            Series(label, section(lock, "rate", **where)) for label, lock in locks), marks=marks)
        for name, where, locks, marks in (
            ("Simulated, two sockets", machine(), MUTEXES,
             (Mark(256, 1010, "paper, exchange: 1,010"), Mark(256, 124, "paper, dispatch: 124"))),
            ("Hosted", {"setting": "hosted"}, (*MUTEXES, ("ces-spin", "ces-spin")), ()),
            ("QEMU", {"setting": "kernel"}, MUTEXES, ()))
    ),
    (Cited("exchange against dispatch, 256 threads", "8.1 times", f"{MICRO}, Figure 9"),
     Cited("throughput of the two there", "1.01 and 0.124 million a second", f"{MICRO}, Figure 9"),
     Cited("inline", "collapse of parallelism", f"{MICRO}, Figure 9")),
    (
        Claim("Exchange has a higher throughput than dispatch.",
              against("section", "dispatch", "processors", ABOVE, ("exchange", "dispatch"), GROWING, **ANY)),
        Claim("Inline loses its parallelism: it is behind exchange.",
              against("section", "inline", "processors", ABOVE, ("exchange", "inline"), GROWING, **ANY)),
    ),
    headline=True,
)


GAIN = "exchange divided by dispatch"


def speed_up(row, lock="exchange", **conditions):
    """Exchange's throughput divided by that of dispatch."""
    return Ratio(suite(row, lock, "rate", **conditions), suite(row, "dispatch", "rate", **conditions))


LENGTH = Figure(
    "Figure 10", "The length of the section",
    "As Figure 9, with as many nanoseconds more in each section: the throughput of exchange divided by that of "
    "dispatch. Above 1, exchange is ahead.",
    "As in Figure 9. The marks are what the text of the paper tells for 256 threads.",
    tuple(
        Plot(name, "section", "ns more in the section", "exchange / dispatch",
             tuple(Series(label, speed_up("section", lock, **where)) for label, lock in MUTEXES[:2]), log_x=False,
             marks=(Mark(7500, 2, "paper: 2"),), line=1.0)
        for name, where in PLACED
    ),
    (Cited("up to 250 ns, 256 threads", "one order of magnitude", f"{MICRO}, Figure 10"),
     Cited("7.5 us, 256 threads", "approximately 2 times", f"{MICRO}, Figure 10"),
     Cited("all lengths", "always faster", f"{MICRO}, Figure 10")),
    (
        Claim("Exchange is faster than dispatch at every length.",
              against("section", "dispatch", "section", ABOVE, ("exchange", "dispatch"), BOTH)),
        Claim("What it gains falls with the length of the section (here: 7,500 ns against 250).", tuple(
            (name, in_all(where, lambda where: Trend(speed_up("section", **where), "section", BELOW, 250, 7500, unit="",
                                                     name=GAIN)))
            for name, where, _ in deciding(BOTH))),
    ),
    headline=True,
)

WRITERS = Figure(
    "Figure 11", "Readers and writers",
    "The same with a reader-writer lock: thousands of sections a second, over the share of writers in 10,000. Higher "
    "is better.",
    "As in Figure 9.",
    tuple(
        Plot(name, "writers", "writers in 10,000", RATE,
             tuple(Series(label, suite("readers", lock, "rate", **where)) for label, lock in LOCKS))
        for name, where in PLACED
    ),
    (Cited("50 % writers, 256 threads, against dispatch", "1.55 times", f"{READERS}, Figure 11"),
     Cited("6.25 % writers, 256 threads", "1.23 times", f"{READERS}, Figure 11"),
     Cited("inline", "collapse of parallelism in all cases", f"{READERS}, Figure 11")),
    (
        Claim("Exchange has a higher throughput than dispatch.",
              against("readers", "dispatch", "writers", ABOVE, ("exchange", "dispatch"), BOTH)),
        Claim("With fewer writers the two converge.", tuple(
            (name, in_all(where, lambda where: Trend(speed_up("readers", **where), "writers", BELOW, 5000, 625, unit="",
                                                     name=GAIN)))
            for name, where, _ in deciding(BOTH))),
        Claim("Inline loses its parallelism: it is behind exchange.",
              against("readers", "inline", "writers", ABOVE, ("exchange", "inline"), BOTH)),
    ),
)


def leveldb(lock, field="rate"):
    return pick("readrandom", field, source="leveldb", who=lock)


DATABASE = Figure(
    "Figure 14", "LevelDB, readrandom",
    "Reads of random keys from LevelDB, whose port layer has our mutex and condition: thousands of reads a second, "
    "over the number of concurrent reads. Higher is better.",
    "Hosted on two processors instead of 256. shfllock is ours, written after its paper "
    "(`tools/measure/leveldb/shfllock/`); TCLocks is left out (see the end).",
    (Plot("Hosted", "tasks", "concurrent reads", "thousand reads a second",
          tuple(Series(lock, leveldb(lock)) for lock in ("exchange", "dispatch", "pthread", "shfllock"))),),
    (Cited("against TCLocks, 256 reads", "3.3 times", f"{APPLICATION}, Figure 14"),
     Cited("throughput of the two there", "1.41 and 0.427 million a second", f"{APPLICATION}, Figure 14"),
     Cited("up to 48 reads", "behind; from 64 on ahead of all others", f"{APPLICATION}, Figure 14")),
    (
        Claim("From 64 concurrent reads on exchange is ahead of dispatch.", (("hosted", Compare(
            leveldb("exchange"), leveldb("dispatch"), "tasks", ABOVE, ("exchange", "dispatch"), "thousand/s",
            least=64)),)),
        Claim("From 64 concurrent reads on exchange is ahead of the threads' own mutex.", (("hosted", Compare(
            leveldb("exchange"), leveldb("pthread"), "tasks", ABOVE, ("exchange", "pthread"), "thousand/s",
            least=64)),)),
        Claim("From 64 concurrent reads on exchange is ahead of shfllock.", (("hosted", Compare(
            leveldb("exchange"), leveldb("shfllock"), "tasks", ABOVE, ("exchange", "shfllock"), "thousand/s",
            least=64)),)),
    ),
)


def delay(lock, where):
    return suite("delay", lock, "median_ns", **where)


QUEUING = Figure(
    "Figure 15", "The delay of waiting tasks",
    "How long a lock lies between its unlock and the next section, while a task waits: the median, over the number "
    "of tasks. Lower is better.",
    "A map under one mutex with sections of 319 ns, the paper's median, instead of LevelDB; fewer processors.",
    tuple(
        Plot(name, "tasks", "tasks", "median delay, ns",
             tuple(Series(label, delay(lock, where)) for label, lock in MUTEXES[:3]), log_y=True,
             marks=(Mark(256, 35500, "paper, dispatch: 35.5 us"),))
        for name, where in PLACED
    ),
    (Cited("dispatch, 256 concurrent reads: median delay", "35.5 us", f"{DELAY}, Figure 15"),
     Cited("the median section", "319 ns", f"{DELAY}, Figure 15")),
    (
        Claim("The delay with dispatch grows with the number of tasks.", tuple(
            (name, in_all(where, lambda where, start=start: Trend(delay("dispatch", where), "tasks", ABOVE, start,
                                                                  256)))
            for (name, where, _), start in zip(deciding(BOTH), (4, 16))), OTHER),
        Claim("The delay with exchange is below that with dispatch.",
              against("delay", "dispatch", "tasks", BELOW, ("exchange", "dispatch"), BOTH, "median_ns")),
        Claim("With 256 tasks and dispatch it is two orders of magnitude above the section.", tuple(
            (name, in_all(where, lambda where: Constant(delay("dispatch", where), "tasks", ABOVE, 31900, "the delay",
                                                        "ns", 256, 256)))
            for name, where, _ in deciding(BOTH)), OTHER),
    ),
)


def residency(field, where):
    return pick("residency", field, 100.0, source="heddle", **where)


PLACES = (("hosted, 2", HOSTED_2), ("QEMU, 16", {"setting": "kernel", "processors": 16}),
          ("simulated, 16", machine(16)))

RESIDENCE = Figure(
    "Section 5.4", "Where critical sections run",
    "1,000 tasks enter the sections of some resources: how many per cent of the sections run on the processor where "
    "the one before on the same resource ran.",
    "The paper tells no figure. It has 16 threads, as has the kernel here.",
    (Plot("Sections on the processor of the one before", "resources", "resources", "% of sections",
          tuple(Series(name, residency("same_of_10000", where)) for name, where in PLACES)),),
    (Cited("4 resources, 16 threads", "sections stay on one thread for each resource", "section 5.4"),
     Cited("more resources", "the thread may change", "section 5.4")),
    (
        Claim("While there is contention (4 resources), the sections of a resource stay on one processor (here: at "
              "least 90 % on that of the one before).", tuple(
                  (name, in_all(where, lambda where: Constant(
                      residency("same_of_10000", where), "resources", ABOVE, 90, "the share", "%", 4, 4)))
                  for name, where in deciding(PLACES))),
        Claim("With less contention (1,000 resources) they move more.", tuple(
            (name, in_all(where, lambda where: Trend(
                residency("same_of_10000", where), "resources", BELOW, 4, 1000, unit="%")))
            for name, where in deciding(PLACES)), OTHER),
    ),
)

PAPER = Paper(
    "exchange", "Exchange",
    "S. König, L. Epple, C. Becker: Minimize Your Critical Path with Combine-and-Exchange Locks.",
    "two AMD processors with 256 threads on 2 nodes, and four Intel ones with 64 cores on 4 nodes, Linux 6.8",
    (THROUGHPUT, LENGTH, WRITERS, DATABASE, QUEUING, RESIDENCE),
)
