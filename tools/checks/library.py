"""A program outside the tree is built with nothing but the public headers and the library, and runs."""

import os
import shutil
import subprocess
import tempfile

from harness import explain, process

from .case import Case, Group, failed

EXPECTED = ["sum of squares below 100: 328350"] * 2


def example():
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree("user/include", os.path.join(folder, "include"))
        shutil.copy("tools/example/sum.c", folder)
        shutil.copy("build/hosted/libheddle.a", folder)
        command = "gcc -std=c11 -Wall -Wextra -Werror -Iinclude sum.c libheddle.a -pthread -o sum".split()
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return [failed("builds", done.stderr.splitlines())]
        outcome = process.follow([os.path.join(folder, "sum")], 30)
    said = [line for line in outcome.lines if line]
    if outcome.status != 0 or said != EXPECTED:
        problem = f"status {outcome.status}{', timed out' if outcome.timed_out else ''}; it printed:"
        return [Case("builds"), failed("runs", [problem, *explain.last_lines(outcome), *outcome.errors.splitlines()])]
    return [Case("builds"), Case("runs")]


def groups():
    return [Group("hosted: the library in a program outside the tree", example)]
