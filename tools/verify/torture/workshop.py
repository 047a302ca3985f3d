"""How programs are built and run: as a task beside one that scrambles all registers, or plainly, for comparison."""

import os
import re
import shutil
import tempfile
from dataclasses import dataclass, field

from harness import process

COMPILE_LIMIT, PLAIN_LIMIT = 120, 10  # seconds
LIBRARY = "build/hosted/libheddle.a"
# Each configuration's options. The tests are full of code that compilers warn about.
ALL = ["-w"]
STANDARD = ["-std=gnu++14"]  # the last version with what half of the tests of exceptions are about
STACKS = {"whole": [], "growing": "-fsplit-stack -mno-red-zone -DHEDDLE_STACKS_GROW".split()}
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
TURNS = re.compile(r"^turns (\d+)$", re.MULTILINE)
LINES_SHOWN = 8


class Broken(Exception):
    """What all programs are linked with cannot be built; the text says why."""


@dataclass
class Outcome:
    """The outcome of a program. `kind`: passed, failed, or unsupported if it fails without the plugin as well."""

    kind: str
    details: list = field(default_factory=list)
    turns: int = 0  # of the other task, and so switches
    seconds: float = 0.0


def describe_end(outcome, limit):
    if outcome.timed_out:
        return f"it was not done after {limit} s"
    if outcome.status is None:
        return outcome.errors
    return f"it died of signal {-outcome.status}" if outcome.status < 0 else f"it ended with status {outcome.status}"


def said_of(outcome):
    """What the program wrote to its error stream, without the other task's turns."""
    return [line for line in outcome.errors.splitlines() if line and not TURNS.match(line)]


def turns_of(outcome):
    """The turns of the other task."""
    return sum(map(int, TURNS.findall(outcome.errors)))


def loaded(plugin):
    """The option that loads it."""
    return f"-fplugin={os.path.abspath(plugin)}"


def plugin_options(plugin, stacks):
    return ["-U_FORTIFY_SOURCE", loaded(plugin), *STACKS[stacks]]


def driver(compiler, is_cplusplus):
    """The compiler's driver for a language."""
    return re.sub(r"gcc(?=[^/]*$)", "g++", compiler) if is_cplusplus else compiler


@dataclass
class Workshop:
    """A configuration, with one compiler and one folder. `omit`: a register that checks lose on purpose, to see that
    this is noticed; None for none."""

    compiler: str
    plugin: str
    folder: str
    level: str
    stacks: str
    limit: int  # seconds that a program may take
    omit: str = None

    @property
    def name(self):
        return f"{self.level} {self.stacks}"

    def plugin_options(self):
        lost = [f"-fplugin-arg-heddle-omit={self.omit}"] if self.omit else []
        return [*plugin_options(self.plugin, self.stacks), *lost]

    def must(self, command):
        done = process.follow(command, COMPILE_LIMIT)
        if done.status != 0:
            raise Broken("\n".join([" ".join(command), *done.errors.splitlines()[:LINES_SHOWN]]))

    def prepare(self):
        """What all programs are linked with, in one object."""
        os.makedirs(self.folder, exist_ok=True)
        beside, assembly = f"{self.folder}/beside.o", []
        options = [*self.plugin_options(), "-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror", "-Iuser/include"]
        self.must([self.compiler, *options, "-c", "tools/verify/torture/beside.c", "-o", beside])
        for source in ("tools/verify/torture/scramble.asm", "tools/plugin/test/scramble.asm"):
            assembly.append(f"{self.folder}/{source.replace('/', '-')}.o")
            self.must(["nasm", "-f", "elf64", "-o", assembly[-1], source])
        self.must(["ld", "-r", "-S", "-o", self.all_in_one, beside, *assembly, "--whole-archive", LIBRARY])

    @property
    def all_in_one(self):
        return f"{os.path.abspath(self.folder)}/all.o"

    def build(self, program, target, options, linked):
        """The errors of the compiler or the linker."""
        compiler = driver(self.compiler, program.is_cplusplus)
        standard = STANDARD if program.is_cplusplus else []
        objects = []
        for number, source in enumerate(program.sources):
            objects.append(f"{target}.{number}.o")
            command = [compiler, self.level, *ALL, *standard, *program.options, *options, "-c", source]
            done = process.follow([*command, "-o", objects[-1]], COMPILE_LIMIT)
            if done.status != 0:
                return ["it is not compiled:", *done.errors.splitlines()[:LINES_SHOWN]]
        command = [compiler, *program.options, *objects, *linked, "-lm", "-o", target]
        done = process.follow(command, COMPILE_LIMIT)
        return [] if done.status == 0 else ["it is not linked:", *done.errors.splitlines()[:LINES_SHOWN]]

    def plain(self, program, folder):
        """(errors, output) of the program without the plugin."""
        target = f"{folder}/plain"
        complaints = self.build(program, target, [], [])
        if complaints:
            return complaints, None
        done = process.follow([target], PLAIN_LIMIT, folder=folder)
        return ([] if done.status == 0 else [describe_end(done, PLAIN_LIMIT)]), list(done.lines)

    def as_task(self, program, folder):
        """(errors, output, turns of the other task, seconds)"""
        target = f"{folder}/task"
        linked = [self.all_in_one, "-Wl,--wrap=main", "-pthread"]
        complaints = self.build(program, target, self.plugin_options(), linked)
        if complaints:
            return complaints, None, 0, 0
        done = process.follow([target], self.limit, folder=folder)
        turns = turns_of(done)
        if done.status == 0:
            return [] if turns else ["the other task never ran"], list(done.lines), turns, done.seconds
        return [describe_end(done, self.limit), *said_of(done)[:LINES_SHOWN]], None, turns, done.seconds

    def compare(self, program, folder):
        """The outcome of a program. If its output must equal the plain program's, that runs first: it may not end."""
        expected = None
        if program.prints:
            complaints, expected = self.plain(program, folder)
            if complaints:
                return Outcome("unsupported", complaints)
        complaints, printed, turns, seconds = self.as_task(program, folder)
        if complaints and not program.prints:
            plain_complaints, _ = self.plain(program, folder)
            if plain_complaints:
                return Outcome("unsupported", plain_complaints)
        if not complaints and program.prints and printed != expected:
            complaints = [f"it printed {' '.join(printed[-1:])}, not {' '.join(expected[-1:])}"]
        return Outcome("failed" if complaints else "passed", complaints, turns, seconds)

    def judge(self, program):
        """Run it in its own folder. Only if it fails as a task does the plain program decide whether that counts."""
        folder = tempfile.mkdtemp(dir=os.path.abspath(self.folder))
        try:
            return self.compare(program, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
