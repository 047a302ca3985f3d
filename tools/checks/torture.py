"""GCC's own tests as tasks (tools/verify/torture): two configurations with some of the programs; and checks that lose
a register."""

import os
import re
import sys
import tempfile

from verify.torture import directives

from .building import make
from .case import Group, expect_refusal, failed, run_functions, said, tool, verdict

WORDS = ["--levels=-O2,-Os", "--stacks=growing", "--every=8", "execute", "ieee", "eh"]
LOST = ["--levels=-O2", "--stacks=whole", "--every=40", "--limit=5", "execute"]
REGISTERS = ("rax", "rdi")
ONE = ["--levels=-O2", "--stacks=whole", "execute/20000112-1"]
TIMEOUT = 600


def torture(*words):
    return tool(["tools/verify/torture/run", *words], TIMEOUT)


def passes():
    outcome = torture(*WORDS)
    return verdict(" ".join(WORDS), [] if outcome.status == 0 else said(outcome))


def notices(register):
    """When checks lose a register, programs fail."""
    outcome = torture(f"--omit={register}", *LOST)
    failures = [line for line in outcome.lines if re.match(r" +failed: ", line)]
    return verdict(f"without {register}", [] if outcome.status == 1 and failures else said(outcome))


def test_what_tests_say_about_themselves_is_understood():
    text = """/* { dg-do run { target { { i?86-*-* x86_64-*-* } && lp64 } } } */
/* { dg-options "-fwrapv -DTEXT=\\"a b\\"" } */
// { dg-additional-options { "-mfirst" } { target { ! ia32 } } }
// { dg-additional-options "-mother" { target arm*-*-* } }
"""
    assert directives.is_program(text, False)
    assert not directives.is_program("// { dg-do run { target { ! c++11 } } }", True)
    assert not directives.is_program("// { dg-do compile }", True)
    assert directives.is_program("nothing is said", True)
    found = directives.options(text)
    assert found == ["-fwrapv", "-DTEXT=a b", "-mfirst"], found


def refused(wanted, *words):
    expect_refusal(torture(*words), wanted)


def test_bad_input_is_refused_with_a_sentence():
    refused("LEVELS=-O7: it is -O0", "--levels=-O7")
    refused("STACKS=tall: it is whole or growing", "--stacks=tall")
    refused("NAME=perl: it is execute", "perl")
    refused("NAME=execute/none: the suite has no such program", "execute/none")
    refused("EVERY=0", "--every=0")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "known")
        for text, wanted in (("execute/one all -O2\n", "known:1: a line has a name"),
                             ("\nexecute/one all -O7 reason\n", "known:2: -O7 is not all, nor one of -O0")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            refused(wanted, f"--known={path}", *ONE)


def test_what_is_known_to_fail_and_passes_is_reported():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "known")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{ONE[-1]} whole all it is said not to pass\n")
        outcome = torture(f"--known={path}", *ONE)
    line = f"passed, so remove it from the list: {ONE[-1]} (it is said not to pass)"
    assert outcome.status == 1 and any(line in found for found in outcome.lines), said(outcome)


def groups():
    def cases():
        success, lines = make("plugin", "hosted")
        if not success:
            return [failed("the plugin and the library are built", lines)]
        return [passes(), *map(notices, REGISTERS), *run_functions(sys.modules[__name__])]

    return [Group("plugin: GCC's torture tests as tasks", cases)]
