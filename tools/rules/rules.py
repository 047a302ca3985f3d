"""The rules. Each takes a file and gives back what breaks it, as pairs of a line number and a sentence."""

import os
import re

from . import source

LINES_A_FUNCTION = 60
LINES_A_FILE = 400
LINES_A_TABLE = 600
FRONT_PAGE, LINES_A_FRONT_PAGE = "README.md", 150  # two screens; the rest has pages of its own
COLUMNS = 120  # for comments and all that clang-format, with its 110, does not lay out; prose may be wider still
TAB = 4  # as in .clang-format

# Files that are tables rather than code may have up to LINES_A_TABLE lines. Each needs its reason.
TABLES = {
    "arch/x86_64/font.c": "the shapes of the letters",
}

PORTABLE = ("kernel/", "sched/", "sync/", "user/")
HOST_PROGRAMS = ("user/demo/embedding/",)  # Linux programs that use the library
FREESTANDING_HEADERS = {
    "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdarg.h", "stdalign.h", "stdnoreturn.h", "limits.h",
    "string.h",  # memcpy and its kin, which the compiler calls by itself anyway
}
# Registers by the names that have more than two letters: the others are too common in ordinary code.
REGISTERS = "[re](?:ax|bx|cx|dx|si|di|bp|sp|ip|flags)|r(?:8|9|1[0-5])[dwb]?|[xyz]mm[0-9]+|cr[0-48]|mxcsr"
INSTRUCTIONS = (
    "rdtscp?|cpuid|rdmsr|wrmsr|[lms]fence|in[bwl]|out[bwl]|cmpxchg\\w*|xchg|lidt|lgdt|invlpg|swapgs|hlt"
)
COMPILER = "asm|__asm|__asm__|__builtin_ia32_\\w+|_mm\\d*_\\w+|immintrin|x86intrin"
TARGETS = "__x86_64__|__x86_64|__amd64__|__i386__|__linux__|__unix__"
TARGET_WORD = re.compile(rf"\b(?:{COMPILER}|{TARGETS}|{INSTRUCTIONS}|{REGISTERS})\b")
ATOMIC_READ = re.compile(r"\batomic_(?:load|exchange|flag_test_and_set|compare_exchange_(?:strong|weak)|fetch_\w+)")
ATOMIC_LOAD = re.compile(r"\batomic_(?:load|exchange|flag_test_and_set)\w*")
BOUND = re.compile(r"arch_clock\s*\(|deadline|--|\+\+")
PAUSE = re.compile(r"\b\w*(?:pause|relax)\w*\s*\([^()]*\)\s*;?")
LEFT_OVER = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:wo" r"rk|ho" r"me|ro" r"ot)/\w")
PROCESSOR_WORD = re.compile(r"(?:\b|_)cpus?(?:\b|_)", re.IGNORECASE)
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)

# What a folder may include, besides itself. user -> sync -> sched -> kernel -> arch.h; main starts the rest.
MAY_USE = {
    "kernel": ("arch/arch.h", "kernel/"),
    "sched": ("arch/arch.h", "kernel/", "sched/", "heddle/"),
    "sync": ("arch/arch.h", "kernel/", "sched/", "sync/", "heddle/"),
    "user": ("arch/arch.h", "kernel/", "sched/", "sync/", "user/", "heddle/"),
}
LOOKS_UPWARDS = ("kernel/main.c",)
# Pure functions of what a machine says, which the tests feed with what real ones say.
TESTED, MACHINE_TESTED = "user/test/", "arch/x86_64/decode/"


def is_portable(path):
    # A link stands for what it leads to: the machine's part of the public headers lies in arch/.
    return (path.startswith(PORTABLE) and path.endswith((".c", ".h")) and not path.startswith(HOST_PROGRAMS)
            and not os.path.islink(path))


def no_target_word(path, text):
    """Only arch/ knows the machine."""
    if not is_portable(path):
        return
    code = INCLUDE.sub("", source.c_code(text))  # headers have a rule of their own
    for found in TARGET_WORD.finditer(code):
        yield source.line_of(code, found.start()), f"\"{found[0]}\" belongs into arch/: only it knows the machine"


