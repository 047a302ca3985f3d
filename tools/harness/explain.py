"""Explains the end of a run, in sentences."""

import os
import re
import signal

from . import emulator, results, suite

# How the hosted program ends, see arch/hosted.
HOSTED_SUCCESS, HOSTED_FAILURE, HOSTED_PANIC = 0, 1, 2

# tools/test tells the sanitizers to end a program with this status; Heddle's own endings differ from it.
SANITIZERS = {"ThreadSanitizer": 66, "AddressSanitizer": 67, "UndefinedBehaviorSanitizer": 68}

THE_END = "the end: "  # the kernel's last line if it does not switch the machine off
MEMORY = re.compile(r"on \d+ nodes?, (\d+) MiB of memory")
LOG_ERROR = re.compile(r"^\[[^]]*\] error: ")
PANIC = "panic: "  # how the report of a panic begins
RUNNING = re.compile(r"^\[[^]]*\] (test \d+: |run=\S* starts)")
LAST_LINES = 15
REPORT_LINES = 120


def last_lines(outcome, count=LAST_LINES):
    """The last lines of the output, indented."""
    lines = list(outcome.lines)[-count:]
    return [f"    {line}" for line in lines] or ["    (nothing was printed)"]


def panic_report(outcome):
    """The lines of a panic, from its first line on, and before them what ran then, indented."""
    lines = list(outcome.lines)
    for number, line in enumerate(lines):
        if PANIC in line:
            running = [before for before in lines[:number] if RUNNING.search(before)][-1:]
            return [f"    {line}" for line in running + lines[number : number + REPORT_LINES]]
    return last_lines(outcome)


def sanitizer_report(outcome):
    """The lines from a sanitizer's first warning on, indented."""
    lines = list(outcome.lines)
    starts = [number for number, line in enumerate(lines) if "Sanitizer" in line or "runtime error" in line]
    start = starts[0] if starts else max(0, len(lines) - LAST_LINES)
    return [f"    {line}" for line in lines[start : start + REPORT_LINES]]


def signal_name(status):
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


def time_out(outcome):
    over = f"the time was over: nothing had ended it after {round(outcome.seconds)} s (TIMEOUT=SECONDS gives it more)."
    if any(line.startswith(PANIC) for line in outcome.lines):
        return [over, "It had panicked:", *panic_report(outcome)]
    return [over, "The last lines were:", *last_lines(outcome)]


def failure_reasons(outcome):
    """Lines of the log that report failures."""
    errors = [f"    {line}" for line in outcome.lines if LOG_ERROR.search(line) or line.startswith("not ok")]
    return errors[-LAST_LINES:] or last_lines(outcome)


def explain_emulator(outcome):
    """Sentences on how QEMU ended; empty if the machine reported success."""
    name = os.path.basename(outcome.command[0])
    if outcome.status is None:
        return [f"{name} could not be started: {outcome.errors}"]
    if outcome.timed_out:
        return time_out(outcome)
    for words, happened in emulator.BOOT_FAILURES.items():
        if any(words in line for line in outcome.lines):
            return [
                f"{happened} before the kernel had started. Most often there is too",
                "little memory, for it or for so many processors: give it more (MEM=2G), or take FIRMWARE=bios.",
                "The last lines were:",
                *last_lines(outcome),
            ]
    if outcome.status == emulator.EXIT_SUCCESS:
        return []
    if outcome.status == emulator.EXIT_FAILURE:
        return ["the kernel reported a failure:", *failure_reasons(outcome)]
    if outcome.status == emulator.EXIT_PANIC:
        return ["the kernel panicked:", *panic_report(outcome)]
    if outcome.status == emulator.EXIT_RESET:
        return [
            "the machine was reset or powered off without a word. A processor that faults while it",
            "handles a fault (a triple fault) does this; `make debug` shows where. The last lines were:",
            *last_lines(outcome),
        ]
    if outcome.status < 0:
        said = [f"    {line}" for line in outcome.errors.splitlines()[-LAST_LINES:]]
        return [f"{name} was ended by {signal_name(outcome.status)}:", *said, *last_lines(outcome)]
    return [
        f"{name} itself failed, with status {outcome.status}; it said:",
        *[f"    {line}" for line in (outcome.errors or "(nothing)").splitlines()[-LAST_LINES:]],
        *(last_lines(outcome) if outcome.lines else []),
    ]


def explain_hosted(outcome):
    """Sentences on how the hosted program ended; empty if it reported success. Its log is on the error stream."""
    outcome.lines.extend(outcome.errors.splitlines())
    if outcome.status is None:
        return [f"the hosted program could not be started: {outcome.errors}; `make hosted` builds it"]
    if outcome.timed_out:
        return time_out(outcome)
    if outcome.status == HOSTED_SUCCESS:
        return []
    if outcome.status == HOSTED_FAILURE:
        return ["the hosted program reported a failure:", *failure_reasons(outcome)]
    if outcome.status == HOSTED_PANIC:
        return ["the hosted program panicked:", *panic_report(outcome)]
    if outcome.status < 0:
        said = f"the hosted program was ended by {signal_name(outcome.status)}; the last lines were:"
        return [said, *last_lines(outcome)]
    if outcome.status in SANITIZERS.values():
        name = next(name for name, status in SANITIZERS.items() if status == outcome.status)
        return [f"{name} found a fault:", *sanitizer_report(outcome)]
    said = f"the hosted program ended with status {outcome.status}, which means nothing; the last lines were:"
    return [said, *last_lines(outcome)]


WHAT_FOLLOWS = re.compile(r"(?:[;.]? ?(?:the last lines were|it said))?:$", re.IGNORECASE)


def said_once(sentences, shown):
    """The sentences without lines that were shown as they came, and without announcing them."""
    left = [line for line in sentences if not (line.startswith("    ") and line[4:] in shown)]
    for number, line in enumerate(left):
        if line.endswith(":") and not "".join(left[number + 1 : number + 2]).startswith("    "):
            left[number] = WHAT_FOLLOWS.sub("", line)
    return [line for line in left if line]


def missing_results(words, found):
    """Sentences on benchmarks of a command line that gave too few results. Other programs need none."""
    names = [re.sub(r",.*", "", word[len("run=") :]) for word in words if word.startswith("run=")]
    came = [result["benchmark"] for result in found]
    return [
        f"results are missing: run={name} was asked for {names.count(name)} times and gave {came.count(name)}"
        if names.count(name) > 1 else f"results are missing: run={name} gave none"
        for name in suite.BENCHMARKS if came.count(name) < names.count(name)
    ]


def memory(outcome):
    """MiB of free memory that the kernel reports; 0 if it has not."""
    return next((int(found[1]) for found in map(MEMORY.search, outcome.lines) if found), 0)


def wrong_results(outcome, processors=None):
    """Sentences on result lines that are missing, damaged, failed their check, or have another number of
    processors."""
    lines = [line for line in outcome.lines if results.is_result(line)]
    sentences = [] if lines else ["no result line was printed"]
    for line in lines:
        try:
            result = results.parse(line)
        except results.DamagedResult as damage:
            sentences.append(str(damage))
            continue
        if result["ok"] is not True:
            sentences.append(f"a result failed its own check: {line}")
        if processors and result["processors"] != processors:
            sentences.append(f"{result['processors']} processors are up instead of {processors}; the log was:")
            sentences += last_lines(outcome, 40)
    return sentences
