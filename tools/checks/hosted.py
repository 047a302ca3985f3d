"""The tests in the hosted program: plain, with assertions, and under the sanitizers."""

import os
import re
import shutil
import signal
import subprocess
import threading
import time

from harness import explain, ktap, process

from .case import Case, Group, failed, verdict

VARIANTS = (
    ("hosted", (1, 2, 4)),
    ("hosted-debug", (1, 2, 8)),
    ("hosted-tsan", (4,)),  # it sees with four processors what it would see with two
    ("hosted-asan", (1, 2, 4)),
)
NEEDS = tuple(f"build/{variant}/heddle" for variant, _ in VARIANTS)
SANITIZERS = {
    "TSAN_OPTIONS": f"history_size=4:exitcode={explain.SANITIZERS['ThreadSanitizer']}",
    "ASAN_OPTIONS": f"exitcode={explain.SANITIZERS['AddressSanitizer']}",
    "UBSAN_OPTIONS": f"print_stacktrace=1:exitcode={explain.SANITIZERS['UndefinedBehaviorSanitizer']}",
}
# Benchmarks, small.
BENCHMARKS = [
    "create,tasks=2000", "creators,tasks=500", "switch,tasks=10,rounds=2000", "matrix",
    "matrix,size=20,rows=300,tasks=7", "mandelbrot", "eratosthenes",
    "tokenring",
    "write,megabytes=1", "client,rounds=50", "client,rounds=50,size=10001,piece=100,bind=1",
    "operations", "lines", "traffic,lock=qd", "traffic,lock=qd-wait",
]
LOCKS = [
    f"{program},lock={lock}"
    for program in (
        "locks,tasks=8,rounds=500", "locks,scope=global,tasks=8,rounds=500", "city,tasks=30", "news,tasks=30",
        "producer,rounds=500", "producer,pairs=4,rounds=500", "section,tasks=30",
        "delay,tasks=30,rounds=20", "residency,tasks=30,rounds=20", "increment,tasks=30,rounds=10,parts=10",
        "parallel,tasks=10,rounds=5", "extension,tasks=10,jobs=5,milliseconds=5,repeats=2",
    )
    for lock in ("exchange", "dispatch", "inline", "ces-spin", "ttas", "mcs", "cohort")
] + [f"readers,tasks=30,lock={lock}" for lock in ("exchange", "dispatch", "inline", "ces-spin")] + [
    f"increment,tasks=30,rounds=10,parts=10,lock={lock},waiting={waiting}"
    for lock in ("ttas", "mcs", "cohort") for waiting in ("SY*", "S*S", "*YS", "*Y*", "**S", "adaptive")
] + [f"parallel,tasks=10,rounds=5,lock=cohort,queue={queue}" for queue in ("node", "random")] + [
    f"store,tasks=8,rounds=100,lookups=3000,lock={lock}"
    for lock in ("exchange", "mutex", "dispatch", "ttas", "mcs", "cohort", "cc-synch", "dr-mcs", "qd", "hqd", "mrqd")
] + [f"store,tasks=8,rounds=100,lookups=3000,lock={lock},step={step}" for lock in ("qd", "hqd", "mrqd")
     for step in ("allocate", "copy")] + [
    f"multiply,tasks=8,rounds=50,lock={lock}" for lock in ("qd", "mrqd", "hqd")
] + [
    "increment,tasks=30,milliseconds=5,warmup=2", "parallel,tasks=30,milliseconds=1,warmup=2,lock=mcs",
    "producer,rounds=500,lock=channel", "producer,pairs=4,rounds=500,lock=channel",
    "locks,tasks=8,rounds=500,variant=dispatch",
    "producer,rounds=200,work=1000", "producer,rounds=200,work=1000,lock=channel",
]
TIMEOUT = 240
LOG_LINES = 40
INTERRUPT_TRIES = 3


def watched():
    """What comes before a program under ThreadSanitizer, which needs a fixed memory layout."""
    return ["setarch", os.uname().machine, "-R"] if shutil.which("setarch") else []


def command(variant, *words):
    """To run a hosted program. ThreadSanitizer needs a fixed memory layout: no address randomization."""
    return [*(watched() if variant == "hosted-tsan" else []), f"build/{variant}/heddle", *words]


def run(variant, *words, timeout=TIMEOUT):
    return process.follow(command(variant, *words), timeout, environment=SANITIZERS)


