"""`make bench`: what it runs, how it handles errors, and how it resumes."""

import io
import json
import os
import stat
import tempfile

from measure.bench import parts, plan, progress, records, runner, session
from harness import process

from .case import Group, Skipped, run_functions
from .tools import KERNEL, expect, run_tool

NEEDS = ("build/hosted/heddle",)
RESULT = ('{{"benchmark":"{name}","variant":"local","processors":2,"tasks":{tasks},"operations":20,"seconds":0.5,'
          '"ns_per_operation":{ns},"ok":{ok}}}')
ORIGIN = {"versions": {"heddle": "abc"}, "host": "a host"}


def line(tasks=1, ns=12.5, ok="true", name="switch"):
    return RESULT.format(name=name, tasks=tasks, ns=ns, ok=ok)


def script(folder, text, name="program"):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.write(f"#!/bin/sh\n{text}\n")
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path


def measured(folder, text, tasks=(1, 2), code="one", samples=2, timeouts=(20.0, 0.0), policies=("local",)):
    """(lines of the file, output) after a session with a shell script as the hosted program."""
    program = script(folder, text)
    said = io.StringIO()
    path = os.path.join(folder, "heddle.jsonl")
    points = plan.points("switch", tasks=list(tasks))
    family = [plan.Group("test", plan.Machine(plan.HOSTED, 2, policy), points, samples) for policy in policies]
    run = session.Session(path, ORIGIN, progress.Progress(1.0, said), {plan.HOSTED: code},
                          lambda machine: runner.Runner(machine, program=program, timeouts=timeouts))
    run.measure(family)
    with open(path, encoding="utf-8") as file:
        return [json.loads(text) for text in file], said.getvalue()


def each(command):
    """A script that runs `command` with $tasks for the point that it is called for."""
    return f'tasks=$(echo "$*" | sed "s/.*tasks=\\([0-9]*\\).*/\\1/")\necho run >> "$0.runs"\n{command}'


ECHO = "echo '" + line(tasks="TASKS").replace("TASKS", "'$tasks'") + "'"


def runs(folder):
    with open(os.path.join(folder, "program.runs"), encoding="ascii") as file:
        return len(file.readlines())


def test_each_point_has_all_its_runs_in_a_line():
    with tempfile.TemporaryDirectory() as folder:
        lines, _ = measured(folder, each(ECHO))
        assert [one["parameters"] for one in lines] == [{"tasks": "1"}, {"tasks": "2"}], lines
        assert all(one["samples"] == [12.5, 12.5] and one["median"] == 12.5 for one in lines), lines
        assert all(one["versions"]["code"] == "one" and "run=switch" in one["command"] for one in lines), lines


def test_what_is_compared_takes_turns():
    with tempfile.TemporaryDirectory() as folder:
        lines, _ = measured(folder, each(f'echo "$*" >> "$0.order"\n{ECHO}'), policies=("local", "global"))
        assert [one["policy"] for one in lines] == ["local", "local", "global", "global"], lines
        turns = {tuple(one["turns"]) for one in lines}
        assert len(turns) == 1 and len(set(min(turns))) == 2, turns
        with open(os.path.join(folder, "program.order"), encoding="ascii") as file:
            order = [("global" in text, "tasks=2" in text) for text in file]
        assert order == [(False, False), (False, True), (True, False), (True, True)] * 2, order


def test_only_hosted_groups_of_one_figure_are_a_family():
    def groups(setting, *names):
        return [plan.Group(name, plan.Machine(setting, 2), []) for name in names]

    one, two, again = groups(plan.HOSTED, "a", "b", "a")
    kernel = groups(plan.KERNEL, "a", "a")
    assert plan.families([one, *kernel, two, again]) == [[one, again], [kernel[0]], [kernel[1]], [two]]


def test_a_session_goes_on_behind_the_last_one():
    with tempfile.TemporaryDirectory() as folder:
        measured(folder, each(ECHO), tasks=(1,))
        measured(folder, each(ECHO), tasks=(1, 2))
        assert runs(folder) == 4, f"{runs(folder)} runs instead of 2 and 2"
        measured(folder, each(ECHO), tasks=(1, 2), code="two")
        assert runs(folder) == 8, "another version of the code was not measured again"
        measured(folder, each(ECHO), tasks=(1, 2), code="two", samples=3)
        assert runs(folder) == 14, "more runs were wanted and not made"


def test_a_line_that_was_cut_is_measured_again():
    with tempfile.TemporaryDirectory() as folder:
        measured(folder, each(ECHO))
        path = os.path.join(folder, "heddle.jsonl")
        with open(path, "rb+") as file:
            file.truncate(os.path.getsize(path) - 30)
        lines, _ = measured(folder, each(ECHO))
        assert [one["parameters"]["tasks"] for one in lines] == ["1", "2"], lines


