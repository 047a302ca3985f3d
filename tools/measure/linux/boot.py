"""One boot of a system with several programs: their results, or what went wrong with each."""

import re
from dataclasses import dataclass, field

from harness import process, results

STARTS = re.compile(r"run=(\S+) starts$")
REASON = re.compile(r"\berror: (.*)|(Out of memory: Killed process \d+ \(\w+\))|(pthread_create: .*)")
PROGRAMS_MAXIMUM = 24  # in one boot; Linux takes 32 words for its first process
CLOCK_MARGIN = 1.1  # the machine's clock may be this much faster than the host's


@dataclass
class Run:
    """One run of a program."""

    words: str
    started: bool = False
    result: dict = None
    failure: str = ""
    reasons: list = field(default_factory=list)

    def end(self, processors):
        """No more output of it will come."""
        ended_badly = any(reason.startswith(f"run={self.words} ") for reason in self.reasons)
        if self.failure:
            return
        if self.result is None or ended_badly:
            self.failure = "; ".join(dict.fromkeys(self.reasons)) or "it printed no result line"
        elif self.result["processors"] != processors:
            self.failure = f"{self.result['processors']} processors were there instead of {processors}"

    def hear(self, line):
        """A line of its output."""
        if results.is_result(line):
            self.take(line)
        reason = REASON.search(line)
        if reason:
            self.reasons.append(next(text for text in reason.groups() if text))

    def take(self, line):
        """A result line of the program."""
        try:
            self.result = results.parse(line)
        except results.DamagedResult as damage:
            self.failure = str(damage)
            return
        if self.result["ok"] is not True:
            self.failure = "; ".join(["it failed its own check", *self.reasons])
        elif self.result.get("out_of_memory"):
            self.failure = "; ".join(["not all of its tasks could be there at once", *dict.fromkeys(self.reasons)])


class Listener:
    """Reads the output of a machine, line by line."""

    def __init__(self, programs):
        self.runs = {words: Run(words) for words in programs}
        self.current = None
        self.versions = ""  # of Linux, as it reports it

    def line(self, line):
        starts = STARTS.search(line)
        if starts and starts[1] in self.runs:
            self.current = self.runs[starts[1]]
            self.current.started = True
        elif line.startswith("[linux] Linux "):
            self.versions = line.removeprefix("[linux] ")
        elif self.current is not None:
            self.current.hear(line)

    def refused(self, lines):
        """Give programs that were never started the reason, if there is one."""
        for run in self.runs.values():
            for line in lines if not run.started else []:
                found = REASON.search(line)
                if found and f"run={run.words.split(',')[0]}:" in line:
                    run.failure = found[1]


def clock_complaint(runs, seconds):
    """A sentence if the programs of one boot have taken longer than the boot as a whole; then none of their figures
    is right. The times at which lines came mean nothing: a busy host delivers them late."""
    counted = sum(run.result["seconds"] for run in runs if run.result)
    if counted <= seconds * CLOCK_MARGIN:
        return ""
    return f"the machine's clock is wrong: it counted {counted:.2f} s, while {seconds:.2f} s passed"


def follow(command, programs, silence):
    """Boot a machine; returns (Listener, outcome)."""
    listener = Listener(programs)
    limit = silence * (len(programs) + 1)
    return listener, process.follow(command, limit, listener.line, on_silence=lambda seconds: True, silence=silence)


def once(system, processors, programs, command, silence):
    """(finished runs, programs to run again, Linux's version) of one boot. If none has started, another boot would
    not help, and all are finished."""
    listener, outcome = follow(command, programs, silence)
    complaint = system.complaint(outcome)
    listener.refused(outcome.lines)
    culprit, runs = listener.current, list(listener.runs.values())
    if complaint and culprit is not None:
        culprit.failure = "; ".join([complaint, *culprit.reasons])
    over = [run for run in runs if run.started or run.failure]
    clock = clock_complaint(over, outcome.seconds)
    for run in over or runs:
        run.failure = run.failure or (clock if over else complaint)
        run.end(processors)
    return over or runs, [run.words for run in runs if over and run not in over], listener.versions


def run(system, processors, programs, silence):
    """Run programs in as few boots as possible: if a program ends the machine, those after it run in another boot.
    For each, (Run, command, Linux's version)."""
    rest = list(programs)
    while rest:
        batch = rest[:PROGRAMS_MAXIMUM]
        command = system.command(processors, batch)
        over, left, versions = once(system, processors, batch, command, silence)
        for found in over:
            yield found, command, versions
        rest = left + rest[PROGRAMS_MAXIMUM:]
