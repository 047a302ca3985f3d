"""The kernel's functions have the stack that they need where stacks grow, and where one had less that would be seen."""

import os
import re
import shutil
import subprocess
import tempfile

from .building import make
from .case import Case, Group, failed, verdict

BUILDS = ("build/hosted", "build/kernel", "build/hosted-debug", "build/kernel-debug")
PROGRAMS = {"hosted": "heddle", "kernel": "heddle.elf"}
WHOLE = "each task has a whole stack"
CUT = "task_create"  # a function that needs much more than there is in any case


def measure(*arguments):
    return subprocess.run(["tools/depth/measure", *arguments], capture_output=True, text=True, check=False)


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


def sources_with(folder, change):
    """A copy of what has STACK_ENTRY(), that of CUT changed."""
    for part in ("kernel", "sched", "sync", "arch"):
        shutil.copytree(part, os.path.join(folder, part))
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            changed = re.sub(rf"(STACK_ENTRY\({CUT}, )(\d+)\)", change, text)
            if changed != text:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(changed)
                return True
    return False


def too_small(title, change):
    """One function has less than it needs; that it has must be a failure with its name."""
    build = BUILDS[0]
    with tempfile.TemporaryDirectory() as folder:
        if not sources_with(folder, change):
            return failed(title, [f"{CUT}() has no STACK_ENTRY()"])
        done = measure("--sources", folder, build)
    if WHOLE in done.stdout:
        return Case(title, "skipped", [done.stdout.strip()])
    right = done.returncode != 0 and f"{build.removeprefix('build/')}: {CUT}() needs" in done.stderr
    return verdict(title, [] if right else [f"it was let pass; status {done.returncode}:", *done.stderr.splitlines()])


def cases():
    return [
        *map(enough, BUILDS),
        too_small("one that is too small is seen", lambda found: f"{found[1]}{int(found[2]) // 2})"),
        too_small("one that is missing is seen", lambda found: ""),
    ]


def groups():
    return [Group("depth: stack of the kernel's functions", cases)]