def failing(command, sentence, timeouts=(20.0, 0.0)):
    with tempfile.TemporaryDirectory() as folder:
        lines, said = measured(folder, each(f'[ "$tasks" = 1 ] && {{ {command}; }}\n{ECHO}'), timeouts=timeouts)
        first, second = lines
        assert "samples" not in first and sentence in first["failure"], first
        assert sentence in said and "tasks=1" in said, said
        assert second["samples"] == [12.5, 12.5], second


def test_a_benchmark_that_fails_its_own_check():
    failing(f"echo '{line(ok='false')}'; exit 1", "it failed its own check")


def test_a_program_that_dies():
    failing("kill -SEGV $$", "SIGSEGV")


def test_a_program_that_says_nothing():
    failing("exit 0", "it printed no result line")


def test_a_result_that_is_cut():
    failing(f"echo '{line()[:60]}'; exit 0", "cut or damaged")


def test_a_program_that_hangs():
    failing("exec sleep 60", "it was not finished after 2 s", (2.0, 0.0))


def test_an_emulator_that_stops_in_the_middle():
    """The point that gave no result is blamed; later ones are booted again."""
    points = plan.points("switch", tasks=[1, 2, 3])
    with tempfile.TemporaryDirectory() as folder:
        kernel = os.path.join(folder, "kernel")
        with open(kernel, "wb") as file:
            file.write(KERNEL)
        ends = {"hangs": "exec sleep 60", "panics": "echo 'panic: at the disco'; exit 37"}
        for how, end in ends.items():
            emulator = script(folder, "\n".join([
                '[ "$1" = --version ] && { echo "QEMU emulator version 7.2.0"; exit; }',
                f"case \"$*\" in *tasks=1*) echo '{line(1)}'; {end};; esac", f"echo '{line(3)}'; exit 33"]), "qemu")
            before = os.environ.get("QEMU")
            os.environ["QEMU"] = emulator
            try:
                machine = runner.Runner(plan.Machine(plan.KERNEL, 2), kernel=kernel, timeouts=(3.0, 0.0))
                found = list(machine.run(points))
            finally:
                os.environ.pop("QEMU") if before is None else os.environ.update(QEMU=before)
            assert [bool(sentence) for _, _, _, sentence in found] == [False, True, False], (how, found)
            assert "tasks=1" not in " ".join(found[2][1]), "the last point was not booted by itself"


def test_the_remaining_time_follows_from_what_was_done():
    now = [0.0]
    shown = progress.Progress(100.0, io.StringIO(), lambda: now[0])
    assert shown.remaining() is None
    now[0] = 50.0
    shown.add(25.0)
    assert shown.remaining() == 150.0, shown.remaining()
    assert progress.clock(shown.remaining()) == "2:30 min"


def test_rules_of_other_tools_are_found_in_makefiles():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.mk")
        with open(path, "w", encoding="ascii") as file:
            file.write("PROFILE ?= quick\nNAME := value\nbench-linux other: build/.setup\n\t@true\n")
        assert parts.targets([path]) == {"bench-linux", "other"}, parts.targets([path])


def test_each_point_is_one_that_its_program_takes():
    if not os.path.exists(runner.HOSTED_PROGRAM):
        raise Skipped(f"{runner.HOSTED_PROGRAM} is not built")
    outcome = process.follow([runner.HOSTED_PROGRAM, "list"], 20)
    known, name = {}, ""
    for text in [*outcome.lines, *outcome.errors.splitlines()]:
        if text and not text.startswith((" ", "[")):
            name = text.split(":")[0]
            known[name] = set()
        elif text.startswith("    "):
            known.setdefault(name, set()).add(text.split("=")[0].strip())
    for profile in plan.PROFILES:
        for group in plan.groups(profile):
            for point in group.points:
                names = {key for key, _ in point.parameters}
                assert names <= known.get(point.program, names), f"{point.word()}: {names - known[point.program]}"


def test_command_lines_of_the_kernel_fit():
    for profile in plan.PROFILES:
        for group in plan.groups(profile):
            if group.machine.setting == plan.KERNEL:
                for batch in runner.Runner(group.machine).batches(group.points):
                    assert len(" ".join(point.word() for point in batch)) < 3900, group.describe()


def test_settings_that_cannot_be():
    expect(*run_tool("tools/measure/bench/measure", "--profile", "slow"), 1, "PROFILE=slow", "quick or full")
    said = run_tool("tools/measure/bench/measure", "--only", "Figure 99")
    expect(*said, 1, "ONLY=Figure 99", "no group's name holds that")


def test_a_line_is_read_back_as_it_was_written():
    with tempfile.TemporaryDirectory() as folder:
        measured(folder, each(ECHO))
        lines = records.read(os.path.join(folder, "heddle.jsonl"))
        machine = plan.Machine(plan.HOSTED, 2)
        assert records.key_of(lines[0]) == records.key(machine, plan.points("switch", tasks=1)[0], "one", 2)


def groups():
    import sys
    return [Group("bench: make bench", lambda: run_functions(sys.modules[__name__]), alone=True)]
