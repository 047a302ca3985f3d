"""What the tools tell a person: once, in words, and in time."""

import sys
import tempfile

from harness import duration, emulator

from .case import Group, run_functions
from .tools import GOOD, emulated, expect, hosted, run_tool

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


def test_how_long_it_takes_is_said():
    status, said = run_tool("tools/run", "--hosted", "--binary", "FAKE", "--processors", "77", program="exit 1")
    expect(status, said, 1, "run: all benchmarks; that takes a minute or two")
    status, said = hosted(f"echo '{GOOD}'")
    assert status == 0 and "all benchmarks" not in said, said
    folder = duration.FOLDER
    with tempfile.TemporaryDirectory() as duration.FOLDER:
        assert duration.expected("test", "an hour") == "takes an hour"
        duration.remember("test", 1860.4)
        duration.remember("run", 78.2)
        assert duration.expected("test", "an hour") == "took 31 minutes the last time"
        assert duration.expected("run", "an hour") == "took 78 s the last time"
        with open(duration.path_of("run"), "w", encoding="utf-8") as file:
            file.write("[")
        assert duration.expected("run", "an hour") == "takes an hour"
    duration.FOLDER = folder


def groups():
    return [Group("tools: what they say", lambda: run_functions(sys.modules[__name__]))]
