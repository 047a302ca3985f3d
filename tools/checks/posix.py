"""POSIX's and C11's threads as tasks (user/posix/): programs with the host's threads and with tasks, a part of the Open
POSIX Test Suite and some of glibc's tests, a program that knows nothing of Heddle."""

import os
import re
import subprocess
import sys
import tempfile

from harness import explain, process
from verify.posix.ways import ARCHIVE, Way

from .building import make
from .case import Case, Group, expect_refusal, failed, run_functions, said, tool, verdict

NEEDS = ("build/hosted/heddle",)
FOLDER = "tools/checks/posix"
RUN = "tools/verify/posix/run"
WAYS = (Way("whole", "processors=2", 60), Way("growing", "processors=1 quantum=200", 60))
HOST = Way(None, "", 60)
BOTH = ("more.c", "ended.c", "destroyed.c", "control.c", "jumps.c", "limits.c", "addressed.c", "c11.c", "mixed.cc")
WARNINGS = "-O1 -Wall -Wextra -Werror".split()
# A case of tasks.c, how it ends, and what is said.
ALONE = (
    ("many", 0, r"^done$"),
    ("ended", 0, r"^done$"),
    ("faults", -11, r"write of address 0x10$"),
    ("deadlock", 0, r"locks a mutex that it holds, and waits for ever"),
    ("called_back", -6, r"pthread_mutex_lock\(\) has to wait where its task cannot be switched away"),
    ("foreign", -6, r"pthread_mutex_lock\(\) was called by a thread of the host's, which is no task"),
)
EVERY = 24  # of the suite's tests, in each way
LIMIT = 240  # seconds, of the part of the suite
# Of glibc's: of each kind of object, and of what is decided otherwise; none sleeps for long.
OF_GLIBC = """tst-mutex1 tst-mutex2 tst-robust1 tst-cond1 tst-cond3 tst-cond10 tst-barrier1 tst-barrier4 tst-rwlock1
    tst-rwlock3 tst-rwlock6 tst-sem1 tst-sem17 tst-spin1 tst-once1 tst-key1 tst-key3 tst-tsd2 tst-cleanup0 tst-cleanup1
    tst-cancel1 tst-exit1 tst-join1 tst-join2 tst-attr1 tst-attr2 tst-kill1 tst-cnd-basic tst-mtx-basic tst-tss-basic
    tst-call-once""".split()
ONE = "pthread_spin_unlock/3-1"  # which is known to fail


def build(name, way, folder):
    """The program; an AssertionError says why it cannot be built."""
    compiler = "g++" if name.endswith(".cc") else "gcc"
    program = os.path.join(folder, f"{name}.{way.stacks}")
    for command in ([compiler, *WARNINGS, *way.compiled(), "-c", f"{FOLDER}/{name}", "-o", f"{program}.o"],
                    [compiler, f"{program}.o", *way.linked(), "-pthread", "-lm", "-o", program]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return program


def follow(program, way, *words):
    return process.follow([program, *words], way.limit, environment={"HEDDLE": way.words})


def compared(name, way, folder):
    """It prints the same with tasks as with the host's threads."""
    wanted, got = (follow(build(name, each, folder), each) for each in (HOST, way))
    if wanted.status == 0 and got.status == 0 and list(wanted.lines) == list(got.lines):
        return Case(f"{name}, {way.name}")
    return failed(f"{name}, {way.name}", [
        f"with the host's threads: status {wanted.status}", *explain.last_lines(wanted),
        f"with tasks: status {got.status}", *explain.last_lines(got), *got.errors.splitlines()[-20:]])


def alone(case, status, pattern, way, folder):
    outcome = follow(build("tasks.c", way, folder), way, case)
    said = "\n".join([*outcome.lines, outcome.errors])
    if outcome.status == status and re.search(pattern, said, re.MULTILINE):
        return Case(f"{case}, {way.name}")
    return failed(f"{case}, {way.name}", [f"status {outcome.status}; it said:", *said.splitlines()[-20:]])


def programs():
    with tempfile.TemporaryDirectory() as folder:
        return [compared(name, way, folder) for name in BOTH for way in WAYS] + [
            alone(*each, way, folder) for each in ALONE for way in WAYS]


def suite_run(*words):
    return tool([RUN, *words], LIMIT)


def part(way):
    """Only known tests fail, and most pass."""
    outcome = suite_run(f"--stacks={way.stacks}", f"--words={way.words}", f"--every={EVERY}", "--limit=20",
                        "open-posix", "pbzip2")
    numbers = re.search(r"^(\d+) of (\d+) that pass", "\n".join(outcome.lines), re.MULTILINE)
    right = outcome.status == 0 and numbers and int(numbers[1]) >= int(numbers[2]) * 0.7 and int(numbers[2]) > 10
    return verdict(f"one test in {EVERY} of the suite, {way.name}", [] if right else said(outcome))


def part_of_glibc():
    """Only known tests fail, and most pass."""
    outcome = suite_run(f"--stacks={' '.join(way.stacks for way in WAYS)}", "--limit=20", *OF_GLIBC)
    numbers = re.findall(r"^(\d+) of (\d+) that pass", "\n".join(outcome.lines), re.MULTILINE)
    right = outcome.status == 0 and len(numbers) == len(WAYS) and all(
        int(passed) >= int(of_all) * 0.7 and int(of_all) > len(OF_GLIBC) * 0.8 for passed, of_all in numbers)
    return verdict("some of glibc's tests", [] if right else said(outcome))


def known(text, *words):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "known")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return suite_run(f"--known={path}", *words)