def includes_downwards(path, text):
    """Uses point one way, and nothing of the host is used outside arch/hosted."""
    if not is_portable(path) or path in LOOKS_UPWARDS:
        return
    folder = path.split("/")[0]
    allowed = MAY_USE[folder] + ((MACHINE_TESTED,) if path.startswith(TESTED) else ())
    for found in INCLUDE.finditer(source.c_code(text)):
        line = source.line_of(text, found.start(2))
        if found[1] == "<":
            if found[2] not in FREESTANDING_HEADERS:
                yield line, f"<{found[2]}> is not a header of a freestanding compiler"
        elif "/" in found[2] and not found[2].startswith(allowed):
            yield line, f"{folder}/ may not use {found[2]} (it may use {', '.join(allowed)})"


def no_endless_spin(path, text):
    """No wait for another processor without a bound."""
    if not is_portable(path) or path.startswith("sync/baseline/"):
        return
    code = source.c_code(text)
    for offset, condition, body in source.loops(code):
        waits = ATOMIC_LOAD.search(condition) or (ATOMIC_READ.search(condition) and PAUSE.search(body))
        idle = not PAUSE.sub("", body).strip(" \t\n;")
        endless = not condition.strip(" \t\n;1") or condition.strip() == "true"
        if (waits or (endless and PAUSE.search(body))) and idle and not BOUND.search(condition):
            yield source.line_of(code, offset), "this loop only waits, without a bound; count its turns, or suspend"
    for found in re.finditer(r"\batomic_flag_test_and_set\w*|\bspin_?lock\w*", code):
        yield source.line_of(code, found.start()), f"\"{found[0]}\": there are no spin locks outside sync/baseline/"


def short_functions(path, text):
    """A function fits a screen."""
    if path.endswith((".c", ".h")):
        functions = source.c_functions(source.c_code(text))
    elif path.endswith(".py") or text.startswith("#!/usr/bin/env python3"):
        functions = source.python_functions(text)
    else:
        return
    for name, line, lines in functions:
        if lines > LINES_A_FUNCTION:
            yield line, f"{name} has {lines} lines; at most {LINES_A_FUNCTION} fit a screen"


def short_files(path, text):
    """A file is read in one sitting."""
    lines = text.count("\n")
    limit = LINES_A_TABLE if path in TABLES else LINES_A_FILE
    if lines > limit and not path.endswith(".md"):
        yield lines, f"{lines} lines; at most {limit} (a table may have {LINES_A_TABLE} if rules.py lists it)"
    if lines > LINES_A_FRONT_PAGE and path == FRONT_PAGE:
        yield lines, f"{lines} lines; at most {LINES_A_FRONT_PAGE} are read on the way in"


def tidy_lines(path, text):
    """Lines fit the width and end where they end."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line.expandtabs(TAB)) > COLUMNS and not path.endswith(".md"):
            yield number, f"wider than {COLUMNS} columns"
        if line != line.rstrip():
            yield number, "blanks at the end of the line"
    if text and not text.endswith("\n"):
        yield text.count("\n") + 1, "the last line has no end"


def no_left_overs(path, text):
    """What is not done is not in the tree."""
    for found in LEFT_OVER.finditer(text):
        yield source.line_of(text, found.start()), f"\"{found[0]}\": do it, or leave it out"
    for found in MACHINE_PATH.finditer(text):
        yield source.line_of(text, found.start()), "a path of one machine"


def right_words(path, text):
    """A processor is called processor."""
    if not is_portable(path):
        return
    for found in PROCESSOR_WORD.finditer(text):
        yield source.line_of(text, found.start()), f"\"{found[0]}\": the word is processor"


FILE_RULES = (
    no_target_word, includes_downwards, no_endless_spin, short_functions, short_files, tidy_lines, no_left_overs,
    right_words,
)


def each_folder_explained(paths):
    """Each folder of the first two levels has a README.md, which speaks for those below too. Gives back pairs of a
    folder and a sentence."""
    paths = set(paths)
    folders = {"/".join(path.split("/")[:-1][:2]) for path in paths if not path.startswith(".")}
    for folder in sorted(folders):
        readme = os.path.join(folder, "README.md")
        if readme not in paths:
            yield folder or ".", "no README.md says what lives here, what it may use and where to start reading"


def check_file(path, text):
    """All that is wrong with a file."""
    return [(line, sentence) for rule in FILE_RULES for line, sentence in rule(path, text)]
