"""Everything builds, without a warning."""

import contextlib
import os
import subprocess
import threading

from .case import Case, Group, failed

NEEDS = ()  # these groups build
VARIANTS = (
    "build/kernel/heddle.elf",
    "build/kernel-debug/heddle.elf",
    "build/hosted/heddle",
    "build/hosted-debug/heddle",
    "build/hosted-tsan/heddle",
    "build/hosted-asan/heddle",
    "build/simulated/heddle",
    "build/hosted/libheddle.a",
    "build/heddle.iso",
)
LAST_LINES = 30
MAKING = threading.Lock()  # two makes at once could write the same file


def environment():
    """The environment of a person who calls make, not of make itself."""
    return {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}


def make(*targets, timeout=1200, folder=None):
    """(success, last lines) of make, called as by a person."""
    command = ["make", "--no-print-directory", f"-j{len(os.sched_getaffinity(0))}", *targets]
    try:
        with contextlib.nullcontext() if folder else MAKING:
            done = subprocess.run(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
                env=environment(), cwd=folder, timeout=timeout,
            )
    except subprocess.TimeoutExpired:
        return False, [f"make {' '.join(targets)} was not done after {timeout} s"]
    return done.returncode == 0, done.stdout.splitlines()[-LAST_LINES:]


def build(target):
    success, lines = make(target)
    return [Case(target) if success else failed(target, lines)]


def before(chosen):
    """The groups that build what the chosen ones run, unless they are chosen already. NEEDS of a module lists them; a
    module without NEEDS needs everything."""
    needed = {target for module, _ in chosen for target in getattr(module, "NEEDS", VARIANTS)}
    names = {group.name for _, group in chosen}
    return [group for target, group in zip(VARIANTS, groups()) if target in needed and group.name not in names]


def groups():
    return [Group(f"build: {target}", lambda target=target: build(target), alone=True) for target in VARIANTS]
