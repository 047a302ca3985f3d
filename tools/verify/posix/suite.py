"""The Open POSIX Test Suite: its programs, how they are built, as threads of the host and as tasks, and how they
end."""

import glob
import os
import re
import shutil
import tempfile
from dataclasses import dataclass, field

from harness import process, sources
from verify.torture.workshop import STACKS

PACKAGE = "posixtestsuite"
SOURCES = f"build/sources/{PACKAGE}/conformance/interfaces"
FOLDERS = ("pthread_*", "sem_*")
PROGRAM = re.compile(r"\d+(-\d+)?\.c")
ARCHIVE, PLUGIN = "build/hosted/libheddle-posix.a", "build/plugin/heddle.so"
COMPILER = ["gcc", "-std=gnu99", "-O2", "-w", "-D_POSIX_C_SOURCE=200112L", f"-I{SOURCES}/../../include"]
COMPILE_LIMIT = 120  # seconds
LINES_SHOWN = 4

# How a program ends: include/posixtest.h.
STATUS = {0: "passed", 1: "failed", 2: "unresolved", 4: "unsupported", 5: "untested"}
KINDS = (*STATUS.values(), "hangs", "dies", "not built")
FAILURES = ("failed", "unresolved", "hangs", "dies", "not built")


@dataclass
class Outcome:
    kind: str  # of KINDS
    details: list = field(default_factory=list)
    seconds: float = 0.0

    @property
    def is_failure(self):
        return self.kind in FAILURES


@dataclass
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


def programs():
    """Names as pthread_create/1-1."""
    sources.fetch(PACKAGE)
    found = []
    for folder in FOLDERS:
        for path in glob.glob(f"{SOURCES}/{folder}/**/*.c", recursive=True):
            if PROGRAM.fullmatch(os.path.basename(path)):
                found.append(os.path.relpath(path, SOURCES)[:-len(".c")])
    return sorted(found, key=lambda name: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)])


def build(name, way, target):
    """The errors of the compiler or the linker."""
    commands = ([*COMPILER, *way.compiled(), "-c", f"{SOURCES}/{name}.c", "-o", f"{target}.o"],
                ["gcc", f"{target}.o", *way.linked(), "-pthread", "-lrt", "-lm", "-o", target])
    for command in commands:
        done = process.follow(command, COMPILE_LIMIT)
        if done.status != 0:
            return done.errors.splitlines()[:LINES_SHOWN] or ["the compiler failed"]
    return []


def kind_of(outcome):
    if outcome.timed_out:
        return "hangs"
    return STATUS.get(outcome.status, "dies")


def judge(name, way):
    """Build and run it in a folder of its own."""
    folder = tempfile.mkdtemp(prefix="heddle-posix-")
    try:
        target = f"{folder}/program"
        complaints = build(name, way, target)
        if complaints:
            return Outcome("not built", complaints)
        outcome = process.follow([target], way.limit, folder=folder, environment={"HEDDLE": way.words})
        said = [*outcome.lines, *outcome.errors.splitlines()]
        end = [f"status {outcome.status}"] if kind_of(outcome) == "dies" else []
        return Outcome(kind_of(outcome), [*end, *said[-LINES_SHOWN:]], outcome.seconds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
