"""LevelDB on Heddle's locks: tasks and threads read correctly a database that either has filled, and errors in a
database are noticed."""

import glob
import json
import os
import subprocess
import tempfile

from harness import process, results
from measure.leveldb import series

from . import building
from .case import Case, Group, failed, verdict
from .ports import need_sources

ENTRIES = 30000  # so many that files are compacted in the background during writes
READS = 20000
LOCKS = ("exchange", "dispatch", "inline", "ces-spin")
OF_THREADS = ("pthread", "shfllock")
WORDS = (f"entries={ENTRIES}", f"reads={READS}")

# Refused words, and a part of the message.
REFUSED = (
    (["lock=exchange", "folder=x", "speed=1"], "speed=1: not a parameter; there are"),
    (["lock=exchange", "folder=x", "tasks=0"], "tasks=0: a number from 1 to"),
    (["lock=exchange", "folder=x", "tasks=many"], "tasks=many: a number from 1 to"),
    (["lock=ttas", "folder=x"], "exchange, dispatch, inline or ces-spin is allowed"),
    (["lock=exchange"], "the folder of the database is missing"),
    (["lock=exchange", "files=memory"], "only action=both"),
    (["lock=exchange", "folder=build/leveldb/absent"], "the database cannot be opened"),
    (["lock=exchange", "folder=x", "processors=1024", "tasks=10000", "value=1"], "value=1: a number from 16 to"),
)


OWN_THREAD_LOCALS = {"is_processor", "helped"}  # arch/hosted/signals.c

def need_programs():
    """Build the programs; returns a list of what went wrong."""
    need_sources(["leveldb"])
    success, lines = building.make(series.HEDDLE, series.THREADS, series.SHFLLOCK)
    return [] if success else [failed("build", lines)]


def go(lock, *words):
    """(key_sum of the result or None, what is wrong with the run)"""
    outcome = process.follow([series.SYSTEMS[lock], f"lock={lock}", *WORDS, *words], 60)
    if outcome.status != 0 or outcome.timed_out:
        return None, [f"it ended with status {outcome.status}:", *outcome.lines, *outcome.errors.splitlines()]
    found = results.good(outcome.lines)
    return (found[0]["key_sum"] if found else None), []


def filled_and_read(folder):
    """Various programs fill and read; all look up the same keys."""
    cases, sums = [], {}
    for writer in ("exchange", "dispatch", *OF_THREADS):
        words = [f"folder={folder}/{writer}", "action=fill", "tasks=20"]
        cases.append(verdict(f"filled with {writer}", go(writer, *words)[1]))
        for reader in (*LOCKS, *OF_THREADS):
            found, sentences = go(reader, f"folder={folder}/{writer}", "tasks=50")
            sums[found] = f"{reader} after {writer}"
            cases.append(verdict(f"read with {reader} what {writer} has filled", sentences))
    return [*cases, verdict("the same keys", [] if len(sums) == 1 else [f"there are several: {sums}"])]


def right():
    problems = need_programs()
    if problems:
        return problems
    with tempfile.TemporaryDirectory() as folder:
        cases = filled_and_read(folder)
    for lock, processors in (*(("exchange", 1), ("exchange", 4), ("dispatch", 4)), *((lock, 1) for lock in OF_THREADS)):
        words = ["files=memory", "action=both", "tasks=20", f"processors={processors}"]
        wrong = go(lock, *words)[1] if lock not in OF_THREADS or processors <= len(os.sched_getaffinity(0)) else []
        cases.append(verdict(f"in memory, {lock}, {processors} processors", wrong))
    return cases + [no_thread_locals()]


def no_thread_locals():
    """A task may go on on another thread: only Heddle itself may keep anything per thread."""
    done = subprocess.run(["readelf", "-sW", series.HEDDLE], capture_output=True, text=True, check=True)
    symbols = [line.split() for line in done.stdout.splitlines() if " TLS " in line and " UND " not in line]
    found = sorted({symbol[-1] for symbol in symbols} - OWN_THREAD_LOCALS)
    return verdict("no thread-local variables", [f"it has {name}" for name in found])


def damage(folder):
    """Change a byte in the middle of each file of entries."""
    for path in glob.glob(f"{glob.escape(folder)}/*.ldb"):
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 3)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))


def wrong():
    problems = need_programs()
    if problems:
        return problems
    cases = []
    for words, sentence in REFUSED:
        outcome = process.follow([series.HEDDLE, *words], 30)
        said = outcome.status == 1 and sentence in outcome.errors
        cases.append(verdict(" ".join(words), [] if said else [f"{outcome.status}: {outcome.errors}"]))
    with tempfile.TemporaryDirectory() as folder:
        database = f"folder={folder}/database"
        sentences = go("exchange", database, "action=fill")[1]
        outcome = process.follow([series.HEDDLE, "lock=exchange", database, f"entries={ENTRIES + 1}"], 30)
        seen = outcome.status == 1 and f"{ENTRIES} entries instead of {ENTRIES + 1}" in outcome.errors
        cases.append(verdict("an entry too few", sentences if seen else [outcome.errors]))
        damage(f"{folder}/database")
        found, sentences = go("exchange", database)
        cases.append(verdict("a changed byte", [] if found is None and sentences else ["it was not seen"]))
    return cases


def measured():
    """The tool: two runs of each system; and with more tasks than the program accepts."""
    problems = need_programs()
    if problems:
        return problems
    with tempfile.TemporaryDirectory() as folder:
        output = f"{folder}/leveldb.jsonl"
        command = ["tools/measure/leveldb/measure", "--runs=2", "--tasks", "1", "5", f"--reads={READS}",
                   f"--entries={ENTRIES}", f"--database={folder}/database", f"--output={output}"]
        cases = [lines_of(command, output, 8, "samples")]
        cases.append(lines_of([*command, "--systems", "exchange", "--tasks", "20000"], output, 1, "failure"))
    return cases


def lines_of(command, output, count, key):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    title = f"{count} lines with {key}"
    if (done.returncode == 0) != (key == "samples") or not os.path.exists(output):
        return failed(title, [f"it ended with status {done.returncode}:", *done.stderr.splitlines()])
    with open(output, encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    return Case(title) if len(found) == count and all(key in line for line in found) else failed(title, map(str, found))


def groups():
    return [
        Group("LevelDB: filled and read by tasks and threads", right),
        Group("LevelDB: what is wrong is seen", wrong),
        Group("LevelDB: the measurement", measured),
    ]