def test_what_fails_and_is_not_known_is_reported():
    outcome = known("", ONE)
    assert outcome.status == 1 and any(f"failed: {ONE} failed" in line for line in outcome.lines), said(outcome)


def test_what_is_known_to_fail_and_passes_is_reported():
    outcome = known("pthread_self/1-1 failed it is said to fail\n", "pthread_self/1-1")
    line = "passed, and is to be taken off the list: pthread_self/1-1 (it is said to fail)"
    assert outcome.status == 1 and any(line in found for found in outcome.lines), said(outcome)


def test_bad_input_is_refused_with_a_sentence():
    for wanted, outcome in (
        ("NAME=perl: no suite has such tests", suite_run("perl")),
        ("STACKS=tall: it is whole or growing", suite_run("--stacks=tall")),
        ("EVERY=0: one test in so many", suite_run("--every=0")),
        ("known:1: a line has a name, how it ends, and a reason", known("pthread_self/1-1\n", ONE)),
        ("known:2: sinks is none of failed", known("\npthread_self/1-1 sinks reason\n", ONE)),
    ):
        expect_refusal(outcome, wanted)


def test_the_archive_shows_names_of_its_own_alone():
    done = subprocess.run(["nm", "-g", "--defined-only", ARCHIVE], capture_output=True, text=True, check=True)
    names = {line.split()[-1] for line in done.stdout.splitlines() if len(line.split()) > 2}
    allowed = r"heddle_\w+|__wrap_main|__wrap_pthread_create|__morestack\w*|\S+\.heddle(\.grow|\.push)?"
    allowed += r"|task_keep_control|uncooperative_(begin|end)"  # by the plugin's code
    allowed += r"|heddle_foreign\.\d+|heddle_grow\.\d+\.\d+|heddle_quantum_spent\.heddle\.\w+"
    strangers = sorted(name for name in names if not re.fullmatch(allowed, name))
    missing = {"heddle_pthread_create", "heddle_sem_wait", "heddle_thrd_join"} - names
    assert not strangers and not missing, (strangers, missing)


def looked_at(archive, symbols):
    done = subprocess.run(["tools/make/names", "check", archive], input="\n".join(symbols), capture_output=True,
                          text=True, check=False)
    assert (done.returncode == 0) == (done.stderr == ""), done.stderr
    return done.stderr


def test_what_the_plugin_calls_is_global_in_each_archive():
    """The build itself looks as well; here, that it would find a name that is not there."""
    for archive in (ARCHIVE, ARCHIVE.replace("-posix", "")):
        symbols = subprocess.run(["nm", "-g", archive], capture_output=True, text=True, check=True).stdout.splitlines()
        assert not looked_at(archive, symbols), looked_at(archive, symbols)
        for name in ("task_keep_control", "heddle_foreign", "__morestack"):
            without = [line for line in symbols if line.split()[-1:] != [name]]
            wanted = f"{archive}: {name} is not global"
            assert looked_at(archive, without).startswith(wanted), f"nothing says \"{wanted}\""


def built(cases):
    """The cases, when what they need is there."""
    success, lines = make("plugin", ARCHIVE)
    return cases() if success else [failed("the plugin and the archive are built", lines)]


def groups():
    """Groups apart, so that only one is skipped if a suite cannot be fetched."""
    def own():
        return programs() + run_functions(sys.modules[__name__])

    def of_others():
        return [part(way) for way in WAYS]

    return [Group("posix: threads as tasks", lambda: built(own)),
            Group("posix: the Open POSIX Test Suite, and pbzip2", lambda: built(of_others)),
            Group("posix: glibc's tests of threads", lambda: built(lambda: [part_of_glibc()]))]
