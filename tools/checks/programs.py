"""PROGRAMS=: what lies in user/example/, copied to a folder outside the tree, is built, and runs hosted and in QEMU.
What cannot be built is refused in a sentence."""

import os
import re
import shutil
import subprocess
import tempfile

from . import building
from .case import Group, failed, verdict

NEEDS = ("build/hosted/heddle", "build/kernel/heddle.elf")
EXAMPLE = "user/example"
TIMEOUT = 300
# Names that Heddle has for something else, and what -Werror would refuse.
AWKWARD = """
#include "heddle/program.h"
int panic(int unused)
{
	return 3;
}
static bool run(struct program_run *run)
{
	int forgotten;
	return panic(0) == 3 && program_value(run, "one") == 1;
}
static const struct program_parameter parameters[] = {{"one", 1, 1, 1, "one"}, {0}};
HEDDLE_PROGRAM(awkward, "has names of Heddle's", parameters, run);
"""
RESULT = r'"benchmark":"%s".*"ok":true'
GREETED = (r"task 2 greets wo\"rld", r'"name":"wo\\"rld"')
PROGRAM = '#include "heddle/program.h"\nstatic bool run(struct program_run *run) { return run; }\n' \
          "static const struct program_parameter none[] = {{0}};\nHEDDLE_PROGRAM(%s, \"help\", none, run);\n"


def copied(folder):
    """The example in that folder, with one file more."""
    place = os.path.join(folder, "mine")
    shutil.copytree(EXAMPLE, place)
    with open(os.path.join(place, "awkward.c"), "w", encoding="utf-8") as file:
        file.write(AWKWARD)
    return place


def run(*command):
    """(status, output)"""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          check=False, env=building.environment(), timeout=TIMEOUT, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout


def judged(name, status, said, expected):
    missing = [text for text in expected if not re.search(text, said, re.MULTILINE)]
    if status == 0 and not missing:
        return verdict(name, [])
    return failed(name, [f"status {status}, and these were not said: {missing}", *said.splitlines()[-30:]])


def hosted():
    with tempfile.TemporaryDirectory() as folder:
        place = copied(folder)
        built, lines = building.make("hosted", f"PROGRAMS={place}")
        if not built:
            return [failed("make hosted PROGRAMS=", lines)]
        warned = verdict("a warning is shown, and no error",
                         [] if any("forgotten" in line for line in lines) else ["it was not shown", *lines])
        program = "build/programs/hosted/heddle"
        status, said = run(program, "processors=2", 'run=greet,name=wo"rld', "run=harmonic", "run=awkward",
                           "run=switch,tasks=2,rounds=100")
        ran = judged("they run beside the tree's", status, said, (
            *GREETED, r"add up to 12\.090146$", RESULT % "harmonic", RESULT % "switch", "4 of 4 programs succeeded"))
        _, names = run("nm", "-j", program)
        blocks = names.split().count("heddle_processor_base")
        found = verdict("they find the processors where the tree's do", [] if blocks == 1 else [
            f"heddle_processor_base, from which a processor's block is found, is there {blocks} times"])
        status, said = run(program, "list")
        listed = judged("they are listed", status, said, (r"^greet: ", r"name=nobody  who is greeted \(any word\)"))
        status, said = run("build/hosted/heddle", "list")
        alone = verdict("the tree's own program has none of them", ["it has"] if "greet:" in said else [])
        return [warned, ran, found, listed, alone]


def kernel():
    with tempfile.TemporaryDirectory() as folder:
        status, said = run("make", "--no-print-directory", "run", f"PROGRAMS={copied(folder)}", "SMP=4",
                           "FIRMWARE=direct", 'RUN=greet,name=wo"rld harmonic awkward')
        return [judged("make run PROGRAMS=", status, said, (
            GREETED[0], r"add up to 12\.090146$", "3 of 3 programs succeeded"))]


def refused():
    with tempfile.TemporaryDirectory() as folder:
        def made(name, files):
            place = os.path.join(folder, name)
            os.makedirs(place)
            for file, text in files.items():
                with open(os.path.join(place, file), "w", encoding="utf-8") as opened:
                    opened.write(text)
            return place

        hello = made("twice", {"hello.c": PROGRAM % "hello"})
        bad = (
            ("a folder that is not there", "/nowhere/at/all", "PROGRAMS=/nowhere/at/all: there is no such folder"),
            ("a blank", made("a b", {"x.c": PROGRAM % "x"}),
             "a: there is no such folder; it takes folders without blanks"),
            ("a quotation mark", made("a'b", {"x.c": PROGRAM % "x"}), "a folder with such a character in its name"),
            ("an empty folder", made("empty", {"note.txt": "nothing"}),
             "empty: there are no programs in it; it takes [*].c"),
            ("a name that exists", hello,
             f"make: two programs have the name hello: one is in user/demo/hello.c, the other in {hello}/hello.c"),
            ("a file without a program", made("none", {"none.c": "int nothing;\n"}),
             "none.c: there is no HEDDLE_PROGRAM[(][)] in PROGRAMS="),
            ("an error", made("wrong", {"wrong.c": "int main(void) { return nothing; }\n"}), "wrong.c:1:.*nothing"),
        )
        cases = []
        for name, place, sentence in bad:
            status, said = run("make", "--no-print-directory", "hosted", f"PROGRAMS={place}")
            right = status == 2 and re.search(sentence, said)
            cases.append(verdict(name, [] if right else [f"status {status}; it said:", *said.splitlines()[-10:]]))
        return cases


def groups():
    return [
        Group("programs: outside the tree, hosted", hosted, alone=True),
        Group("programs: outside the tree, kernel", kernel, alone=True),
        Group("programs: refused", refused, alone=True),
    ]
