"""How much larger programs get, and how much longer they take to compile."""

import glob
import os
import resource
import shlex
import statistics
import subprocess
import tempfile


# The sections that code of its own may be in without -ffunction-sections; all others are of groups (COMDAT).
PARTS = (".text.unlikely", ".text.startup", ".text.exit", ".text.hot")


def text_of(path):
    """Bytes of code in an object or program: its code sections, according to objdump."""
    return text_linked([path])


def text_linked(paths):
    """The same of all objects and archives together. Of code that several have in a section for it alone, the linker
    keeps one."""
    total, shared = 0, {}
    for path in paths:
        done = subprocess.run(["objdump", "-h", "-w", path], capture_output=True, text=True, check=True)
        for section in (line.split() for line in done.stdout.splitlines() if " CODE" in line):
            if section[1].startswith(".text.") and section[1] not in PARTS:
                shared[section[1]] = int(section[2], 16)
            else:
                total += int(section[2], 16)
    return total + sum(shared.values())


def user_objects(binary):
    """The objects of user code of the build that a program belongs to, by their path in the build's folder. Objects
    linked from other builds are left out."""
    folder = os.path.dirname(binary)
    paths = glob.glob(os.path.join(folder, "user", "**", "*.c.o"), recursive=True)
    return {os.path.relpath(path, folder): path for path in sorted(paths)}


def sizes(base, other):
    """(what, bytes without, bytes with), folder by folder, then all user code, then the whole program."""
    without, with_checks = user_objects(base), user_objects(other)
    folders = {}
    for name in sorted(set(without) & set(with_checks)):
        total = folders.setdefault("/".join(os.path.dirname(name).split("/")[:3]), [0, 0])
        total[0] += text_of(without[name])
        total[1] += text_of(with_checks[name])
    found = [(folder, *total) for folder, total in folders.items()]
    if found:
        found.append(("user code", *(sum(column) for column in zip(*folders.values()))))
    return [*found, ("whole program", text_of(base), text_of(other))]


def processor_seconds(command):
    """User time of a command that must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def compile_commands(binary):
    """(source, command) for each file that `make` compiles with the plugin for a program."""
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    dry_run = ["make", "--no-print-directory", "-n", "V=1", binary]
    said = subprocess.run(dry_run, capture_output=True, text=True, check=True, env=environment).stdout
    lines = [shlex.split(line) for line in said.splitlines() if " -fplugin=" in line and " -c " in line]
    return [(line[line.index("-c") + 1], line) for line in lines]


def group_of(source):
    """The files whose times are added up: a package of foreign sources, or ours."""
    parts = source.split("/")
    return parts[2] if parts[:2] == ["build", "sources"] else "user/"


def compile_times(binary, runs):
    """(name, files, seconds without, seconds with, ratios) for each group of files, then for all: user time to
    compile them as `make` does, without the plugin and with it in turn; one ratio of the sums for each run."""
    commands = compile_commands(binary)
    totals = {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(runs):
            for source, instrumented in commands:
                plain = [word for word in instrumented if not word.startswith("-fplugin")]
                for column, command in enumerate((plain, instrumented)):
                    command = [word for word in command if word not in ("-MMD", "-MP")]
                    command[command.index("-o") + 1] = os.path.join(folder, "object.o")
                    seconds = processor_seconds(command)
                    for group in (group_of(source), "all"):
                        total = totals.setdefault(group, [[0.0, 0.0] for _ in range(runs)])
                        total[number][column] += seconds
    for group in sorted(totals, key=lambda group: (group == "all", group)):
        files = sum(group in ("all", group_of(source)) for source, _ in commands)
        without, with_checks = (statistics.median(column) for column in zip(*totals[group]))
        yield group, files, without, with_checks, [after / before for before, after in totals[group]]
