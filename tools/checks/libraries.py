"""Libraries, unchanged, as tasks (tools/verify/libraries): one of each way to build, by what CFLAGS alone says.
Nothing is fetched for it: the sources are those of programs of user/ports/ and of a group before (tools/test)."""

import dataclasses
import os
import sys
import tempfile

from harness import process
from verify.libraries import packages, shop, trial

from .building import make
from .case import Group, Skipped, failed, run_functions, verdict

BUILT_BY = {"lua": "make", "qrencode": "configure", "lz4": "CMake"}
TIMEOUT = 600
MISSING = 77  # how the tool ends where the sources cannot be had
LINES_SHOWN = 60


def run(*words):
    outcome = process.follow(["tools/verify/libraries/run", *words], TIMEOUT)
    if outcome.status == MISSING:
        raise Skipped(outcome.errors)
    return outcome


def said(outcome):
    end = f"it was not done after {TIMEOUT} s" if outcome.timed_out else f"it ended with status {outcome.status}"
    return [end, *[*outcome.lines, *outcome.errors.splitlines()][-LINES_SHOWN:]]


def passes(name):
    outcome = run("--offline", "--quanta=7", name)
    return verdict(f"{name}, by {BUILT_BY[name]}", [] if outcome.status == 0 else said(outcome))


def refused(wanted, *words):
    outcome = run(*words)
    lines = outcome.errors.splitlines()
    assert outcome.status == 1 and len(lines) == 1 and wanted in lines[0], said(outcome)


def test_bad_input_is_refused_with_a_sentence():
    refused("LIBRARY=boost: it is bzip2", "boost")
    refused("STACKS=tall: it is whole or growing", "--stacks=tall")
    refused("QUANTA=0", "--quanta=0", "bzip2")
    refused("LEVEL=-O7: it is -O0", "--level=-O7", "bzip2")
    refused("PLUGIN=build/none.so: it is not there", "--plugin=build/none.so", "bzip2")


def tried(printed, turns, complaints=()):
    found = trial.Trial(None, packages.ALL[0], "", None)
    found.complaints, found.printed, found.turns = list(complaints), {"7": printed}, {"7": turns}
    return trial.judge(found, ["bzip2: 01"])


def test_what_prints_something_else_or_never_switches_has_failed():
    assert tried(["bzip2: 01"], 9) == []
    assert "it printed bzip2: 02, not bzip2: 01" in tried(["bzip2: 02"], 9)[0]
    assert "the other task never ran" in tried(["bzip2: 01"], 0)[0]
    assert tried([], 0, ["it died"]) == ["it died"]


def test_a_library_that_cannot_be_built_is_named_with_the_command():
    with tempfile.TemporaryDirectory() as source:
        command = ["sh", "-c", "echo no such loom; exit 3"]
        broken = dataclasses.replace(packages.ALL[0], name="broken", commands=(command,))
        place = shop.Shop("gcc", "build/plugin/heddle.so", "-O2", "plain")
        try:
            place.build(broken, source)
        except shop.Broken as reason:
            assert "no such loom" in str(reason), reason
        else:
            raise AssertionError("it was built")
        assert not os.path.exists(f"{place.folder(broken)}/.built")


def groups():
    def cases():
        success, lines = make("plugin", "hosted")
        if not success:
            return [failed("the plugin and the library are built", lines)]
        return [*map(passes, BUILT_BY), *run_functions(sys.modules[__name__])]

    return [Group("plugin: libraries, unchanged, as tasks", cases)]
