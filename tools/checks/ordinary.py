"""Ordinary programs, not written for tasks, run as many tasks that are switched all the time."""

import os
import subprocess
import tempfile

from harness import explain, process

from .building import make
from .case import Case, Group, failed, verdict
from .hardened import BY_ITSELF
from .library import GROWING

FOLDER = "tools/checks/ordinary"
COUNTED = "-U_FORTIFY_SOURCE -fplugin=build/plugin/heddle.so"
WARNINGS = "-Wall -Wextra -Werror -Iuser/include"
C, CPLUSPLUS = "gcc -std=gnu17 -D_GNU_SOURCE", "g++ -std=c++17"
# How they are built: compiled, linked.
WATCHED = ("whole stacks, -fsanitize=address", f"{COUNTED} -O1 -g -fno-omit-frame-pointer -fsanitize=address",
           "build/hosted/libheddle.a -fsanitize=address")
WAYS = (
    ("whole stacks", f"{COUNTED} -O2", "build/hosted/libheddle.a"),
    ("stacks that grow", f"{GROWING} -O2", "build/hosted/libheddle.a"),
    ("whole stacks, -O3 and AVX", f"{COUNTED} -O3 -mavx2", "build/hosted/libheddle.a"),
    ("stacks that grow, -Os, hardened", f"{GROWING} -Os {BY_ITSELF}", "build/hosted/libheddle.a"),
    ("stacks that grow, sanitized", f"{GROWING} -O1 -fsanitize=undefined",
     "build/hosted/libheddle.a -fsanitize=undefined"),
    WATCHED,
    ("stacks that grow, -flto", f"{GROWING} -O2 -flto", f"-O2 -flto {GROWING} build/hosted/libheddle.a"),
    ("without Heddle", f"{GROWING} -O2 -DWITHOUT_HEDDLE", ""),
)
# The programs, and their last output, with that many tasks.
PROGRAMS = (
    ("plain", C, lambda tasks: ["at exit"]),
    ("frames", C, lambda tasks: ["frames: 0"]),
    ("objects", CPLUSPLUS, lambda tasks: [
        f"static objects: {min(tasks, 7)} names, {tasks} in order, sum {tasks}", "static objects are gone"]),
)
TASKS = 24
MACHINES = [f"processors={count} quantum={quantum} memory=256" for count in (1, 3, 16) for quantum in (50, 7, 1)]
FEWER = [words for words in MACHINES if "processors=16" not in words]  # a sanitizer takes long with many
TIMEOUT = 60


def execute(command):
    """Sentences, if it fails."""
    done = subprocess.run(command.split(), capture_output=True, text=True, check=False)
    return [f"{command}:", *done.stderr.splitlines()] if done.returncode else []


def build(folder, name, compiler, compiled, linked):
    program = os.path.join(folder, name)
    source = f"{FOLDER}/{name}.{'c' if compiler is C else 'cc'}"
    # The address of an inner function needs an executable stack, and the linker warns about that.
    return (execute(f"{CPLUSPLUS} -O2 {WARNINGS} -c {FOLDER}/outside.cc -o {folder}/outside.o") or
            execute(f"{compiler} {compiled} {WARNINGS} -c {source} -o {program}.o") or
            execute(f"g++ {program}.o {folder}/outside.o {linked} -pthread -lm -o {program}"))


def run(program, words, last):
    outcome = process.follow([program, words], TIMEOUT)
    said = [line for line in outcome.lines if line]
    if outcome.status == 0 and said[-len(last):] == last:
        return []
    end = "it hangs" if outcome.timed_out else f"it ended with status {outcome.status}"
    return [f"{words}: {end}", *explain.last_lines(outcome), *outcome.errors.splitlines()[-20:]]


def has_avx2():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        return " avx2 " in file.read()


def case(name, way):
    title, compiled, linked = way
    program, compiler, last = name
    if "avx2" in compiled and not has_avx2():
        return Case(f"{program}, {title}", "skipped", ["the processor has no AVX2"])
    with tempfile.TemporaryDirectory() as folder:
        wrong = build(folder, program, compiler, compiled, linked)
        if any("currently only supported on" in line for line in wrong):
            return Case(f"{program}, {title}", "skipped", ["the compiler has no -fsplit-stack"])
        if wrong:
            return failed(f"{program}, {title}", wrong)
        path = os.path.join(folder, program)
        machines = FEWER if way is WATCHED else MACHINES if linked else [""]
        for words in machines:
            wrong += run(path, words, last(TASKS if linked else 1))
    return verdict(f"{program}, {title}", wrong)


def groups():
    def cases():
        success, lines = make("plugin", "hosted")
        if not success:
            return [failed("the library is built", lines)]
        return [case(program, way) for program in PROGRAMS for way in WAYS]

    return [Group("plugin: ordinary C and C++ as tasks", cases)]
