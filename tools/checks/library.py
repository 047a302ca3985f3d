"""Programs outside the tree are built with nothing but the public headers and the library, and run."""

import os
import re
import shutil
import subprocess
import tempfile

from harness import explain, process

from .case import Group, failed, verdict

# A program, and what it prints.
PROGRAMS = (
    ("user/demo/embedding/main.c", (r"divisible by 3: 1000000 ", r"divisible by 7: 1000001 ", r"left behind: 0")),
    ("tools/checks/restart.c", (r"below 100: 328350", r"below 100: 328350")),
)


def build_and_run(program, patterns):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree("user/include", os.path.join(folder, "include"))
        shutil.copy(program, os.path.join(folder, "program.c"))
        shutil.copy("build/hosted/libheddle.a", folder)
        command = "gcc -std=gnu11 -Wall -Wextra -Werror -Iinclude program.c libheddle.a -pthread -o program".split()
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return failed(program, ["it cannot be built:", *done.stderr.splitlines()])
        outcome = process.follow([os.path.join(folder, "program")], 30)
    said = [line for line in outcome.lines if line]
    as_wanted = len(said) == len(patterns) and all(map(re.search, patterns, said))
    if outcome.status == 0 and as_wanted:
        return verdict(program, [])
    end = "it was not done in time" if outcome.timed_out else f"it ended with status {outcome.status}"
    return failed(program, [f"{end}; it printed:", *explain.last_lines(outcome), *outcome.errors.splitlines()])


def groups():
    def cases():
        return [build_and_run(program, patterns) for program, patterns in PROGRAMS]

    return [Group("hosted: the library in programs outside the tree", cases)]
