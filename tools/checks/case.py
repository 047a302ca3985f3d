"""Cases are counted; a group is run, timed and shown as a whole, and often beside another one."""

import re
import time
from dataclasses import dataclass, field

from harness import parallel, process

MISSING = 77  # how a tool ends where sources or programs cannot be had, usual for skipped tests
LINES_SHOWN = 60


@dataclass
class Case:
    name: str
    outcome: str = "passed"  # or "failed", "skipped"
    details: list = field(default_factory=list)


@dataclass
class Group:
    """`run()` returns the cases. A group of a module "boot" is called "boot: ..."."""

    name: str
    run: object
    alone: bool = False  # it uses all processors, measures time, or changes what other groups use


class Skipped(Exception):
    """Raised by a group or case that cannot be run here; the text says why."""


def failed(name, details):
    return Case(name, "failed", list(details))


def verdict(name, sentences):
    """A case that passed if there are no sentences against it."""
    return failed(name, sentences) if sentences else Case(name)


def tool(command, limit, environment=None):
    """How it ended. Skipped where it says that something cannot be had."""
    outcome = process.follow(command, limit, environment=environment)
    if outcome.status == MISSING:
        raise Skipped(outcome.errors.strip())
    return outcome


def said(outcome):
    """How it ended, and its last lines."""
    end = (f"it was not done after {outcome.seconds:.0f} s" if outcome.timed_out
           else f"it ended with status {outcome.status}")
    return [end, *[*outcome.lines, *outcome.errors.splitlines()][-LINES_SHOWN:]]


def expect_refusal(outcome, wanted):
    """It ended with one sentence, that holds what is wanted."""
    lines = outcome.errors.splitlines()
    assert outcome.status == 1 and len(lines) == 1 and wanted in lines[0], said(outcome)


def run_functions(module):
    """One case for each test_... function of a module; they assert, or raise Skipped."""
    cases = []
    for name, function in sorted(vars(module).items()):
        if not name.startswith("test_"):
            continue
        title = name[len("test_") :].replace("_", " ")
        try:
            function()
            cases.append(Case(title))
        except Skipped as reason:
            cases.append(Case(title, "skipped", [str(reason)]))
        except Exception as error:  # any exception in a test is a failure of that test
            cases.append(failed(title, f"{type(error).__name__}: {error}".splitlines()))
    return cases


def judge(group):
    """Run a group; returns its cases, and the seconds that they took."""
    start = time.monotonic()
    try:
        cases = group.run()
    except Skipped as reason:
        cases = [Case(group.name, "skipped", [str(reason)])]
    except Exception as error:  # a group that crashes must not hide the others
        cases = [failed(group.name, [f"the check itself broke: {type(error).__name__}: {error}"])]
    return cases or [failed(group.name, ["not a single case was run"])], time.monotonic() - start


class Tally:
    """Counts cases and shows them."""

    def __init__(self):
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}
        self.failures = []
        self.seen = set()  # what was skipped, and why; printed once

    def run(self, groups):
        """First those that run alone, among them what builds; then the others, as many at a time as there are
        processors."""
        for group in groups:
            if group.alone:
                self.show(group, *judge(group))
        beside = [group for group in groups if not group.alone]
        parallel.results([lambda group=group: judge(group) for group in beside],
                         lambda number, result: self.show(beside[number], *result))

    def show(self, group, cases, seconds):
        numbers = {outcome: sum(case.outcome == outcome for case in cases) for outcome in self.counts}
        for outcome, number in numbers.items():
            self.counts[outcome] += number
        word = "FAILED" if numbers["failed"] else "skipped" if numbers["skipped"] == len(cases) else "ok"
        parts = ", ".join(f"{number} {outcome}" for outcome, number in numbers.items() if number)
        print(f"{word:8}{group.name:62} {seconds:7.1f} s  {parts}", flush=True)
        for case in cases:
            if case.outcome == "failed":
                self.failures.append(f"{group.name}: {case.name}")
            if case.outcome != "passed":
                self.show_details(case)

    def show_details(self, case):
        if case.outcome == "skipped":
            reason = (case.name, *case.details)
            if reason in self.seen:
                return
            self.seen.add(reason)
        mark = "not ok" if case.outcome == "failed" else "skipped"
        print(f"          {mark}: {case.name}")
        for detail in case.details:
            print(f"            {detail}")

    def summary(self):
        """Print the failures again, and the last line; returns the exit status."""
        for failure in self.failures:
            print(f"failed: {failure}")
        line = f"{self.counts['passed']} passed, {self.counts['failed']} failed"
        if self.counts["skipped"]:
            line += f", {self.counts['skipped']} skipped"
        print(line, flush=True)
        return 1 if self.counts["failed"] or not self.counts["passed"] else 0


def matches(group, wanted):
    """Whether a group is asked for: all, or those that begin with or contain one of the words."""
    return not wanted or any(re.search(re.escape(word), group.name) for word in wanted)
