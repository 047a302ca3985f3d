"""What runs the plugin's tests with other compilers (tools/verify/compilers), with compilers that are none."""

import os
import sys
import tempfile

from harness import process

from .case import Group, expect_refusal, run_functions, said

TIMEOUT = 120
BROKEN = 'if [ "$1" = -dumpfullversion ]; then echo 16.0.0; else echo no such loom; exit 3; fi'


def compilers(*words, **scripts):
    """What the tool says where these are found first, `gcc_16` as gcc-16."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in scripts.items():
            path = os.path.join(folder, name.replace("_", "-"))
            with open(path, "w", encoding="ascii") as file:
                file.write(f"#!/bin/sh\n{text}\n")
            os.chmod(path, 0o755)
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        return process.follow(["tools/verify/compilers", *words], TIMEOUT, environment={"PATH": path})


def refused(wanted, *words):
    expect_refusal(compilers(*words), wanted)


def failed_with(wanted, outcome):
    text = "\n".join(outcome.lines)
    assert outcome.status == 1 and wanted in text and "compilers: 0 of 1 passed" in text, said(outcome)


def test_bad_input_is_refused_with_a_sentence():
    refused("VERSION=11: a version of GCC", "11")
    refused("VERSION=new: a version of GCC", "13 new")
    refused("TORTURE=-O7", "--torture=-O2 -O7")


def test_a_compiler_for_which_the_plugin_is_not_built_has_failed():
    failed_with("it is not built:", compilers("16", gcc_16=BROKEN, **{"g++_16": "exit 3"}))


def test_tests_that_do_not_begin_have_failed():
    failed_with("the tests did not end well:", compilers("16", gcc_16=BROKEN, **{"g++_16": "exit 3"}, make="exit 0"))


def groups():
    return [Group("plugin: its tests with other compilers", lambda: run_functions(sys.modules[__name__]))]
