"""What is measured: points, each a program with its parameters in one runtime and with one lock. Those of a scene are
compared, so they take turns."""

from dataclasses import dataclass, field

PROFILES = ("quick", "full")
FIBERS = "boost-fiber"
JAVA = "java"
THREADS, TASKS = "coroutines", "coroutines-heddle"  # what runs the coroutines
PROCESSORS = 2
SECTIONS = (0, 250, 1000, 2500, 7500)  # nanoseconds more in a section


@dataclass(frozen=True)
class Contender:
    system: str
    lock: str
    further: tuple = ()  # parameters that only it has, as pairs of a name and a text


@dataclass
class Scene:
    figure: str
    row: str  # the program
    processors: int
    parameters: dict
    contenders: list = field(default_factory=list)

    @property
    def name(self):
        words = " ".join(f"{key}={value}" for key, value in self.parameters.items())
        return f"{self.figure}: {self.row} {words}, {self.processors} processors"


def exchange_by_coroutines(full):
    """The exchange paper's Figures 9 to 11. With inline each waiter is on the stack of the one before, and a task's
    stack is too small for that."""
    work = {"tasks": 5000, "rounds": 40 if full else 4}
    two = [Contender(system, lock) for system in (THREADS, TASKS) for lock in ("exchange", "dispatch")]
    three = [*two, Contender(THREADS, "inline")]
    yield Scene("exchange Figure 9", "section", 1, {**work, "section": 0}, three)
    for section in SECTIONS:
        yield Scene("exchange Figures 9 and 10", "section", PROCESSORS, {**work, "section": section},
                    two if section else three)
    for writers in (5000, 2500, 1250, 625):
        yield Scene("exchange Figure 11", "readers", PROCESSORS, {**work, "writers": writers}, three)


def exchange_in_fibers(full):
    """The exchange paper's Figure 12."""
    for section in SECTIONS:
        yield Scene("exchange Figure 12", "section", PROCESSORS,
                    {"tasks": 5000, "rounds": 40 if full else 4, "section": section},
                    [Contender(FIBERS, "library"), Contender(FIBERS, "exchange")])


def waiting(lock, letters, **further):
    return Contender(FIBERS, lock, (("waiting", letters), *((name, str(value)) for name, value in further.items())))


def exchange_in_java(full):
    """The exchange paper's Figure 13; `dispatch` tells what is the lock's and what the carriers'."""
    for section in SECTIONS:
        yield Scene("exchange Figure 13", "section", PROCESSORS,
                    {"tasks": 5000, "rounds": 40 if full else 4, "section": section},
                    [Contender(JAVA, "library"), Contender(JAVA, "exchange"), Contender(JAVA, "dispatch")])


def locks_on_fibers(full):
    """The lock-algorithms paper's Figures 1 and 3 to 6."""
    contenders = [Contender(FIBERS, "library"), Contender(FIBERS, "exchange"), waiting("ttas", "SYS")]
    contenders += [waiting("mcs", letters) for letters in ("SYS", "SY*", "*YS", "*Y*", "**S")]
    contenders += [waiting("cohort", "SYS", queues=count) for count in ((1, 4, 8, 32) if full else (1, 8))]
    contenders += [waiting("cohort", "SY*", queues=8)]
    for tasks in ((2, 4, 16, 64, 256, 1000) if full else (2, 16, 64, 256)):
        for row, sections in (("increment", 1000), ("parallel", 500)):
            rounds = max(1, sections * (10 if full else 1) // tasks)
            yield Scene("lock-algorithms Figures 1 to 6", row, PROCESSORS, {"tasks": tasks, "rounds": rounds},
                        contenders)


def scenes(profile):
    full = profile == "full"
    return [*exchange_by_coroutines(full), *exchange_in_fibers(full), *exchange_in_java(full),
            *locks_on_fibers(full)]
