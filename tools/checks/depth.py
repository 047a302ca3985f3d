"""The kernel's functions have enough stack where stacks grow, and if one had less, that would be found."""

import os
import re
import subprocess
import tempfile

from .building import make
from .case import Case, Group, failed, verdict

BUILDS = ("build/hosted", "build/kernel", "build/hosted-debug", "build/kernel-debug")
PROGRAMS = {"hosted": "heddle", "kernel": "heddle.elf"}
TABLE = "kernel/stack_table.h"
WHOLE = "each task has a whole stack"
CUT = "task_create_full"  # a function that needs much more than is always there


def measure(*arguments):
    return subprocess.run(["tools/verify/depth/measure", *arguments], capture_output=True, text=True, check=False)


def complaints(done):
    said = [*done.stdout.splitlines(), *done.stderr.splitlines()]
    return [] if done.returncode == 0 else [f"it ended with status {done.returncode}:", *said]


def enough(build):
    target = f"{build}/{PROGRAMS[os.path.basename(build).split('-')[0]]}"
    success, lines = make(target)
    if not success:
        return failed(build, [f"{target} cannot be built:", *lines])
    done = measure(build)
    if WHOLE in done.stdout:
        return Case(build, "skipped", [done.stdout.strip()])
    return verdict(build, complaints(done))


def table_with(change):
    """The table with the line of CUT changed; None: there is none."""
    with open(TABLE, encoding="utf-8") as file:
        text = file.read()
    changed = re.sub(rf"^(#define STACK_OF_{CUT} +)(\d+)\n", change, text, flags=re.MULTILINE)
    return changed if changed != text else None


def too_small(title, change):
    """One function has less than it needs: that must be a failure with its name."""
    build = BUILDS[0]
    table = table_with(change)
    if not table:
        return failed(title, [f"{TABLE} has no {CUT}"])
    with tempfile.NamedTemporaryFile("w", suffix=".h", encoding="utf-8") as file:
        file.write(table)
        file.flush()
        done = measure("--table", file.name, build)
    if WHOLE in done.stdout:
        return Case(title, "skipped", [done.stdout.strip()])
    right = done.returncode != 0 and f"{build.removeprefix('build/')}: {CUT}() needs" in done.stderr
    return verdict(title, [] if right else [f"it was let pass; status {done.returncode}:", *done.stderr.splitlines()])


def cases():
    return [
        *map(enough, BUILDS),
        too_small("one that is too small is seen", lambda found: f"{found[1]}{int(found[2]) // 2}\n"),
        too_small("one that is missing is seen", lambda found: ""),
    ]


def groups():
    return [Group("depth: stack of the kernel's functions", cases)]
