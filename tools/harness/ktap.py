"""Read a KTAP report: the plan, `ok` and `not ok` lines, and what is between them."""

import re
from dataclasses import dataclass, field

PLAN = re.compile(r"1\.\.(\d+)\b")
RESULT = re.compile(r"(?P<bad>not )?ok (?P<number>\d+)(?: -)? ?(?P<name>[^#]*?)(?:\s*#\s*(?P<directive>.*))?$")
SKIP = re.compile(r"SKIP\b\s*(.*)", re.IGNORECASE)


@dataclass
class TestResult:
    name: str
    outcome: str  # "passed", "failed" or "skipped"
    details: list = field(default_factory=list)  # diagnostics that came before its line; why it was skipped


@dataclass
class Report:
    results: list = field(default_factory=list)
    problems: list = field(default_factory=list)  # what is wrong with the report itself


def parse(lines):
    """The report in `lines`; other lines are ignored. Several reports may follow one another."""
    report = Report()
    planned, counted, details, seen_plan = 0, 0, [], False

    def close():
        if seen_plan and counted != planned:
            report.problems.append(f"{planned} tests were planned, {counted} reported: the run ended early")

    for line in lines:
        plan, result = PLAN.match(line), RESULT.match(line)
        if plan:
            close()
            planned, counted, details, seen_plan = int(plan[1]), 0, [], True
        elif result:
            counted += 1
            if int(result["number"]) != counted:
                report.problems.append(f"test {counted} is missing, or its line was lost; next came: {line}")
                counted = int(result["number"])
            report.results.append(test_result(result, details))
            details = []
        elif line.startswith("#"):
            details.append(line)
    close()
    if not seen_plan:
        report.problems.append("no plan (1..N) was printed: the tests did not start")
    return report


def test_result(found, details):
    skip = SKIP.match(found["directive"] or "")
    if found["bad"]:
        return TestResult(found["name"], "failed", details)
    if skip:
        return TestResult(found["name"], "skipped", [skip[1]])
    return TestResult(found["name"], "passed")
