"""How a suite's programs are built and run, as threads of the host and as tasks, and how they end."""

import os
from dataclasses import dataclass, field

from harness import process
from verify.torture.workshop import STACKS

ARCHIVE, PLUGIN = "build/hosted/libheddle-posix.a", "build/plugin/heddle.so"
COMPILE_LIMIT = 120  # seconds
LINES_SHOWN = 4
# A superuser's program must not set the machine's clock either way.
GUARDED = ["setpriv", "--bounding-set", "-sys_time"] if os.geteuid() == 0 else []
KINDS = ("passed", "failed", "unresolved", "unsupported", "untested", "hangs", "dies", "not-built")
FAILURES = ("failed", "unresolved", "hangs", "dies", "not-built")


class Broken(Exception):
    """What all programs are linked with cannot be built; the text says why."""


@dataclass
class Outcome:
    kind: str  # of KINDS
    details: list = field(default_factory=list)
    seconds: float = 0.0

    @property
    def is_failure(self):
        return self.kind in FAILURES


@dataclass(frozen=True)
class Way:
    """How programs are built and run. `stacks`: of tasks; None: threads of the host."""

    stacks: str
    words: str  # of Heddle's command line
    limit: int  # seconds that a program may take

    @property
    def name(self):
        return f"tasks, {self.stacks} stacks" if self.stacks else "threads of the host"

    def compiled(self):
        return ["-isystem", "user/include/heddle/posix", "-isystem", "user/include", f"-fplugin={PLUGIN}",
                *STACKS[self.stacks]] if self.stacks else []

    def linked(self):
        return [ARCHIVE, "-Wl,--wrap=main", "-Wl,-z,now"] if self.stacks else []

    def follow(self, command, folder, environment):
        return process.follow(command, self.limit, folder=folder, environment={"HEDDLE": self.words, **environment})


def complaints_of(*commands):
    """The errors of the first of the compiler's or linker's commands that fails."""
    for command in commands:
        done = process.follow(command, COMPILE_LIMIT)
        if done.status != 0:
            return done.errors.splitlines()[:LINES_SHOWN] or ["the compiler failed"]
    return []


def outcome_of(followed, kind):
    """The outcome of a program that was followed, whose end means this kind."""
    said = [*followed.lines, *followed.errors.splitlines()]
    end = [f"status {followed.status}"] if kind == "dies" else []
    return Outcome(kind, [*end, *said[-LINES_SHOWN:]], followed.seconds)
