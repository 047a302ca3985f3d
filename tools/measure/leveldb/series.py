"""Runs of readrandom that take turns, and the lines that are kept of them."""

import os
import shutil
import statistics
from dataclasses import dataclass, field

from harness import explain, origin, process, results

HEDDLE, THREADS = "build/leveldb/heddle/readrandom", "build/leveldb/threads/readrandom"
SHFLLOCK = "build/leveldb/shfllock/readrandom"
SYSTEMS = {
    "exchange": HEDDLE, "dispatch": HEDDLE, "pthread": THREADS, "shfllock": SHFLLOCK, "inline": HEDDLE,
    "ces-spin": HEDDLE,
}
REAL_TIME = ("chrt", "-f", "10")
TIMEOUT = 120.0  # seconds for a run
FILL_TIMEOUT = 600.0
FORMAT = 1
# These fields must be the same in all systems: the same reads of the same database were made.
SAME = ("tasks", "entries", "value", "operations", "key_sum")


class MeasurementFailure(Exception):
    """Nothing can be measured; the text says why."""


@dataclass(frozen=True)
class Setting:
    """The settings of a series."""

    folder: str  # of the database
    entries: int
    value: int
    reads: int
    processors: int
    prefix: tuple = ()  # words in front of each command

    def command(self, system, tasks):
        words = (f"folder={self.folder}", f"entries={self.entries}", f"value={self.value}", f"reads={self.reads}")
        return [*self.prefix, SYSTEMS[system], "action=read", f"lock={system}", f"processors={self.processors}",
                f"tasks={tasks}", *words]


@dataclass
class Point:
    """A system with a number of tasks: one result per run, or why there are none."""

    system: str
    tasks: int
    found: list = field(default_factory=list)
    turns: list = field(default_factory=list)
    failure: str = ""

    def samples(self):
        return [result["ns_per_operation"] for result in self.found]

    def median(self):
        return statistics.median(self.samples())


def real_time():
    """Words that keep the host's other work away; none if that is not allowed."""
    if shutil.which(REAL_TIME[0]) is None or process.follow([*REAL_TIME, "true"], 10).status != 0:
        return ()
    return REAL_TIME


def reason(outcome):
    """Why a program has failed, in a sentence."""
    said = [line for line in outcome.errors.splitlines() if line.startswith(("readrandom: ", "panic: "))]
    return (said or explain.explain_hosted(outcome) or ["it failed without a word"])[0]


def run(command):
    """(result, "") of a run, or (None, why there is none)."""
    outcome = process.follow(command, TIMEOUT)
    if outcome.status != 0 or outcome.timed_out:
        return None, f"{' '.join(command)}: {reason(outcome)}"
    try:
        found = [results.parse(line) for line in outcome.lines if results.is_result(line)]
    except results.DamagedResult as damage:
        return None, str(damage)
    if len(found) != 1 or found[0]["ok"] is not True or not set(SAME) <= set(found[0]):
        return None, f"{' '.join(command)}: it printed no good result line"
    return found[0], ""


def prepare(setting, say):
    """A filled database. One that cannot be read is made again; one that was only partly filled is ignored."""
    check = Setting(setting.folder, setting.entries, setting.value, 1, setting.processors)
    if os.path.isdir(setting.folder):
        if run(check.command("pthread", 1))[0]:
            return
        shutil.rmtree(setting.folder)
    say(f"filling {setting.folder} with {setting.entries:,} entries")
    partial = f"{setting.folder}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    os.makedirs(os.path.dirname(partial), exist_ok=True)
    outcome = process.follow(
        [THREADS, "action=fill", "lock=pthread", f"folder={partial}", f"entries={setting.entries}",
         f"value={setting.value}", f"processors={setting.processors}"], FILL_TIMEOUT)
    if outcome.status != 0 or outcome.timed_out:
        raise MeasurementFailure(f"the database cannot be filled: {reason(outcome)}")
    os.rename(partial, setting.folder)


def agrees(result, first):
    return all(result[name] == first[name] for name in SAME)


def measure(setting, systems, tasks, runs, say):
    """A point for each number of tasks and each system. In each run the systems take turns, in a rotating order. A
    point that fails is not run again."""
    points, start = [[Point(system, count) for system in systems] for count in tasks], origin.now()
    for number in range(runs):
        for row in points:
            say(number, row[0].tasks)
            turn = number % len(row)
            for point in row[turn:] + row[:turn]:
                if not point.failure:
                    measure_once(setting, point, row, origin.turn(start, number))
    return points


def measure_once(setting, point, row, turn):
    result, point.failure = run(setting.command(point.system, point.tasks))
    first = next((other.found[0] for other in row if other.found), result)
    if result and not agrees(result, first):
        point.failure = f"{point.system} with {point.tasks} tasks has not read what the others have read"
    if not point.failure:
        point.found.append(result)
        point.turns.append(turn)


def line(setting, point, where, runs):
    """The line that is kept of a point."""
    base = {
        "format": FORMAT, "row": "readrandom", "system": point.system, "setting": "hosted",
        "processors": setting.processors, "policy": "local", "tasks": point.tasks,
        "parameters": {
            "tasks": point.tasks, "entries": setting.entries, "value": setting.value, "reads": setting.reads,
        },
        "command": " ".join(setting.command(point.system, point.tasks)), "runs": runs, **where,
        "date": origin.now(),
    }
    if point.failure:
        return {**base, "failure": point.failure}
    samples = point.samples()
    also = {name: [result[name] for result in point.found] for name in ("acquisitions", "contended")
            if name in point.found[0]}
    return {**base, "unit": "ns", "samples": samples, "median": point.median(),
            "spread": [min(samples), max(samples)], "turns": point.turns, "also": also}
