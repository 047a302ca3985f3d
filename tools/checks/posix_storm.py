"""The storm of POSIX objects (tools/verify/posix/storm/): with the host's threads, and as tasks, in various places."""

import os
import shlex
import time
from dataclasses import dataclass

from harness import explain, process

from .building import make
from .case import Group, failed, verdict
from .hosted import SANITIZERS, watched
from .storm import CHAINS, LINGERS, QUANTA

LOGS = "build/posix-storm"
STUCK = 300  # seconds beyond the planned time: the program reports what hangs much earlier
PATIENCE = 60  # seconds that a turn may take
# GCC's ThreadSanitizer knows neither C11's threads nor functions with a clock of choice, nor that the holder of a
# robust mutex has ended, nor that a barrier may be destroyed at once, nor the locks in sem_close(); signals it keeps.
UNKNOWN = ("clocks=0", "without=c11,cancellation,once,robust,barriers,semaphores,signals,sigwait")
UNKEPT = ("without=sigwait",)  # a real-time signal that is sent to a waiting task does not reach it
MISUSES = {"TSAN_OPTIONS": "report_mutex_bugs=0"}  # the storm unlocks what it does not hold
NOISE = "ends while it holds the mutex"  # holders that die are what the storm makes


@dataclass(frozen=True)
class Place:
    """`processors`: their number, by the seed; none: the host's threads."""

    build: str
    processors: tuple = ()
    seconds: int = 10

    def binary(self):
        return f"{LOGS}/{self.build}/storm"

    def count(self, seed):
        return self.processors[seed % len(self.processors)] if self.processors else None


PLACES = (
    Place("tasks", (2, 3, 1)), Place("tasks-growing", (1, 2, 3)), Place("tasks-asan", (2, 3, 1), 20),
    Place("threads"), Place("tasks-tsan", (2, 1, 3), 20), Place("tasks-debug", (3, 2, 1)), Place("threads-tsan"),
)
# What fits into make test.
SHORT = (
    Place("threads", (), 4), Place("tasks", (2,), 6), Place("tasks-growing", (1,), 6), Place("tasks-asan", (2,), 6),
    Place("tasks-tsan", (2,), 6),
)


def heddle(place, seed):
    """Heddle's words; nothing for the host's threads."""
    if not place.processors:
        return ""
    quantum = QUANTA[seed % len(QUANTA)]
    chosen = [f"processors={place.count(seed)}", f"sched={'global' if seed % 4 == 1 else 'local'}",
              f"chain={CHAINS[seed % len(CHAINS)]}", f"linger={LINGERS[seed // 2 % len(LINGERS)]}"]
    chosen += [f"quantum={quantum}"] if quantum else []
    chosen += ["extension=0"] if seed % 5 == 3 else []
    chosen += ["plain=off"] if seed % 6 == 4 else []
    return " ".join(chosen)


def run(place, seed):
    """(outcome, what went wrong, the command that reproduces it)"""
    less = UNKNOWN if place.build == "threads-tsan" else UNKEPT if place.processors else ()
    words = [f"seed={seed}", f"seconds={place.seconds}", f"patience={PATIENCE}", *less]
    command = [*(watched() if place.build.endswith("tsan") else []), place.binary(), *words]
    settings = {**(SANITIZERS if "san" in place.build else {}),
                **({"HEDDLE": heddle(place, seed)} if place.processors else MISUSES)}
    outcome = process.follow(command, place.seconds + STUCK, environment=settings)
    said = [line for line in [*outcome.lines, *outcome.errors.splitlines()] if NOISE not in line]
    again = shlex.join(["env", *[f"{name}={value}" for name, value in settings.items()], *command])
    if outcome.status == 0 and any(line.endswith("nothing is wrong") for line in said):
        return said, [], again
    end = "it does not end" if outcome.timed_out else f"status {outcome.status}"
    return said, [f"{end}; it said:", *said[-explain.LAST_LINES:]], again


def keep(place, seed, said, again):
    """Where its output is."""
    path = os.path.join(LOGS, f"{place.build}-{seed}.log")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([again, *said]) + "\n")
    return path


def title(place, seed):
    where = f", {place.count(seed)} processors" if place.processors else ""
    return f"{place.build}{where}, seed {seed}"


def case(place, seed):
    said, sentences, again = run(place, seed)
    if sentences:
        sentences += [f"all that it said is in {keep(place, seed, said, again)}; again: {again}"]
    return verdict(title(place, seed), sentences)


def cases(places, seed):
    success, lines = make(*(place.binary() for place in places))
    if not success:
        return [failed("the storm is built", lines)]
    return [case(place, seed + number) for number, place in enumerate(places)]


def groups():
    seed = int(time.time()) % 100000
    return [Group("posix storm: all that POSIX's threads have, at once", lambda: cases(SHORT, seed))]
