"""The exhaustive checks of tools/verify, and its stresses."""

import re

from harness import explain, ktap, process

from .case import Case, Group, failed

NEEDS = ()  # it builds what it runs
TIMEOUT = 1200


def verify():
    outcome = process.follow(["make", "--no-print-directory", "verify"], TIMEOUT)
    lines = [line.strip() for line in outcome.lines]
    report = ktap.parse(lines)
    cases = [Case(result.name, result.outcome, result.details) for result in report.results]
    bad = outcome.timed_out or outcome.status != 0
    if not cases or (bad and not any(case.outcome == "failed" for case in cases)):
        said = [*explain.last_lines(outcome, 30), *outcome.errors.splitlines()[-30:]]
        reason = "it was not done in time" if outcome.timed_out else f"it ended with status {outcome.status}"
        cases.append(failed("the run as a whole", [f"{reason}:", *[re.sub("^ +", "    ", line) for line in said]]))
    return cases


def groups():
    return [Group("verify: the queue, all interleavings and stresses", verify, alone=True)]
