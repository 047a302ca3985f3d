"""The kernel in Bochs, which emulates details of real processors that QEMU omits (harness/bochs.py)."""

import re

from harness import bochs, explain, parallel

from .case import Group, verdict
from .hosted import from_report
from .kernel import PROOF, RELEASE

COUNTS = (1, 2, 8)


def boots(count, model):
    """All processors come up and run a program, and the machine switches itself off."""
    machine = bochs.Machine(processors=count, model=model, kernel=RELEASE, words=[PROOF])
    outcome = bochs.follow(machine, 180)
    sentences = bochs.explain_end(outcome) or explain.wrong_results(outcome, count)
    return [verdict(machine.describe(), sentences)]


def tests(model, kernel):
    """All tests on four processors: this takes ten minutes and more, so only `make machines` runs it."""
    outcome = bochs.follow(bochs.Machine(processors=4, model=model, kernel=kernel, words=["run=test"]), 900)
    return from_report(outcome, bochs.explain_end(outcome))


# How a differing counter is corrected, by model: the second model has no register for that.
MEANS = dict(zip(bochs.MODELS, ("they were moved", "an offset is kept")))
COUNTER = 0x10  # the register
COUNTERS = {"ahead": 1 << 40, "behind": 0}  # of the boot processor


def skewed(model, how):
    """Counters that differ by seconds or hours are corrected, so no processor sees a time in the future."""
    registers = [(COUNTER, COUNTERS[how])]
    machine = bochs.Machine(
        processors=3, model=model, kernel=RELEASE, words=["run=clock,rounds=3000"], registers=registers
    )
    outcome = bochs.follow(machine, 180)
    sentences = bochs.explain_end(outcome) or explain.wrong_results(outcome, 3)
    if not any("counters differed" in line and MEANS[model] in line for line in outcome.lines):
        sentences += [f"it was not logged that \"{MEANS[model]}\":", *explain.last_lines(outcome)]
    return [verdict(f"the boot processor's counter is {how}, {model}", sentences)]


# Memory from 64 to 96 MiB is uncached on the boot processor: base and mask of the last range.
UNCACHED = [(0x20E, 0x4000000), (0x20F, 0xFFFE000000 | 1 << 11)]
UNCACHED_SAID = (
    r"warning: memory types: the firmware has left 32 of \d+ MiB uncached \(MTRRs\); they are not used",
    r"warning: memory types: on 2 processors they differed .*; on 0 they cannot be changed",
)


def uncached(model):
    """Uncached memory is left out, and all processors agree on what is cached."""
    cached, outcome = (
        bochs.follow(bochs.Machine(processors=3, model=model, kernel=RELEASE, words=[PROOF], registers=registers), 180)
        for registers in ([], UNCACHED)
    )
    sentences = bochs.explain_end(cached) or bochs.explain_end(outcome) or explain.wrong_results(outcome, 3)
    missing = [f"no line matches \"{said}\"" for said in UNCACHED_SAID
               if not any(re.search(said, line) for line in outcome.lines)]
    if missing:
        sentences += [*missing, *explain.last_lines(outcome)]
    if abs(explain.memory(cached) - explain.memory(outcome) - 32) > 1:  # both are rounded
        sentences.append(f"{explain.memory(outcome)} MiB are left of {explain.memory(cached)}, not 32 less")
    return [verdict(f"uncached memory, {model}", sentences)]


def all_boots():
    # The slowest first, so that it does not run alone at the end.
    calls = [lambda count=count, model=model: boots(count, model)
             for count in reversed(COUNTS) for model in bochs.MODELS]
    calls += [lambda model=model, how=how: skewed(model, how) for model, how in zip(bochs.MODELS, COUNTERS)]
    calls.append(lambda: uncached(bochs.MODELS[0]))
    return [case for cases in parallel.results(calls) for case in cases]


def groups():
    return [Group("bochs: boots of 1 to 8 processors, two models", all_boots, alone=True)]
