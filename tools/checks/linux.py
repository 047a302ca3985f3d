"""The benchmarks beside Linux: the layer as a program of this machine, the tool with bad output, a boot."""

import json
import os
import subprocess
import tempfile
import time

from harness import emulator, json_lines, process, results
from measure.linux import boot, distribution, record, rows, systems, table

from . import building, tools
from .case import Group, Skipped, failed, run_functions, verdict

INIT = "build/linux/init"
TIMEOUT = 60
# Each program once, with more tasks than processors and little work.
PROGRAMS = (
    "create,tasks=500", "create,tasks=200,joined=1", "switch,tasks=20,rounds=50", "switch,tasks=4,rounds=50,bind=1",
    "locks,scope=local,rounds=1000", "locks,scope=global,tasks=8,rounds=1M", "matrix,size=40",
    "mandelbrot,size=40", "eratosthenes,size=500", "tokenring,tasks=20,rounds=20", "city,tasks=50", "news,tasks=50",
    "producer,rounds=1000", "producer,pairs=20,rounds=50", "producer,lock=channel,pairs=5,rounds=100",
)
GOOD = (
    '{"benchmark":"switch","variant":"linux","processors":4,"operations":20,"seconds":0.000001,'
    '"ns_per_operation":12.5,"ok":true}'
)


def built():
    success, lines = building.make(INIT)
    return [] if success else [failed(INIT, lines)]


def native():
    """The programs on the layer of pthreads, in this machine's own Linux."""
    cases = built()
    for words in PROGRAMS if not cases else []:
        outcome = process.follow([INIT, words], TIMEOUT)
        found = [results.parse(line) for line in outcome.lines if results.is_result(line)]
        well = outcome.status == 0 and len(found) == 1 and found[0]["ok"]
        said = [*outcome.lines, *outcome.errors.splitlines()]
        cases.append(verdict(words, [] if well else [f"status {outcome.status}", *said]))
    return cases


class Fake(systems.System):
    """A system whose boots are shell scripts, one after the other."""

    def __init__(self, *scripts, name="linux"):
        super().__init__(name, [])
        self.scripts = list(scripts)
        self.asked = []

    def command(self, processors, programs):
        self.asked.append(programs)
        return ["sh", "-c", self.scripts[min(len(self.asked), len(self.scripts)) - 1]]


def script(*lines, end=f"exit {emulator.EXIT_SUCCESS}"):
    return "\n".join([*(f"echo '{line}'" for line in lines), end])


def starts(words):
    return f"[linux] run={words} starts"


def runs(fake, *programs, silence=5.0):
    return {run.words: run for run, _, _ in boot.run(fake, 4, programs, silence)}


def expect(run, *wanted):
    for text in wanted:
        assert text in run.failure, f"\"{text}\" is not in \"{run.failure}\""


def test_a_result_belongs_to_the_program_that_has_started():
    found = runs(Fake(script(starts("a"), GOOD, starts("b"), GOOD.replace("12.5", "13.5"))), "a", "b")
    assert found["a"].result["ns_per_operation"] == 12.5 and found["b"].result["ns_per_operation"] == 13.5
    assert not found["a"].failure and not found["b"].failure


def test_a_result_that_was_cut_is_no_figure():
    found = runs(Fake(script(starts("a"), GOOD[:40], starts("b"), GOOD)), "a", "b")
    expect(found["a"], "cut or damaged")
    assert found["a"].result is None and not found["b"].failure


def test_a_result_that_failed_its_check_is_no_figure():
    reason = "[linux] error: switch: the reason"
    expect(runs(Fake(script(starts("a"), reason, GOOD.replace("true", "false"))), "a")["a"], "own check", "the reason")


def test_a_program_that_fails_behind_its_result_has_no_figure():
    failed_later = script(starts("a"), GOOD, "[linux] error: run=a failed", end="exit 35")
    expect(runs(Fake(failed_later), "a")["a"], "run=a failed")
    expect(runs(Fake(script(starts("a"), GOOD, end="exit 37")), "a")["a"], "panicked")


def test_a_machine_without_all_its_processors_has_no_figure():
    few = GOOD.replace('"processors":4', '"processors":3')
    expect(runs(Fake(script(starts("a"), few)), "a")["a"], "3 processors were there instead of 4")


