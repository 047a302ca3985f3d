"""Heddle's formatting of numbers with a point, compared with the C library's (formatting.c)."""

import os
import re
import subprocess
import tempfile

from .case import Group, verdict

NEEDS = ()
NUMBERS = 20000
SOURCES = ("kernel/format.c", "kernel/decimal.c")
# A rounding that is wrong for halves only.
BREACH = ("kernel/decimal.c", "(next == 5 && (more || odd))", "next == 5")


def compared(folder, sources):
    """The program's status and last line."""
    program = os.path.join(folder, "formatting")
    # What format.c takes for its stack (STACK_ENTRY) is not there outside Heddle; it has no part in this.
    subprocess.run(["gcc", "-O2", "-std=gnu17", "-w", "-I.", "-Iuser/include", "-Wl,--unresolved-symbols=ignore-all",
                    "tools/checks/formatting.c", *sources, "-o", program], check=True)
    done = subprocess.run([program, str(NUMBERS)], capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout.splitlines()


def beside_the_library():
    with tempfile.TemporaryDirectory() as folder:
        status, lines = compared(folder, SOURCES)
        cases = [verdict(f"{NUMBERS} numbers", lines[-5:] if status else [])]
        path, right, wrong = BREACH
        with open(path, encoding="utf-8") as file:
            text = file.read()
        broken = os.path.join(folder, "decimal.c")
        with open(broken, "w", encoding="utf-8") as file:
            file.write(text.replace(right, wrong, 1))
        status, lines = compared(folder, (SOURCES[0], broken))
        found = status == 1 and re.search(r"%\.0f of 0x1p-1: 0, not 1", "\n".join(lines)) and right in text
        cases.append(verdict("a wrong rounding is found", [] if found else ["it was not"]))
    return cases


def groups():
    return [Group("formatting: numbers beside the C library's", beside_the_library)]
