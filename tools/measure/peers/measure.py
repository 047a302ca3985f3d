"""Run everything in turn: in each round every entry once, in an order that rotates."""

import time
from dataclasses import dataclass, field

from harness import origin, process

from . import outcome


@dataclass
class Entry:
    """One peer in one row. `failure` says why it has no figure."""

    row: object
    peer: str
    command: list
    parameters: dict
    versions: dict
    program: str  # the digest of what runs
    read: object  # from an Outcome of harness.process to (nanoseconds, operations, failure)
    samples: list = field(default_factory=list)  # nanoseconds an operation
    turns: list = field(default_factory=list)  # in which they were taken
    further: list = field(default_factory=list)  # what else the runs told, each by its name
    operations: int = None
    failure: str = None
    seconds: list = field(default_factory=list)  # how long its runs took as a whole

    def identity(self):
        """What must be the same for a sample of an earlier run to count."""
        return {"row": self.row.name, "peer": self.peer, "command": self.command, "versions": self.versions,
                "program": self.program}


@dataclass
class Skipped:
    """A peer, or a row, that cannot be measured here."""

    row: str
    peer: str
    reason: str


def take(entry, timeout, turn):
    """One run of an entry; a failure is noted, and ends its part."""
    ended = process.follow(entry.command, timeout)
    entry.seconds.append(ended.seconds)
    nanoseconds, operations, failure = entry.read(ended)
    if failure is None and entry.operations not in (None, operations):
        failure = f"it did {operations} operations, and {entry.operations} before"
    entry.failure = failure
    if failure is None:
        entry.operations = operations
        entry.samples.append(nanoseconds)
        entry.turns.append(turn)
        entry.further.append(outcome.further(ended))


def seconds_left(entries, wanted):
    """By how long runs took so far; those that had none count like the mean of the others."""
    known = [second for entry in entries for second in entry.seconds]
    mean = sum(known) / len(known) if known else 1.0
    left = 0.0
    for entry in entries:
        if entry.failure is None:
            own = sum(entry.seconds) / len(entry.seconds) if entry.seconds else mean
            left += own * max(wanted - len(entry.samples), 0)
    return left


def compare_work(entries):
    """A peer that does not do as many operations as Heddle in its row does other work; it gets no figure."""
    for entry in entries:
        reference = next((other for other in entries if other.row is entry.row and other.peer == "heddle"), None)
        if reference and None not in (reference.operations, entry.operations) and entry.failure is None:
            if entry.operations != reference.operations:
                entry.failure = f"it did {entry.operations} operations where Heddle did {reference.operations}"


def run(entries, wanted, timeout, sampled, say):
    """`wanted` samples of each. `sampled(entry)` is called for each new one, `say(text)` with what is going on."""
    rows, start = list(dict.fromkeys(entry.row.name for entry in entries)), now()
    for number in range(wanted):
        for row in rows:
            members = [entry for entry in entries if entry.row.name == row]
            turn = number % len(members)
            due = [entry for entry in members[turn:] + members[:turn]
                   if entry.failure is None and len(entry.samples) <= number]
            if due:
                left = round(seconds_left(entries, wanted))
                say(f"round {number + 1} of {wanted}, {row}; about {left // 60} min {left % 60:02} s left")
            for entry in due:
                take(entry, timeout, origin.turn(start, number))
                if entry.failure is not None:
                    say(f"{row}: {entry.peer} is left out: {entry.failure}", True)
                else:
                    sampled(entry)
        compare_work(entries)


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
