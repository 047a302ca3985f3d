"""Unchanged libraries as tasks (tools/verify/libraries): one for each way to build. Nothing is fetched for this: the
sources are those of programs of user/ports/ and of an earlier group (tools/test)."""

import dataclasses
import os
import sys
import tempfile

from verify.libraries import packages, shop, trial

from .building import make
from .case import Case, Group, Skipped, expect_refusal, failed, run_functions, said, tool, verdict

BUILT_BY = {"lua": "make", "qrencode": "configure", "lz4": "CMake"}
WITH_LTO = "lua"
TIMEOUT = 600


def run(*words):
    return tool(["tools/verify/libraries/run", *words], TIMEOUT)


def passes(name, *words):
    title = " ".join([f"{name}, by {BUILT_BY[name]}", *words])
    try:
        outcome = run("--offline", "--quanta=7", *words, name)
    except Skipped as reason:
        return Case(title, "skipped", [str(reason)])
    return verdict(title, [] if outcome.status == 0 else said(outcome))


def refused(wanted, *words):
    expect_refusal(run(*words), wanted)


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
        return [*map(passes, BUILT_BY), passes(WITH_LTO, "--lto"), *run_functions(sys.modules[__name__])]

    return [Group("plugin: libraries, unchanged, as tasks", cases)]