def from_report(outcome, sentences):
    """The cases of a KTAP report. A run that failed without a failed test is another case."""
    report = ktap.parse(outcome.lines)
    cases = [Case(result.name, result.outcome, result.details) for result in report.results]
    for case in cases:
        if case.outcome == "failed":
            case.details += log_of(case.name, [*outcome.errors.splitlines(), *outcome.lines])
    complaints = list(report.problems)
    if sentences and not any(case.outcome == "failed" for case in cases):
        complaints += sentences
    return cases + ([failed("the run as a whole", complaints)] if complaints else [])


def log_of(name, lines):
    """What was logged while a test ran."""
    shown, inside = [], False
    for line in lines:
        start = re.search(r"\] test \d+: (\S+)$", line)
        if start:
            inside = start[1] == name
        elif inside and line.startswith("[") and len(shown) < LOG_LINES:
            shown.append(line)
    return shown


def tests(variant, count, policy="local"):
    outcome = run(variant, f"processors={count}", f"sched={policy}", "run=test")
    return from_report(outcome, explain.explain_hosted(outcome))


def programs(words, policy, variant="hosted-debug"):
    """Programs, which check their results themselves."""
    cases = []
    for program in words:
        outcome = run(variant, "processors=2", f"sched={policy}", f"run={program}", timeout=120)
        sentences = explain.explain_hosted(outcome)
        cases.append(verdict(program, sentences + explain.wrong_results(outcome)))
    return cases


def asked():
    """SIGQUIT: it reports what its tasks wait for, and goes on, so that it can report again."""
    command = ["build/hosted/heddle", "log=info", "processors=2", "run=client,clients=30,rounds=1000000000"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as program:
        alarm = threading.Timer(TIMEOUT, program.kill)
        alarm.start()
        counts, said = [], []
        for line in program.stderr:
            said.append(line.rstrip())
            found = re.search(r"(\d+) tasks in all", line)
            if found:
                counts.append(int(found[1]))
            if len(counts) == 2:
                program.kill()
            elif found or line.endswith("starts\n"):
                time.sleep(1)  # until its tasks exist
                program.send_signal(signal.SIGQUIT)
        alarm.cancel()
    good = len(counts) == 2 and min(counts) >= 20
    return [verdict("asked twice by SIGQUIT",
                    [] if good else [f"it said how many tasks there are: {counts}", *said[-20:]])]


def interrupts_of(program):
    """How often its tasks were interrupted; None: it does not report that. A thread that the host does not run looks
    like code without checks, so the lowest count of several runs is used."""
    counts = []
    for _ in range(INTERRUPT_TRIES):
        outcome = run("hosted", "processors=2", f"run={program}", "run=statistics", timeout=120)
        found = re.search(r"all processors: .*\binterrupted (\d+) times", outcome.errors + "\n".join(outcome.lines))
        if not found or found[1] == "0":
            return 0 if found else None
        counts.append(int(found[1]))
    return min(counts)


def uninterrupted(words):
    """Code compiled with the plugin has checks, and needs no interrupts (sched/ready.h)."""
    cases = []
    for program in words:
        count = interrupts_of(program)
        said = "says nothing of interrupts" if count is None else f"was interrupted {count} times or more in each run"
        cases.append(verdict(program, [] if count == 0 else [f"run={program} {said}"]))
    return cases


def groups():
    made = [Group("hosted: no benchmark is interrupted",
                  lambda: uninterrupted(BENCHMARKS + [words for words in LOCKS if "exchange" in words]),
                  alone=True)]
    for variant, counts in VARIANTS:
        for count in counts:
            name = f"hosted: tests, {variant}, {count} processors"
            made.append(Group(name, lambda variant=variant, count=count: tests(variant, count)))
    for policy in ("local", "global"):
        made.append(Group(f"hosted: programs, sched={policy}", lambda policy=policy: programs(BENCHMARKS, policy)))
        made.append(Group(f"hosted: locks, sched={policy}", lambda policy=policy: programs(LOCKS, policy)))
    # Two that are there to be compared with. A queue of BWoS keeps tasks from idle processors: some tests say so.
    for policy in ("paper", "bwos"):
        made.append(Group(f"hosted: programs, sched={policy}", lambda policy=policy: programs(BENCHMARKS, policy)))
    made.append(Group("hosted: tests, sched=paper, 2 processors", lambda: tests("hosted-debug", 2, "paper")))
    ours = [words for words in LOCKS if words.endswith(("=exchange", "=channel", "=ttas", "=mcs", "=cohort"))]
    made.append(Group("hosted: locks, hosted-tsan", lambda: programs(ours, "local", "hosted-tsan")))
    made.append(Group("hosted: asked what it does", asked))
    return made