def test_tasks_that_could_not_all_be_there_are_no_figure():
    short = GOOD.replace('"ok"', '"out_of_memory":3,"ok"')
    said = "[linux] pthread_create: Resource temporarily unavailable"
    expect(runs(Fake(script(starts("a"), said, short)), "a")["a"], "at once", "temporarily unavailable")


def test_a_program_that_the_kernel_ended_is_named_with_the_reason():
    killed = ("[ 9.5] Out of memory: Killed process 30 (init)", "[linux] error: run=a was ended by signal 9 (Killed)")
    found = runs(Fake(script(starts("a"), *killed, starts("b"), GOOD, end="exit 35")), "a", "b")
    expect(found["a"], "Out of memory", "signal 9")
    assert not found["b"].failure


def test_a_panic_ends_only_the_program_that_ran():
    panic = "[ 3.1] Kernel panic - not syncing: Attempted to kill init!"
    fake = Fake(script(starts("a"), GOOD, starts("b"), panic, end="exit 0"), script(starts("c"), GOOD))
    found = runs(fake, "a", "b", "c")
    expect(found["b"], "panicked", "Attempted to kill init")
    assert not found["a"].failure and not found["c"].failure and fake.asked[1] == ["c"]


def test_an_emulator_that_hangs_is_ended_and_the_rest_is_run():
    fake = Fake(script(starts("a"), end="sleep 100"), script(starts("b"), GOOD))
    start = time.monotonic()
    found = runs(fake, "a", "b", silence=1.0)
    expect(found["a"], "the time was over")
    assert not found["b"].failure and time.monotonic() - start < 30


def test_an_emulator_that_fails_or_is_not_there_is_named():
    expect(runs(Fake(script(end="echo no such device >&2; exit 1")), "a")["a"], "itself failed", "no such device")
    expect(runs(Fake(script(starts("a"), end="kill -KILL $$")), "a")["a"], "SIGKILL")
    fake = Fake("")
    fake.command = lambda processors, programs: ["no-such-qemu"]
    expect(runs(fake, "a")["a"], "could not be started")


def test_a_clock_that_runs_too_fast_is_no_figure():
    found = runs(Fake(script(starts("a"), GOOD, starts("b"), GOOD.replace("0.000001", "99.5"))), "a", "b")
    expect(found["a"], "clock is wrong")
    expect(found["b"], "clock is wrong")


def test_words_that_are_refused_are_named():
    refusal = "[linux] error: run=a: there is no such program; allowed are b"
    expect(runs(Fake(script(refusal, starts("b"), GOOD, end="exit 35")), "a", "b")["a"], "no such program")


def line_of(words, run, earlier=None):
    origin = {"versions": {"heddle": "1"}, "host": "a host"}
    fake = Fake("")
    fake.describe = lambda processors: "a machine"
    line = earlier or record.base(rows.Row("Figure 8", words), fake, 4, origin, "code")
    record.add(line, run, ["qemu", "-append", "two words"], "Linux 6", f"turn {len(line['samples'])}")
    return line


def good_run(nanoseconds):
    return boot.Run("a", result={**json.loads(GOOD), "ns_per_operation": nanoseconds})


def test_results_are_kept_and_read_again():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "deep", "linux.jsonl")
        line = line_of("a,tasks=1", good_run(1.0))
        for nanoseconds in (4.0, 2.0):
            line_of("a,tasks=1", good_run(nanoseconds), line)
        json_lines.write(path, [line])
        found, damaged = record.read(path)
    kept = found[("linux", 4, "run=a,tasks=1")]
    assert damaged == 0 and kept == line
    assert kept["turns"] == ["turn 0", "turn 1", "turn 2"], kept
    assert (kept["median"], kept["spread"], kept["parameters"]) == (2.0, [1.0, 4.0], {"tasks": "1"}), kept
    assert kept["command"] == "qemu -append 'two words'" and kept["versions"]["linux"] == "Linux 6"


def test_a_failure_takes_the_figures_of_its_row_away():
    line = line_of("a", good_run(1.0))
    line_of("a", boot.Run("a", failure="the reason"), line)
    assert line["samples"] == line["turns"] == [] and line["median"] is None and line["failure"] == "the reason"
    shown = table.table([rows.Row("Figure 8", "a", (4,))], 4, {record.key(line): line})
    assert "failed" in shown and "1.00" not in shown and table.failures([line])[0].endswith("the reason")


