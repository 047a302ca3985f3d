"""The trace matches the processors' own counts and what the programs did, according to Perfetto's own reader; cut or
damaged traces are reported."""

import os
import re
import subprocess
import tempfile

from harness import emulator
from tracing import area, machine, perfetto, processor, report, timeline

from . import hosted
from .case import Group, Skipped, failed, verdict

NEEDS = ("build/kernel/heddle.elf", "build/hosted/heddle", "build/hosted-debug/heddle", "build/hosted-tsan/heddle",
         "build/hosted-asan/heddle", "build/simulated/heddle")
TIMEOUT = 100
STATISTICS = re.compile(r"all processors: (\d+) switches, .* (\d+) tasks taken, (\d+) wake-ups sent, idle (\d+) times")
WAITERS = 500

IN_ALL = "select (select count(*) from slice where category = 'task') as turns, (select count(*) from flow) as flows"
FLOWS = "from flow join slice gives on flow.slice_out = gives.id join slice gets on flow.slice_in = gets.id"
NEXT_TURN = ("select id from slice as turn where turn.track_id = gives.track_id and turn.category = 'task' and "
             "turn.ts >= gives.ts order by turn.ts limit 1")
HAND_OVERS = f"select count(*) as hand_overs {FLOWS} where gives.name glob 'hands over mutex*' and gives.ts <= gets.ts"
TRACKS = "select name, count(*) as number from track group by name"
HELD = ("select count(*) as sections, sum(slice.dur < 0) as open from slice join track on slice.track_id = track.id "
        "where track.name glob 'mutex at *' group by track.id order by 1 desc")
OVERLAPS = ("select count(*) as overlaps from slice one join slice other on one.track_id = other.track_id and one.id < "
            "other.id and one.ts + one.dur > other.ts and one.category = 'lock' and other.category = 'lock'")
COUNTERS = ("select name, max(value) as most from counter join counter_track on counter.track_id = counter_track.id "
            "group by name order by name")
WRONG = "select name, value from stats where severity in ('error', 'data_loss') and value > 0"


def line_of(data):
    return timeline.build(area.read(data))


def traced(words, count=2, binary="build/hosted/heddle"):
    """(timeline, the lines of the run)"""
    outcome, sentences, data = machine.run_hosted(binary, count, words, TIMEOUT, lambda line: None)
    lines = [*outcome.lines, *outcome.errors.splitlines()]
    if sentences or data is None:
        raise AssertionError("\n".join([*sentences, *lines[-5:], "there is no trace" if data is None else ""]))
    return line_of(data), lines


def emulated(words, count="4"):
    lines = []
    emulator_machine = emulator.Machine(processors=count, memory="256M", firmware="direct", words=words)
    _, sentences, data = machine.run_emulated(emulator_machine, TIMEOUT, lines.append)
    if sentences or data is None:
        raise AssertionError("\n".join([*sentences, *lines[-5:], "there is no trace" if data is None else ""]))
    return line_of(data), lines


