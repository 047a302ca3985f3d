"""The files that pages contain for their readers (rules/indexes.py) are built and run, in a copy of the tree."""

import os
import re
import shutil
import subprocess
import tempfile

from checks.rules import indexes

from . import building
from .case import Case, Group, failed

NEEDS = ("build/hosted/heddle", "build/hosted/libheddle.a")
FOLDERS = ("arch", "kernel", "sched", "sync", "user", "tools")
BUILT = ("build/hosted", "build/plugin", "build/ports")
HEDDLE = "build/hosted/heddle"
TWICE = "gcc -Iuser/include twice.c build/hosted/libheddle.a -pthread -o twice"
INSTALLED = ("make --no-print-directory install PREFIX=$PWD/there && export LD_LIBRARY_PATH=$PWD/there/lib && "
             "export PKG_CONFIG_PATH=$LD_LIBRARY_PATH/pkgconfig")
SUMS = "g++ -std=c++20 -O2 -Iuser/include sums.cc -pthread -o sums"
SQUARE = "gcc square.c $(pkg-config --cflags --libs heddle) -o square && ./square"
# A page, and what is done once its files exist: commands, and their output.
PAGES = (
    ("README.md", ((f"{HEDDLE} processors=2 run=answer", "1 of 1 programs succeeded"),)),
    ("user/embedding.md", ((f"{TWICE} && ./twice", "^42$"),)),
    ("user/coroutines.md", ((f"{SUMS} && ./sums", "^500500$"),)),
    ("user/installing.md", ((f"{INSTALLED} && {SQUARE}", "^144 by Heddle"),)),
    ("sync/writing-a-lock.md", (("tools/verify/run --only lifo", "ok 4 lifo error held-by-nobody is caught"),)),
)
# Code that a page lets the reader add to a file: the page's block of Python, after this line.
ADDED = {"sync/writing-a-lock.md": ("tools/verify/explored/sync.py", "CASES = {\n")}
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def copy_tree(folder):
    """Also copies what is built, with its times: only what is new is built again."""
    ignored = shutil.ignore_patterns("__pycache__")
    for name in (*FOLDERS, *filter(os.path.isdir, BUILT)):
        shutil.copytree(name, os.path.join(folder, name), symlinks=True, ignore=ignored)
    for name in ("Makefile", "build.mk", "linker.ld", "LICENSE"):
        shutil.copy2(name, folder)
    if os.path.isdir("build/sources"):
        os.symlink(os.path.abspath("build/sources"), os.path.join(folder, "build", "sources"))


def write_files(page, text, folder):
    for name, content in indexes.given(text):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
    if page in ADDED:
        name, line = ADDED[page]
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as file:
            before = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(before.replace(line, line + PYTHON_BLOCK.search(text)[1], 1))


def run(command, folder):
    """(status, all output)"""
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", check=False, timeout=1200, env=building.environment(),
    )
    return done.returncode, done.stdout


def tried(page, commands, folder):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    write_files(page, text, folder)
    built, lines = building.make(HEDDLE, folder=folder)
    if not built:
        return failed(page, lines)
    for command, wanted in commands:
        status, said = run(command, folder)
        if status != 0 or not re.search(wanted, said, re.MULTILINE):
            return failed(page, [f"{command}: status {status}; it said:", *said.splitlines()[-20:]])
    return Case(page)


def pages():
    with tempfile.TemporaryDirectory() as folder:
        copy_tree(folder)
        return [tried(page, commands, folder) for page, commands in PAGES]


def groups():
    return [Group("pages: the files that pages give are built and run", pages)]
