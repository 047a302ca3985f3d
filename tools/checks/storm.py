"""The storm (user/test/storm.h) in various places: the list of them, and what a seed means there."""

import os
import shlex
import time
from dataclasses import dataclass

from harness import emulator, explain, process

from . import hosted
from .simulated import SLOW
from .case import Group, failed, verdict

LOGS = "build/storm"
STUCK = 300  # seconds beyond the planned time: the program reports what hangs much earlier


@dataclass(frozen=True)
class Place:
    """`processors`: their number, by the seed; `nodes`: NUMA nodes."""

    build: str
    processors: tuple
    seconds: int = 10
    nodes: int = 1

    def binary(self):
        return f"build/{self.build}/heddle{'' if self.is_process() else '.elf'}"

    def is_hosted(self):
        return self.build.startswith("hosted")

    def is_simulated(self):
        return self.build == "simulated"

    def is_process(self):
        return self.is_hosted() or self.is_simulated()


PLACES = (
    Place("hosted-debug", (2, 3, 1, 4)),
    Place("kernel", (64,), 20),
    Place("hosted", (1, 2, 3, 4, 8)),
    Place("hosted-tsan", (2, 3, 1, 4), 20),
    Place("kernel-debug", (3,), nodes=2),
    Place("hosted-asan", (3, 2, 4, 1, 8)),
    Place("hosted", (2, 5, 6, 7, 8)),
    Place("kernel", (3,)),
    Place("kernel-debug", (64,), 20, nodes=2),
    Place("simulated", (4, 3, 8, 16, 2), 2),
)
# What fits into make test.
SHORT = (
    Place("hosted", (2,), 8), Place("hosted-debug", (3,), 8), Place("hosted-asan", (2,), 8),
    Place("hosted-tsan", (2,), 8), Place("kernel-debug", (3,), 8), Place("kernel", (64,), 8, nodes=2),
    Place("simulated", (4,), 1),
)

# These vary from one seed to the next, each with a different period: a bound of chains, a quantum, and how long an
# idle processor looks for work; 0 is the default.
CHAINS, QUANTA, LINGERS = (64, 1, 4, 64, 1000), (0, 20000, 3000, 0, 0, 200, 5000000), (10000, 0, 10000, 100000)
PAUSES = (5000, 20000, 1000, 100000)  # on the simulated machine; nanoseconds
PATIENCE = {True: 30, False: 90}  # seconds; an emulator may have 64 processors on two


def words(place, seed):
    """The machine's words."""
    quantum = QUANTA[seed % len(QUANTA)]
    hogs = seed % 3 == 2
    chosen = [f"seed={seed}", f"sched={'global' if seed % 4 == 1 else 'local'}", f"chain={CHAINS[seed % len(CHAINS)]}",
              f"linger={LINGERS[seed // 2 % len(LINGERS)]}"]
    chosen += [f"quantum={quantum}"] if quantum else []
    chosen += ["extension=0"] if seed % 5 == 3 else []
    chosen += ["plain=off"] if seed % 6 == 4 else []
    chosen += [f"trace=on,size=1024{f',file={LOGS}/trace' if place.is_process() else ''}"] if seed % 3 == 1 else []
    chosen += ["memory=96"] if hogs and place.is_process() else []
    chosen += [f"machine={SLOW}", f"pauses={PAUSES[seed % len(PAUSES)]}"] if place.is_simulated() else []
    patience = PATIENCE[place.is_process() and "san" not in place.build]
    return [*chosen, f"run=storm,seconds={place.seconds},hogs={int(hogs)},patience={patience}"]


def run(place, seed):
    """(outcome, what went wrong, the command that reproduces it)"""
    count = place.processors[seed % len(place.processors)]
    os.makedirs(LOGS, exist_ok=True)
    if place.is_hosted():
        outcome = hosted.run(place.build, f"processors={count}", *words(place, seed), timeout=place.seconds + STUCK)
        sentences = explain.explain_hosted(outcome)
        settings = [f"{name}={value}" for name, value in hosted.SANITIZERS.items() if "san" in place.build]
        again = shlex.join([*settings, *outcome.command])
    elif place.is_simulated():
        outcome = process.follow([place.binary(), f"processors={count}", *words(place, seed)], STUCK)
        sentences = explain.explain_hosted(outcome)
        again = shlex.join(outcome.command)
    else:
        machine = emulator.Machine(processors=str(count), memory="512M", firmware="direct", kernel=place.binary(),
                                   nodes=place.nodes, words=words(place, seed))
        outcome = emulator.follow(emulator.command(machine), place.seconds + STUCK)
        sentences = explain.explain_emulator(outcome)
        again = shlex.join(outcome.command)
    return outcome, sentences + explain.wrong_results(outcome, count), again


def keep(place, seed, outcome, again):
    """Where its output is."""
    path = os.path.join(LOGS, f"{place.build}-{seed}.log")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([again, *outcome.lines, outcome.errors]) + "\n")
    return path


def case(place, seed):
    outcome, sentences, again = run(place, seed)
    if sentences:
        sentences += [f"all that it said is in {keep(place, seed, outcome, again)}; again: {again}"]
    count = place.processors[seed % len(place.processors)]
    return verdict(f"{place.build}, {count} processors, seed {seed}", sentences)


def groups():
    seed = int(time.time()) % 100000
    return [Group("storm: everything at once, in several places",
                  lambda: [case(place, seed + number) for number, place in enumerate(SHORT)])]
