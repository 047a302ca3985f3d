"""Code that reads bytes from outside, on random bytes; and built-in errors that must be found."""

import shutil

from harness import ktap, process

from .case import Case, Group, Skipped, failed

NEEDS = ()  # it builds what it runs
LONG, LONG_SECONDS = ("acpi", "multiboot2", "pvh", "command_line", "program"), 25
SHORT, SHORT_SECONDS = ("log_record",), 2  # one small function, with few paths through it
TIMEOUT = 900


def fuzz(*options):
    if not shutil.which("clang"):
        raise Skipped("clang is not installed; `make setup` installs it")
    outcome = process.follow(["tools/verify/fuzz/run", *options], TIMEOUT)
    report = ktap.parse(outcome.lines)
    cases = [Case(result.name, result.outcome, result.details) for result in report.results]
    if outcome.status != 0 and not any(case.outcome == "failed" for case in cases) or report.problems:
        cases.append(failed("the run as a whole", [*report.problems, *outcome.errors.splitlines()[-20:]]))
    return cases


def groups():
    return [
        Group("fuzz: firmware tables, boot information, words", lambda: fuzz("--seconds", str(LONG_SECONDS), *LONG),
              alone=True),
        Group("fuzz: log of a run before", lambda: fuzz("--seconds", str(SHORT_SECONDS), *SHORT), alone=True),
        Group("fuzz: errors that are built in are found", lambda: fuzz("--errors"), alone=True),
    ]