def test_damaged_lines_of_a_file_are_left_out():
    whole = json.dumps(line_of("a", good_run(1.0)))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "linux.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            older, no_number = whole.replace('"format": 1', '"format": 0'), whole.replace("[1.0]", '["x"]')
            broken = (whole[:50], no_number, older, "7", "{}")
            file.write("\n".join([whole, *broken]))
        found, damaged = record.read(path)
    assert len(found) == 1 and damaged == len(broken), (found, damaged)


def test_rows_differ_and_fit_a_command_line():
    for profile in rows.RUNS:
        words = [row.words for row in rows.rows(profile)]
        assert len(words) == len(set(words)), words
        assert len(systems.LINUX_WORDS) + max(map(len, words)) * boot.PROGRAMS_MAXIMUM < 2048


def test_the_archive_is_one_that_linux_unpacks():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        with open(program, "wb") as file:
            file.write(b"contents")
        with open(distribution.pack(program, os.path.join(folder, "archive")), "rb") as file:
            data = file.read()
    names, place = [], 0
    while "TRAILER!!!" not in names:
        fields = [int(data[place + 6 + 8 * field : place + 14 + 8 * field], 16) for field in range(13)]
        assert data[place : place + 6] == b"070701" and place % 4 == 0, place
        start = place + 110
        names.append(data[start : start + fields[11] - 1].decode())
        start += fields[11] + -(110 + fields[11]) % 4
        assert names[-1] != "init" or (data[start : start + fields[6]], fields[1]) == (b"contents", 0o100755)
        place = start + fields[6] + -fields[6] % 4
    assert names == ["proc", "sys", "init", "TRAILER!!!"] and place == len(data), names


def without_apt(function):
    """Call a function where no program is found; returns the failure's text."""
    path = os.environ["PATH"]
    try:
        os.environ["PATH"] = "/nowhere"
        function()
    except distribution.Failure as failure:
        return str(failure)
    finally:
        os.environ["PATH"] = path
    return ""


def test_a_machine_without_apt_says_what_to_do():
    said = without_apt(distribution.kernel_package)
    assert "apt-get is needed" in said and "LINUX_KERNEL=FILE" in said, said


def test_a_package_without_a_kernel_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "linux.deb")
        with open(path, "wb") as file:
            file.write(b"no package")
        try:
            distribution.kernel_of(path, folder)
        except distribution.Failure as failure:
            assert "linux.deb" in str(failure)
            return
    raise AssertionError("what is no package was unpacked")


# An emulator that runs each program of a command line at once; FAILS ends it.
EMULATOR = """#!/bin/sh
for word; do words=$word; done
[ "$words" = --version ] && { echo "QEMU emulator version 7.2.1"; exit 0; }
for word in ${words##*-- }; do
	echo "[0] run=${word#run=} starts"
	[ "${word#run=}" = "$FAILS" ] && { echo "[0] error: the reason"; exit 35; }
	echo '%s'
done
exit %d
""" % (GOOD, emulator.EXIT_SUCCESS)


def measure(folder, *options, fails=""):
    """tools/measure/linux/measure with that emulator; (status, all output, lines of the file)."""
    for name, contents in (("qemu", EMULATOR.encode()), ("init", b"init"), ("linux", b""), ("heddle", tools.KERNEL)):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(contents)
    os.chmod(os.path.join(folder, "qemu"), 0o755)
    command = ["tools/measure/linux/measure", "--only", "switch,", "--processors", "4", *options]
    for option, name in (("kernel", "linux"), ("heddle", "heddle"), ("init", "init"), ("results", "results")):
        command += [f"--{option}", os.path.join(folder, name)]
    environment = {**os.environ, "QEMU": os.path.join(folder, "qemu"), "FAILS": fails}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=60, env=environment
    )
    return done.returncode, done.stdout, list(record.read(os.path.join(folder, "results"))[0].values())


def test_a_session_measures_and_goes_on_where_it_ended():
    with tempfile.TemporaryDirectory() as folder:
        status, said, lines = measure(folder, "--runs", "2")
        assert status == 0 and "all rows were measured" in said and " 12 " in said, said
        assert len(lines) == 10 and all(line["samples"] == [12.5, 12.5] for line in lines), lines
        path = os.path.join(folder, "results")
        with open(path, encoding="utf-8") as file:
            whole = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(whole[:-10])  # cut within the last line, which is one of Linux's
        status, said, lines = measure(folder, "--runs", "2")
        assert status == 0 and "1 damaged lines" in said and "2 boots to go" in said, said
        assert len(lines) == 10 and all(len(line["samples"]) == 2 for line in lines), lines
        assert "measured before" in measure(folder, "--runs", "2")[1]


