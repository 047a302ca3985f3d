"""The compiler plugin, tested with programs for Linux (tools/plugin/test)."""

from harness import explain, ktap, process

from .building import make
from .case import Case, Group, failed

NEEDS = ()  # it builds what it runs
TIMEOUT = 900
SUBJECTS = (
    ("stub", "what a check saves"),
    ("flow", "control flow, a switch at every check"),
    ("flags", "no check keeps the flags where it need not"),
    ("generated", "programs of csmith, a switch at every check"),
    ("omit", "registers left out are noticed"),
    ("words", "what is live at a check"),
    ("trace", "back traces by GDB"),
    ("gap", "the longest way from check to check"),
    ("hand-over", "the counter around calls that may switch"),
    ("refuse", "bad input"),
    ("delegable", "which sections can be delegated"),
    ("time", "how long the compiler takes for enormous functions"),
    ("stacks", "foreign functions and jumps, where stacks grow"),
    ("room", "functions ask for more stack where they need it"),
    ("callees", "functions whose callees are known"),
    ("rarest", "checks on rare ways"),
    ("account", "reads that need not wait for earlier ones"),
    ("landings", "no check where an exception lands"),
    ("preserve-none", "functions that preserve no register"),
    ("library", "how much stack lean functions of libraries use"),
)


def run(subject):
    success, lines = make("plugin")
    if not success:
        return [failed("the plugin is built", lines)]
    outcome = process.follow(["tools/plugin/test/run", subject], TIMEOUT)
    report = ktap.parse(outcome.lines)
    cases = [Case(result.name, result.outcome, result.details) for result in report.results]
    problems = list(report.problems)
    if outcome.timed_out:
        problems.append(f"it was not done after {TIMEOUT} s")
    if outcome.status != 0 and not any(case.outcome == "failed" for case in cases):
        problems += [f"it ended with status {outcome.status}:", *explain.last_lines(outcome)]
        problems += outcome.errors.splitlines()
    return cases + ([failed("the run as a whole", problems)] if problems else [])


def groups():
    return [Group(f"plugin: {title}", lambda subject=subject: run(subject), alone=subject == "time")
            for subject, title in SUBJECTS]