def ask(line, *queries):
    """Perfetto's answers about this timeline."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.pftrace")
        with open(path, "wb") as file:
            file.write(perfetto.write(line))
        try:
            return processor.ask(path, list(queries))
        except processor.Missing as reason:
            raise Skipped(f"Perfetto's trace_processor: {reason}") from None


def counted(lines):
    """Switches, tasks taken, wake-ups and halts, as `run=statistics` prints them."""
    found = [STATISTICS.search(line) for line in lines if STATISTICS.search(line)]
    return [int(number) for number in found[-1].groups()]


def against_statistics(line, lines):
    """The trace contains what the processors had counted when the last program asked them."""
    switches, taken, wakes, halts = counted(lines)
    # They count a halt when it is over, and after the last program there may be one more of everything.
    pairs = (("switches", line.counts.get(area.SWITCH, 0), switches), ("tasks taken", line.taken, taken),
             ("wake-ups", line.counts.get(area.WAKE, 0), wakes), ("halts", line.counts.get(area.RUN, 0), halts))
    return [f"{what}: {seen} in the trace, {right} counted" for what, seen, right in pairs
            if not right <= seen <= right + 2]


def queue_case(where, run):
    """That many tasks wait for one lock: that many hand-overs, each to the task that runs next with it."""
    line, lines = run([f"run=queue,tasks={WAITERS}", "run=statistics"])
    wrong = against_statistics(line, lines)
    found, in_all, names, held, overlaps, counters, bad = ask(line, HAND_OVERS, IN_ALL, TRACKS, HELD,
                                                              OVERLAPS, COUNTERS, WRONG)
    if found[0]["hand_overs"] != WAITERS:
        wrong.append(f"{found[0]['hand_overs']} hand-overs of the mutex, there were {WAITERS}")
    turns = sum(len(runs) for runs in line.runs)
    if in_all[0]["turns"] != turns:
        wrong.append(f"Perfetto sees {in_all[0]['turns']} turns of tasks, there were {turns}")
    tracks = {row["name"] for row in names}
    # A processor that has run no task has none.
    wanted = {f"processor {index}" for index, runs in enumerate(line.runs) if runs} | {"ready tasks", "idle processors"}
    if wanted - tracks:
        wrong.append(f"there is no track {', '.join(sorted(wanted - tracks))}")
    # The program's own task holds it first, while the others queue.
    if held[0]["sections"] != WAITERS + 1 or held[0]["open"] or overlaps[0]["overlaps"]:
        wrong.append(f"holders of the mutex: {held[0]}, {overlaps[0]}")
    most = {row["name"]: row["most"] for row in counters}
    if not 1 <= most["ready tasks"] <= WAITERS + 1 or most["idle processors"] > len(line.runs):
        wrong.append(f"counters: {most}")
    if bad:
        wrong.append(f"Perfetto has objections: {bad}")
    return verdict(f"{where}: switches, hand-overs, holders and counters are what they were", wrong)


def counters_case():
    """On one processor all tasks of `create` are ready at once, because their priority is lower than their
    creator's."""
    line, lines = traced(["run=create,tasks=300"], 1)
    alive = [int(number) for text in lines for number in re.findall(r'"alive":(\d+)', text)]
    found = {row["name"]: row["most"] for row in ask(line, COUNTERS)[0]}
    right = {"ready tasks": alive[0], "idle processors": 1}
    return verdict("counters are what they were", [] if found == right else [f"{found} instead of {right}"])


def dispatch_case():
    """With exchange a processor that gives up a lock runs the next holder at once; with dispatch the next holder waits
    for its turn somewhere. The order of the turns in virtual time shows it, on a busy host as well."""
    shares = {}
    for lock in ("exchange", "dispatch"):
        line, _ = traced([f"run=section,tasks=64,rounds=40,section=20000,lock={lock}", "defer=0"], 2,
                         "build/simulated/heddle")
        found = ask(line, f"select count(*) as number, sum(gets.id = ({NEXT_TURN})) as at_once {FLOWS} "
                    "where gives.name glob 'hands over * at *'")[0][0]
        shares[lock] = found["at_once"] / found["number"] if found["number"] >= 1000 else None
    wrong = []
    if None in shares.values() or shares["exchange"] < 0.9 or shares["dispatch"] > 0.5:
        wrong.append(f"of the hand-overs, so many to the task that the processor runs next: {shares}")
    return verdict("the next holder comes next with exchange, and in its turn with dispatch", wrong)


def lost_case():
    """Events that do not fit are counted and reported."""
    line, _ = traced(["trace=on,size=64", "run=tokenring,tasks=50,rounds=50"], 1)
    text = "\n".join(report.text(line))
    events = sum(ring.written for ring in line.trace.rings)
    wrong = []
    if line.trace.lost() != events - 63 or f"LOST: {events - 63} older events" not in text:
        wrong.append(f"{events} events in a ring of 64: {text[:300]}")
    said = ask(line, "select name from slice where category = 'lost'")[0]
    if [row["name"] for row in said] != [f"{events - 63} events before this were lost"]:
        wrong.append(f"Perfetto is told {said}")
    return verdict("events that are lost are counted and said", wrong)


def crash_case():
    """A run that ends in a deadlock or a panic leaves its trace."""
    cases = []
    for words, last in (("misbehave,how=deadlock", area.WAIT), ("misbehave,how=panic", area.SWITCH)):
        _, sentences, data = machine.run_hosted("build/hosted/heddle", 1, [f"run={words}"], TIMEOUT, lambda line: None)
        wrong = [] if sentences else ["nothing went wrong"]
        line = line_of(data)
        text = "\n".join(report.text(line))
        if line.trace.finished or last not in line.counts or "did not come to its end" not in text:
            wrong.append(f"finished: {line.trace.finished}, events: {line.counts}")
        cases.append(verdict(f"a trace is left by run={words}", wrong))
    return cases


