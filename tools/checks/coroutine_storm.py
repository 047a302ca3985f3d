"""The storm of the coroutines (runtimes/coroutine_storm.cc) on threads, under the sanitizers, and on Heddle's tasks:
how it is built there, and what a seed means."""

import os
import shlex
import subprocess
import time
from dataclasses import dataclass

from harness import process

from .building import make
from .case import Group, failed, verdict

NEEDS = ()  # it builds what it runs
SOURCE = "tools/checks/runtimes/coroutine_storm.cc"
FOLDER = "build/storm"
STUCK = 300  # seconds beyond the planned time: the program itself says which of its members wait for ever


@dataclass(frozen=True)
class Place:
    """`options`: the compiler's; `machines`: Heddle's words, by the seed."""

    name: str
    options: str
    machines: tuple = ()

    def program(self):
        return f"{FOLDER}/coroutines-{self.name}"

    def command(self, seed, seconds):
        words = [self.machines[seed % len(self.machines)]] if self.machines else []
        return [self.program(), str(seed), str(seconds), *words]


PLACES = (
    Place("threads", "-O2"),
    Place("tsan", "-O2 -fsanitize=thread"),
    Place("asan", "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all"),
    Place("tasks", "-O2 -DON_HEDDLE", ("processors=2", "processors=3 quantum=1", "processors=1")),
    Place("unoptimized", "-O0"),
)
SECONDS = 6  # in make test


def build(place):
    """Sentences if it cannot be built."""
    if place.machines:
        success, lines = make("hosted")
        if not success:
            return ["the library is not built", *lines]
    os.makedirs(FOLDER, exist_ok=True)
    command = ["g++", "-std=c++20", "-g", *place.options.split(), "-Wall", "-Wextra", "-Werror", "-pthread",
               "-Iuser/include", SOURCE, *(["build/hosted/libheddle.a"] if place.machines else []), "-o",
               place.program()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return [f"it cannot be built: {shlex.join(command)}", *done.stderr.splitlines()[:20]] if done.returncode else []


def run(place, seed, seconds):
    """(what it did, what went wrong); the latter with the command that does it again."""
    outcome = process.follow(place.command(seed, seconds), seconds + STUCK)
    did = outcome.lines[-1] if outcome.lines else ""
    if outcome.status == 0:
        return did, []
    how = "it hangs" if outcome.timed_out else f"it ended with status {outcome.status}"
    return did, [how, *outcome.errors.splitlines()[:40], f"again: {shlex.join(place.command(seed, seconds))}"]


def cases():
    seed = int(time.time()) % 100000
    for number, place in enumerate(PLACES):
        wrong = build(place)
        if wrong:
            yield failed(place.name, wrong)
        else:
            yield verdict(f"{place.name}, seed {seed + number}", run(place, seed + number, SECONDS)[1])


def groups():
    return [Group("runtimes: a storm of coroutines", lambda: list(cases()))]
