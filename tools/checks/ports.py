"""Real programs as hundreds of tasks: what they compute must not depend on where, with how many switches or with which
checks it is computed, and be what a Linux program computes with the host's C library."""

import functools
import glob
import os
import subprocess

from harness import emulator, explain, process, results

from . import building
from .case import Case, Group, Skipped, failed, verdict

PACKAGES = ("lua5.4", "zlib", "musl")
REFERENCE = "build/ports/reference"
NOT_IN_REFERENCE = ("lua.c", "luac.c", "linit.c", "liolib.c", "loslib.c", "loadlib.c", "ldblib.c")
ZLIB = ("adler32", "crc32", "deflate", "inffast", "inflate", "inftrees", "trees", "zutil")

TIMEOUT = 60
LUA, ZLIB_SMALL = "lua,tasks=200,size=5", "zlib,tasks=200,size=20000"
DEEP = "lua,tasks=4,script=10,size=1"
PROGRAMS = (LUA, ZLIB_SMALL)

# Where they run: build, processors, words.
HOSTED = (
    ("hosted", 4, []), ("hosted", 2, ["sched=global"]), ("hosted", 2, ["quantum=1"]), ("hosted", 1, ["quantum=7"]),
    ("hosted-off", 4, []),
)
KERNEL = (("kernel", 4, []), ("kernel-off", 4, []))


def target(build):
    return f"build/{build}/heddle" + (".elf" if build.startswith("kernel") else "")


def need_sources(packages=PACKAGES):
    """The programs are left out of a build for which their sources cannot be fetched."""
    done = subprocess.run(["tools/sources", *packages], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Skipped(done.stderr.strip())


def build(builds):
    """Build them; a list of what went wrong."""
    success, lines = building.make(*sorted({target(name) for name, _, _ in builds}))
    return [] if success else ["it cannot be built:", *lines]


def run(name, processors, words, program):
    """The outcome of a run, and what can be said against it."""
    words = [*words, f"run={program}"]
    if name.startswith("kernel"):
        machine = emulator.Machine(
            kernel=target(name), processors=str(processors), firmware="direct", memory="1G", words=words
        )
        outcome = emulator.follow(emulator.command(machine), TIMEOUT)
        sentences = explain.explain_emulator(outcome)
    else:
        outcome = process.follow([target(name), f"processors={processors}", *words], TIMEOUT)
        sentences = explain.explain_hosted(outcome)
    return outcome, sentences + explain.wrong_results(outcome, processors)


@functools.lru_cache(maxsize=None)
def build_reference():
    """The Linux program; gives back why it could not be built, or None."""
    os.makedirs("build/ports", exist_ok=True)
    lua = [path for path in sorted(glob.glob("build/sources/lua5.4/src/*.c"))
           if os.path.basename(path) not in NOT_IN_REFERENCE]
    sources = ["tools/checks/ports_reference.c", "user/ports/script.c", "user/ports/roundtrip.c", *lua,
               *(f"build/sources/zlib/{name}.c" for name in ZLIB)]
    commands = (
        ["nasm", "-f", "elf64", "-o", f"{REFERENCE}.o", "user/ports/scripts.asm"],
        ["gcc", "-std=gnu17", "-O1", "-w", "-Dluai_makeseed(L)=((unsigned)0x5eed)", "-DZ_SOLO", "-I.",
         "-Ibuild/sources/lua5.4/src", "-Ibuild/sources/zlib", *sources, f"{REFERENCE}.o", "-lm", "-o", REFERENCE],
    )
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return f"the reference cannot be built: {done.stderr.strip()}"
    return None


@functools.lru_cache(maxsize=None)
def wanted(program):
    """The checksum of a program, computed by the host."""
    problem = build_reference()
    assert problem is None, problem
    name, *pairs = program.split(",")
    values = {"size": "10", "level": "6", "tasks": "200", "rounds": "1", **dict(pair.split("=") for pair in pairs)}
    words = ["size"] if name == "lua" else ["size", "level", "tasks", "rounds"]
    command = [REFERENCE, name, *(values[word] for word in words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT)
    assert done.returncode == 0, f"the reference failed: {done.stderr.strip()}"
    return int(done.stdout)


def compare(name, processors, words, program):
    """A case: a program as hundreds of tasks computes what the host does."""
    title = " ".join([name, f"{processors} processors", *words, program])
    outcome, sentences = run(name, processors, words, program)
    if sentences:
        return failed(title, sentences)
    found = [result["checksum"] for result in results.good(outcome.lines)]
    right = wanted(program)
    return verdict(title, [] if found == [right] else [f"the checksum is {found}; the host computes {right}"])


def programs(builds):
    need_sources()
    problems = build(builds)
    if problems:
        return [failed("build", problems)]
    cases = [compare(*where, program) for where in builds for program in PROGRAMS]
    return cases + [depth(builds[0])]


def depth(where):
    """Recursion without an end is an error of the script, not the end of the task."""
    name, processors, words = where
    outcome, sentences = run(name, processors, words, DEEP)
    del outcome
    return verdict(f"{name} {processors} processors {DEEP}", sentences)


def no_state():
    """What is compiled of the C library keeps nothing between calls: tasks may switch anywhere in it."""
    need_sources()
    problems = build(KERNEL[:1])
    if problems:
        return [failed("build", problems)]
    objects = glob.glob("build/kernel/user/ports/musl/**/*.o", recursive=True)
    done = subprocess.run(["nm", "-A", *objects], capture_output=True, text=True, check=True)
    written = [line for line in done.stdout.splitlines() if line.split()[-2] in "bBcCdDsS"]
    return [Case("objects") if objects else failed("objects", ["there are none"]), verdict("writable data", written)]


def groups():
    return [
        Group("real programs: the C library keeps no state", no_state),
        Group("real programs: Lua and zlib, hosted", lambda: programs(HOSTED)),
        Group("real programs: Lua and zlib, kernel", lambda: programs(KERNEL)),
    ]
