"""One library in one variant: built, run, judged."""

import time

from harness import process
from verify.libraries import shop
from verify.torture import workshop

LIMIT, LINES_SHOWN = 300, 8


def end_of(outcome):
    """Sentences, if a program ended badly."""
    if outcome.status == 0:
        return []
    return [workshop.describe_end(outcome, LIMIT), *workshop.said_of(outcome)[-LINES_SHOWN:]]


class Trial:
    """`beside`: the object that makes a task of the program; None for the program as it is."""

    def __init__(self, place, library, source, beside):
        self.place, self.library, self.source, self.beside = place, library, source, beside
        self.complaints, self.printed, self.turns, self.seconds = [], {}, {}, 0.0

    def build(self):
        self.place.build(self.library, self.source)
        made = self.place.object(self.library, self.source)
        linked = [self.beside, "-Wl,--wrap=main"] if self.beside else []
        return self.place.link(self.library, [made], linked, "task" if self.beside else "program")

    def run(self, quanta, rounds):
        """With each quantum, or, without any, as it is. Keeps what is wrong."""
        began = time.monotonic()
        try:
            program = self.build()
            for quantum in quanta if self.beside else [None]:
                self.run_once(program, quantum, rounds)
        except shop.Broken as reason:
            self.complaints.append(str(reason))
        self.seconds = time.monotonic() - began
        return self

    def run_once(self, program, quantum, rounds):
        environment = {"TORTURE_QUANTUM": quantum} if quantum else None
        outcome = process.follow([program, rounds], LIMIT, environment=environment)
        self.complaints += [f"quantum {quantum}: {line}" if quantum else line for line in end_of(outcome)]
        self.printed[quantum] = [line for line in outcome.lines if line]
        self.turns[quantum] = workshop.turns_of(outcome)


def judge(trial, expected):
    """What is wrong with a run as a task."""
    found = list(trial.complaints)
    for quantum, lines in trial.printed.items():
        if not found and lines != expected:
            found.append(f"quantum {quantum}: it printed {' '.join(lines)}, not {' '.join(expected)}")
        if not found and trial.turns[quantum] == 0:
            found.append(f"quantum {quantum}: the other task never ran")
    return found
