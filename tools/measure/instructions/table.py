"""The table of instruction counts, kept in the repository, and the report if an operation takes another number."""

import re
import subprocess
from dataclasses import dataclass, field

from harness import emulator

from . import counts

PATH = "tools/measure/instructions/table.txt"
UPDATE = "make instructions UPDATE=1"
# Per cent. Counts with one compiler differ only by what the clock makes a processor do meanwhile; another compiler
# generates other code.
MARGIN, MARGIN_OTHER_COMPILER = 2.0, 30.0
SMALLEST = 2.0  # instructions: a margin is never smaller
HEAD = f"""\
# Instructions of an operation in the kernel on one processor, with the call and the loop around it, by the policy of
# the ready queues. `make test` counts again and holds that against this file; `{UPDATE}` writes it.
"""


class BadTable(ValueError):
    """The table cannot be read; the text says where and why."""


@dataclass
class Table:
    """`figures`: {operation: (local, global)}."""

    compiler: str
    figures: dict = field(default_factory=dict)


def compiler(binary="gcc"):
    """The compiler and its version."""
    said = subprocess.run([binary, "-dumpfullversion"], capture_output=True, text=True, check=True).stdout
    return f"gcc {said.strip()}"


def write(table, path=PATH):
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD)
        file.write(f"compiler: {table.compiler}\n")
        file.write(f"{'operation':24}" + "".join(f"{policy:>10}" for policy in counts.POLICIES) + "\n")
        for operation, figures in table.figures.items():
            file.write(f"{operation:24}" + "".join(f"{figure:10.1f}" for figure in figures) + "\n")


def parse(text):
    """Parse the table; BadTable."""
    table = Table(compiler="")
    for number, line in enumerate(text.splitlines(), 1):
        named = re.fullmatch(r"compiler: (.+)", line)
        row = re.fullmatch(r"(\S.*?)\s+([0-9]+\.[0-9])\s+([0-9]+\.[0-9])", line)
        if named:
            table.compiler = named[1]
        elif row:
            table.figures[row[1]] = (float(row[2]), float(row[3]))
        elif line and not line.startswith(("#", "operation ")):
            raise BadTable(f"{PATH}, line {number} is no row of the table: {line!r}; `{UPDATE}` writes it anew")
    if not table.compiler or not table.figures:
        raise BadTable(f"{PATH} lacks the compiler or all rows; `{UPDATE}` writes it anew")
    return table


def read(path=PATH):
    """The table in the repository; BadTable."""
    try:
        with open(path, encoding="utf-8") as file:
            return parse(file.read())
    except OSError as error:
        raise BadTable(f"{path}: {error.strerror}; `{UPDATE}` writes it anew") from None


def change(old, new):
    """In per cent."""
    return 100 * (new - old) / old if old else float("inf")


def differs(old, new, margin):
    return abs(new - old) > max(old * margin / 100, SMALLEST)


def objections(table, figures, compiler_here):
    """{operation: sentences} on differences from the table. A faster operation is one, too: otherwise it could become
    slow again unnoticed."""
    margin = MARGIN if table.compiler == compiler_here else MARGIN_OTHER_COMPILER
    found = {operation: [] for operation in {**table.figures, **figures}}
    for operation, said in found.items():
        if operation not in figures or operation not in table.figures:
            where = f"is in {PATH}, but was not counted" if operation not in figures else f"is not in {PATH}"
            said.append(f"{operation} {where}; `{UPDATE}` writes the table anew")
            continue
        for policy, old, new in zip(counts.POLICIES, table.figures[operation], figures[operation]):
            if differs(old, new, margin):
                said.append(
                    f"{operation}, sched={policy}: {new:.1f} instructions instead of {old:.1f} "
                    f"({change(old, new):+.1f} %, allowed are {margin:.0f}), "
                    f"{'slower' if new > old else 'faster'} than {PATH} says; if that is meant, `{UPDATE}`"
                )
    return found


def count(kernel, timeout=120.0, name="counts"):
    """A table of this kernel's counts; emulator.EmulatorFailure."""
    figures = counts.totals(kernel, timeout, name)
    if not figures:
        raise emulator.EmulatorFailure("no operation was counted")
    return Table(compiler(), figures)
