"""Real programs as hundreds of tasks: their results must not depend on the build, the number of switches or the
checks, and must equal those of a Linux program with the host's C library."""

import glob
import subprocess

from harness import emulator, explain, process, results, sources

from . import building, ports_host
from .case import Case, Group, Skipped, failed, verdict

PACKAGES = ("lua5.4", "zlib", "musl")
TIMEOUT = 60
# What is run of each program, and the source package that it needs besides those that all need.
PROGRAMS = {
    "Lua": ("lua,tasks=200,size=5", ()),
    "duktape": ("duktape,tasks=200,size=5", ("duktape",)),
    "sqlite3": ("sqlite3,tasks=200,size=100", ("sqlite3-amalgamation",)),
    "zlib": ("zlib,tasks=200,size=20000", ()),
    "lz4": ("lz4,tasks=200,size=20000", ("lz4",)),
    "zstd": ("zstd,tasks=200,size=20000", ("libzstd",)),
}
DEEP = {"Lua": "lua,tasks=4,script=10,size=1", "duktape": "duktape,tasks=4,script=11,size=1"}

# Where they run: build, processors, words.
HOSTED = (
    ("hosted", 4, []), ("hosted", 2, ["sched=global"]), ("hosted", 2, ["sched=paper"]), ("hosted", 2, ["quantum=1"]),
    ("hosted", 1, ["quantum=7"]), ("hosted-off", 4, []),
)
KERNEL = (("kernel", 4, []),)


def target(build):
    return f"build/{build}/heddle" + (".elf" if build.startswith("kernel") else "")


def need_sources(packages=PACKAGES):
    """The programs are left out of a build if their sources cannot be fetched."""
    try:
        sources.fetch(*packages)
    except sources.Missing as reason:
        raise Skipped(str(reason)) from None


def build(builds):
    """Build them; returns a list of what went wrong."""
    success, lines = building.make(*sorted({target(name) for name, _, _ in builds}))
    return [] if success else ["it cannot be built:", *lines]


def run(name, processors, words, program):
    """The outcome of a run, and what is wrong with it."""
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


def compare(name, processors, words, program):
    """A case: a program as hundreds of tasks computes the same as on the host."""
    title = " ".join([name, f"{processors} processors", *words, program])
    outcome, sentences = run(name, processors, words, program)
    if sentences:
        return failed(title, sentences)
    found = [result["checksum"] for result in results.good(outcome.lines)]
    right = ports_host.wanted(program)
    return verdict(title, [] if found == [right] else [f"the checksum is {found}; the host computes {right}"])


def program(name, builds):
    words, packages = PROGRAMS[name]
    need_sources([*PACKAGES, *(package.removesuffix("-amalgamation") for package in packages)])
    problems = build(builds)
    if problems:
        return [failed("build", problems)]
    absent = [package for package in packages if package not in ports_host.present()]
    if absent:
        raise Skipped(f"there is no {absent[0]}, in spite of its sources; the build says more")
    cases = [compare(*where, words) for where in builds]
    return cases + [depth(builds[0], DEEP[name])] if name in DEEP else cases


def depth(where, program):
    """Endless recursion is an error of the script, not the end of the task."""
    name, processors, words = where
    outcome, sentences = run(name, processors, words, program)
    del outcome
    return verdict(f"{name} {processors} processors {program}", sentences)


def no_state():
    """The compiled parts of the C library keep nothing between calls: tasks may switch anywhere in it."""
    need_sources()
    problems = build(KERNEL[:1])
    if problems:
        return [failed("build", problems)]
    objects = glob.glob("build/kernel/user/ports/musl/**/*.o", recursive=True)
    done = subprocess.run(["nm", "-A", *objects], capture_output=True, text=True, check=True)
    written = [line for line in done.stdout.splitlines() if line.split()[-2] in "bBcCdDsS"]
    return [Case("objects") if objects else failed("objects", ["there are none"]), verdict("writable data", written)]


def groups():
    places = (("hosted", HOSTED), ("kernel", KERNEL))
    return [
        Group("real programs: the C library keeps no state", no_state),
        *(Group(f"real programs: {name}, {place}", lambda name=name, builds=builds: program(name, builds))
          for place, builds in places for name in PROGRAMS),
    ]
