"""Every kind of control flow, compiled in many ways, with a switch at every check: the results are those of the same
programs without checks."""

import itertools
import re

from . import bench

POLL = "-fplugin-arg-heddle-poll"
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
FRAMES = ("-fno-omit-frame-pointer", "-fomit-frame-pointer")
FEW = (
    "-O0 -fno-omit-frame-pointer",
    "-O1 -fomit-frame-pointer -mno-red-zone",
    "-O2 -fomit-frame-pointer -fno-pie",
    "-O2 -fno-omit-frame-pointer -mavx2 -fPIE",
    "-O3 -fomit-frame-pointer AVX512",
    "-Os -fomit-frame-pointer",
    "-O2 -fomit-frame-pointer POLL",
)
EXTRAS = (
    "", "POLL", "-mno-red-zone", "-fno-pie", "-fPIC", "-mavx2", "AVX512", "-fcf-protection=full",
    "-fstack-protector-all", "-fstack-clash-protection",
)
# With -O2 only.
STRANGE = (
    "-masm=intel", "-masm=intel POLL", "-flto", "-flto -fno-pie", "-flto POLL", "-funroll-all-loops",
    "-fno-reorder-blocks -fno-jump-tables", "-fipa-ra",
    "-fnon-call-exceptions", "-fprofile-generate", "-fstack-protector-strong -fno-pie",
    "-fsanitize=undefined", "-fno-schedule-insns2", "-fno-guess-branch-probability", "-ffunction-sections",
    "-minline-all-stringops", "-mstringop-strategy=rep_8byte", "-maccumulate-outgoing-args", "-mforce-drap",
    "-mstackrealign", "-mtune=atom", "-mtune=bdver2", "-march=native", "-mprefer-vector-width=512 AVX512",
    "-fno-dce -fno-dse", "-fsplit-wide-types-early -fweb -frename-registers", "-fmodulo-sched",
    "-fno-tree-loop-optimize",
    "-fno-ivopts", "-floop-nest-optimize -O3", "-fselective-scheduling2 -fsel-sched-pipelining", "-fno-plt",
    "-fdelete-dead-exceptions", "-fno-tree-scev-cprop -funswitch-loops", "-fschedule-insns -fsched-pressure",
)
BOUNDS = (100, 130, 200, 1000, 30000)


def expand(words):
    """The options that a line of the tables stands for."""
    flags = []
    for word in words.split():
        flags += bench.AVX512 if word == "AVX512" else [POLL] if word == "POLL" else [word]
    return flags


def reference(place):
    """The results without checks, of all tests that this processor can run."""
    best = next(flags for flags in (bench.AVX512, bench.AVX2, []) if bench.processor_has(flags))
    found, complaints = bench.results(place.build("reference", ["-O1", *best]))
    if complaints:
        raise bench.Broken("\n".join(["the programs fail without checks:", *complaints]))
    return found


def has_assembly(source):
    """Whether a program has assembly of its own, which is in one dialect."""
    return re.search(r'__asm__[ a-z]*\("[^"]', source.read_text(encoding="ascii"))


def compare(place, name, flags, expected, bound):
    """What is wrong with the programs compiled in this way."""
    sources = [source for source in bench.PROGRAMS if "-masm=intel" not in flags or not has_assembly(source)]
    program = place.build(name, [*place.with_plugin(bound=bound), *flags], sources)
    found, complaints = bench.results(program)
    complaints += bench.differences(found, expected)
    if not complaints and sum(checks for key in found for _, checks in found[key][:1]) < 1000:
        complaints.append("hardly a check was made")
    if complaints:
        plain, more = bench.results(place.build(f"{name}-plain", [flag for flag in flags if flag != POLL], sources))
        if more or list(bench.differences(plain, expected)):
            complaints.insert(0, "without checks, compiled in the same way, the programs fail too:")
    return complaints[: bench.LINES_SHOWN]


def ways(long):
    if not long:
        return [(words, bench.BOUND_SMALL) for words in FEW] + [("-O2 -fomit-frame-pointer", 1000), ("-O2 -flto", 100)]
    every = [" ".join(words) for words in itertools.product(LEVELS, FRAMES, EXTRAS)]
    every += [f"-O2 {words}" for words in STRANGE]
    return [(words, 100) for words in every] + [(f"{level} ", bound) for bound in BOUNDS for level in ("-O0", "-O2")]


def cases(place, long):
    """Pairs of a name and a function that gives back complaints."""
    expected = reference(place)
    for words, bound in ways(long):
        flags = expand(words)
        name = f"flow {words.strip()} bound={bound}"

        def run(flags=flags, name=name, bound=bound):
            if not bench.processor_has(flags):
                raise bench.Missing("this processor lacks these registers")
            return compare(place, name.replace(" ", ""), flags, expected, bound)

        yield name, run
