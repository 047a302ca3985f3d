"""What the tools tell a person: once, and in words."""

import sys

from harness import emulator

from .case import Group, run_functions
from .tools import emulated, expect

NEEDS = ()


def test_a_failure_is_said_once_and_in_words():
    for program, sentence, options in (
        (f"echo '[ 0.1 p00] error: the reason'; exit {emulator.EXIT_FAILURE}", "run: the kernel reported a failure",
         ()),
        (f"echo 'panic: the reason'; exit {emulator.EXIT_PANIC}", "run: the kernel panicked", ()),
        (f"echo 'panic: the reason'; exit {emulator.EXIT_PANIC}", "run: the kernel panicked:", ("--quiet",)),
        ("echo the reason; exit 0", "shows where", ()),
        ("echo the reason; sleep 100", "gives it more).", ("--timeout", "1")),
    ):
        status, said = emulated(program, *options)
        expect(status, said, 1, sentence + "\n")
        assert said.count("the reason") == 1 and "exit code" not in said and "last lines" not in said, said


def groups():
    return [Group("tools: what they say", lambda: run_functions(sys.modules[__name__]))]