def damaged():
    """Each damage gives a sentence."""
    _, _, data = machine.run_hosted("build/hosted/heddle", 1, ["trace=on,size=64", "run=hello"], TIMEOUT,
                                    lambda line: None)
    broken = bytearray(data)
    broken[-900 : -600] = b"\xff" * 300
    wrong = []
    for name, text, words in (
        ("empty", b"", "it is cut: it has 0 bytes"), ("short", data[:50], "it is cut: it has 50 bytes"),
        ("without its end", data[:-1], "it is cut"),
        ("something else", b"\x7fELF" + data[4:], "does not begin as a trace"),
        ("of another version", data[:8] + b"\x63" + data[9:], "version 99"), ("broken", bytes(broken), "which is none"),
    ):
        with tempfile.NamedTemporaryFile() as file:
            file.write(text)
            file.flush()
            done = subprocess.run(["tools/trace", file.name], capture_output=True, text=True, check=False)
        said = done.stderr.strip()
        if done.returncode != 1 or words not in said or "Traceback" in said or len(said.splitlines()) != 1:
            wrong.append(f"{name}: status {done.returncode}, {said[-300:] or 'nothing was said'}")
    missing = subprocess.run(["tools/trace", "/nowhere/heddle.trace"], capture_output=True, text=True, check=False)
    if missing.returncode != 1 or "No such file" not in missing.stderr or "Traceback" in missing.stderr:
        wrong.append(f"a file that is not there: {missing.stderr}")
    return verdict("traces that are cut, damaged or none are each a sentence", wrong)


def file_case():
    """A file that cannot be created is reported, and the run goes on."""
    outcome = hosted.run("hosted", "processors=1", "trace=on,file=/nowhere/trace", "run=hello", timeout=TIMEOUT)
    wrong = []
    if outcome.status != 0 or "/nowhere/trace, of" not in outcome.errors or "No such file" not in outcome.errors:
        wrong.append(f"status {outcome.status}: {outcome.errors[-400:]}")
    return verdict("a file that cannot be made is said", wrong)


def groups_case():
    """Only what events= names."""
    line, _ = traced(["trace=on,events=waits+idle", "run=queue,tasks=20"], 1)
    others = set(line.counts) - {area.WAIT, area.GRANT, area.GRANT_LEFT, area.EXPIRE, area.REVOKE, area.HALT, area.RUN}
    return verdict("only the events that are asked for", [f"also {others}"] if others or area.WAIT not in line.counts
                   else [])


def path_case():
    """The critical path covers the whole time of the run, without gaps, and includes a sleeping task."""
    line, _ = traced(["run=tokenring,tasks=10,rounds=30"], 2)
    steps = report.critical_path(line)
    wrong = [f"after {one} comes {other}" for one, other in zip(steps, steps[1:]) if one.end != other.begin]
    if not steps or steps[-1].end - steps[0].begin < 0.5 * (line.end - line.begin):
        wrong.append(f"it is {len(steps)} steps of less than half of the time")
    return verdict("the critical path has no gaps", wrong[:3])


def tests_case(variant):
    """All tests with a trace: recording does not change what happens. (Under the sanitizers: no race.)"""
    with tempfile.TemporaryDirectory() as folder:
        outcome = hosted.run(variant, "processors=2", f"trace=on,size=4096,file={folder}/trace",
                             "run=tokenring,tasks=20", "run=news,tasks=30", "run=client,rounds=20",
                             "run=section,tasks=30")
        with open(f"{folder}/trace", "rb") as file:
            line = line_of(file.read())
    if outcome.status != 0:
        return failed(f"{variant}: programs, traced", outcome.errors.splitlines()[-20:])
    return verdict(f"{variant}: programs, traced", [] if line.trace.finished and line.locks else ["nothing is in it"])


def cases():
    return [
        queue_case("hosted", lambda words: traced(words, 1)), queue_case("QEMU", emulated), counters_case(),
        dispatch_case(), lost_case(), *crash_case(), damaged(), file_case(), groups_case(), path_case(),
        *[tests_case(variant) for variant in ("hosted-debug", "hosted-asan", "hosted-tsan")],
    ]


def groups():
    return [Group("trace: what processors do, against what they count", cases)]