def test_a_program_that_fails_is_named_in_its_place():
    with tempfile.TemporaryDirectory() as folder:
        status, said, lines = measure(folder, "--runs", "2", fails="switch,tasks=10,rounds=2000")
    failures = [line for line in lines if line["failure"]]
    assert status == 1 and "failed" in said and "run=switch,tasks=10,rounds=2000: the reason" in said, said
    assert len(failures) == 2 and not any(line["samples"] for line in failures), failures
    assert all(len(line["samples"]) == 2 for line in lines if not line["failure"]), "the others were not all measured"


def test_wrong_settings_are_refused():
    for option, said in (("--profile=slow", "PROFILE=slow: "), ("--processors=none", "--processors=none: ")):
        with tempfile.TemporaryDirectory() as folder:
            status, output, _ = measure(folder, option)
        assert status == 1 and output.startswith(f"linux: {said}"), output


NATIVE = """#!/bin/sh
for words; do :; done
[ "$FAILS" ] && [ "$0" = "$FAILS" ] && { echo "[0] error: the reason" ; exit 1; }
echo '%s'
""" % GOOD.replace('"processors":4', f'"processors":{len(os.sched_getaffinity(0))}')


def natively(folder, *options, fails=""):
    """tools/measure/linux/native with scripts as both programs; (status, all output, lines of the file)."""
    command = ["tools/measure/linux/native", "--only", "switch,", *options]
    for option in ("heddle", "init", "results"):
        path = os.path.join(folder, option)
        command += [f"--{option}", path]
        if option != "results":
            with open(path, "w", encoding="ascii") as file:
                file.write(NATIVE)
            os.chmod(path, 0o755)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          timeout=60, env={**os.environ, "FAILS": fails and os.path.join(folder, fails)})
    return done.returncode, done.stdout, list(record.read(os.path.join(folder, "results"))[0].values())


def test_both_are_measured_as_programs_of_this_host():
    with tempfile.TemporaryDirectory() as folder:
        status, said, lines = natively(folder, "--runs", "3")
    assert status == 0 and "all rows were measured" in said, said
    assert len(lines) == 4 and {line["system"] for line in lines} == {"heddle", "linux"}, lines
    assert all(line["samples"] == [12.5] * 3 and line["setting"] == "hosted" for line in lines), lines


def test_one_that_fails_on_this_host_is_named():
    for fails, wanted in (("heddle", 1), ("init", 0)):
        with tempfile.TemporaryDirectory() as folder:
            status, said, lines = natively(folder, "--runs", "2", fails=fails)
        failed_lines = [line for line in lines if line["failure"]]
        assert status == wanted and "could not be measured:" in said and len(failed_lines) == 2, said
        assert all("the reason" in line["failure"] for line in failed_lines), failed_lines
    with tempfile.TemporaryDirectory() as folder:
        assert natively(folder, "--runs", "none")[1].startswith("native: --runs=none: ")


def real_boot():
    """Linux on four processors runs programs and refuses words."""
    cases = built()
    if cases:
        return cases
    try:
        kernel = distribution.fetch(lambda text: None)
    except distribution.Failure as failure:
        raise Skipped(str(failure)) from None
    with tempfile.TemporaryDirectory() as folder:
        linux = systems.System("linux", [kernel, distribution.pack(INIT, os.path.join(folder, "archive"))])
        programs = ["switch,tasks=10,rounds=100", "nosuch", "create,tasks=100", "city,tasks=20"]
        found = {run.words: run for run, _, _ in boot.run(linux, 4, programs, TIMEOUT)}
    refused = found.pop("nosuch")
    cases = [verdict(words, [run.failure] if run.failure else []) for words, run in found.items()]
    return [*cases, verdict("a wrong word is refused", [] if "no such program" in refused.failure else [str(refused)])]


def groups():
    return [
        Group("linux: the layer of pthreads as a program", native),
        Group("linux: bad output", lambda: run_functions(__import__(__name__, fromlist=["x"])),
              alone=True),
        Group("linux: a boot", real_boot),
    ]
