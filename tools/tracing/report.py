"""A trace as text for a terminal: the longest waits and what ended them, and the critical path."""

from collections import defaultdict
from dataclasses import dataclass

from . import area, timeline

ROWS = 10
STEPS_MOST = 100000


def duration(nanoseconds):
    """With three digits."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            number = nanoseconds / size
            return f"{number:.3g} {unit}" if number < 999.5 else f"{number:.0f} {unit}"
    return f"{nanoseconds} ns"


def columns(heading, rows, width):
    """A table; the last column is cut to the width of the terminal."""
    table = [heading, *rows]
    sizes = [max(len(row[place]) for row in table) for place in range(len(heading))]
    lines = []
    for row in table:
        first, *others = (cell.ljust(size) for cell, size in zip(row, sizes))
        line = "  ".join([first.rstrip().rjust(sizes[0]), *others]).rstrip()
        lines.append(line if len(line) <= width else line[: width - 1] + "~")
    return lines


# ------------------------------------------------------------------------------------------------- summary


def summary(line):
    trace = line.trace
    counts = ", ".join(f"{line.counts[kind]} {area.EVENT_NAMES[kind]}" for kind in sorted(line.counts))
    yield f"{len(trace.events)} events of {len(trace.rings)} processors in {duration(line.end - line.begin)}: {counts}"
    yield f"{line.taken} tasks taken from other processors' queues, {line.migrations} went on on another than before"
    if trace.lost():
        yield f"LOST: {trace.lost()} older events were written over; trace=on,size=EVENTS keeps more"
    if trace.untold:
        yield f"LOST: {trace.untold} names of tasks or kinds, for which there was no room"
    if not trace.finished:
        yield "the run did not come to its end: these are the last events before"
    for index, runs in enumerate(line.runs):
        busy = sum(run.end - run.begin for run in runs)
        whole = max(line.end - line.begin, 1)
        yield f"processor {index}: {len(runs)} turns of tasks, busy {100 * busy / whole:.1f} %"


# ------------------------------------------------------------------------------ which task for which


def giver_of(wait):
    if wait.end is None:
        return "no task yet"
    if wait.giver is timeline.NO_TASK:
        return "its deadline"
    if wait.giver is timeline.IDLE:
        return "an idle processor"
    return wait.giver.label()


def whole(wait, line):
    return (wait.end if wait.end is not None else line.end) - wait.begin


def longest_waits(line, width):
    waits = sorted(line.waits, key=lambda wait: -whole(wait, line))[:ROWS]
    rows = [(duration(whole(wait, line)), wait.task.label(), wait.what(), giver_of(wait)) for wait in waits]
    return columns(("waited", "who", "for", "until given by"), rows, width)


def pairs(line, width):
    """All waits of one task for another at one object, added up."""
    sums = defaultdict(lambda: [0, 0])
    for wait in line.waits:
        entry = sums[wait.task.label(), giver_of(wait), wait.what()]
        entry[0] += whole(wait, line)
        entry[1] += 1
    top = sorted(sums.items(), key=lambda item: -item[1][0])[:ROWS]
    rows = [(duration(total), str(times), who, whom, what) for (who, whom, what), (total, times) in top]
    return columns(("waited", "times", "who", "for whom", "at"), rows, width)


def objects(line, width):
    """What was waited for, all tasks added up."""
    sums = defaultdict(lambda: [0, 0, 0])
    for wait in line.waits:
        entry = sums[wait.what()]
        entry[0] += whole(wait, line)
        entry[1] += 1
        entry[2] = max(entry[2], whole(wait, line))
    top = sorted(sums.items(), key=lambda item: -item[1][0])[:ROWS]
    rows = [(duration(total), str(times), duration(most), what) for what, (total, times, most) in top]
    return columns(("waited", "times", "longest", "for"), rows, width)


# ------------------------------------------------------------------------------------------ critical path


@dataclass
class Step:
    begin: int
    end: int
    what: str  # "runs", "ready", "waits"
    task: timeline.Task


def critical_path(line):
    """Backwards from the last end: what a task ran, how long it was ready before that; and where it had waited,
    continuing with the task that ended the wait. Each moment is in one step, and the steps cover the whole time."""
    last = [runs[-1] for runs in line.runs if runs]
    if not last:
        return []
    run = max(last, key=lambda each: (each.end, each.begin))
    at, steps = run.end, []
    while run is not None and len(steps) < STEPS_MOST:
        begin = min(run.begin, at)
        steps.append(Step(begin, at, "runs", run.task))
        wait, before = run.by, run.before
        if wait is not None:
            steps.append(Step(min(wait.end, begin), begin, "ready", run.task))
            at = min(wait.end, begin)
            if wait.giver_run is not None and wait.giver_run is not run and wait.giver_run.begin <= at:
                run = wait.giver_run
                continue
            # Ended by something without a history: its deadline, or an idle processor.
            came = before.end if before else wait.begin
            steps.append(Step(min(came, at), at, "waits", run.task))
            at, run = min(came, at), before
        elif before is not None:
            steps.append(Step(min(before.end, begin), begin, "ready", run.task))
            at, run = min(before.end, begin), before
        else:
            born = run.task.born
            if born is not None and born <= begin:
                steps.append(Step(born, begin, "ready", run.task))
                at, run = born, run.task.maker
            else:
                run = None
    return [step for step in reversed(steps) if step.end > step.begin]


def path_lines(line, width):
    steps = critical_path(line)
    if not steps:
        return ["there is none: no task ran"]
    total = max(steps[-1].end - steps[0].begin, 1)
    parts = defaultdict(int)
    tasks = defaultdict(lambda: defaultdict(int))
    for step in steps:
        parts[step.what] += step.end - step.begin
        tasks[step.task.label()][step.what] += step.end - step.begin
    words = {"runs": "tasks run", "ready": "a task is ready and waits for a processor",
             "waits": "a task waits for time, or for what is outside"}
    lines = [f"{duration(total)} of {duration(line.end - line.begin)}, in {len(steps)} steps:"]
    for what in words:
        if parts[what]:
            lines.append(f"  {100 * parts[what] / total:5.1f} %  {words[what]}")
    top = sorted(tasks.items(), key=lambda item: -sum(item[1].values()))[:ROWS]
    rows = [(f"{100 * sum(each.values()) / total:.1f} %", *(duration(each[what]) for what in words), label)
            for label, each in top]
    return lines + columns(("of it", "runs", "ready", "waits", "task"), rows, width)


def text(line, width=80):
    """All lines."""
    lines = list(summary(line))
    if line.waits:
        lines += ["", "The longest waits:", *longest_waits(line, width)]
        lines += ["", "Who waited for whom, all times together:", *pairs(line, width)]
        lines += ["", "What was waited for:", *objects(line, width)]
    lines += ["", "The critical path:", *path_lines(line, width)]
    return lines
