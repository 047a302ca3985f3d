"""The rules. Each takes a file and returns what breaks it, as pairs of a line number and a sentence."""

import functools
import os
import pathlib
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
    "kernel/font.c": "the shapes of the letters",
    "kernel/font.h": "the shapes of the letters",
    "arch/bare/font.c": "the shapes of the letters",
}

PORTABLE = ("kernel/", "sched/", "sync/", "user/")
# Linux programs that use the library; what serves the host's threads, or stands in front of the system's headers.
HOST_PROGRAMS = ("user/demo/embedding/", "user/posix/", "user/delegation/", "user/include/heddle/pthread",
                 "user/include/heddle/threads.h", "user/include/heddle/posix/", "user/include/heddle/delegation/")
FREESTANDING_HEADERS = {
    "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdarg.h", "stdalign.h", "stdnoreturn.h", "limits.h",
    "string.h",  # memcpy and its kin, which the compiler calls by itself anyway
}
# Registers whose names have more than two letters: the others are too common in ordinary code.
REGISTERS = "[re](?:ax|bx|cx|dx|si|di|bp|sp|ip|flags)|r(?:8|9|1[0-5])[dwb]?|[xyz]mm[0-9]+|cr[0-48]|mxcsr"
INSTRUCTIONS = (
    "rdtscp?|cpuid|rdmsr|wrmsr|[lms]fence|in[bwl]|out[bwl]|cmpxchg\\w*|xchg|lidt|lgdt|invlpg|swapgs|hlt"
)
COMPILER = "asm|__asm|__asm__|__builtin_ia32_\\w+|_mm\\d*_\\w+|immintrin|x86intrin"
TARGETS = "__x86_64__|__x86_64|__amd64__|__i386__|__linux__|__unix__"
TARGET_WORD = re.compile(rf"\b(?:{COMPILER}|{TARGETS}|{INSTRUCTIONS}|{REGISTERS})\b")
COMPILER_WORD = re.compile(rf"\b(?:{COMPILER})\b")  # what is of the host may say so, but has no assembly either
ATOMIC_READ = re.compile(r"\batomic_(?:load|exchange|flag_test_and_set|compare_exchange_(?:strong|weak)|fetch_\w+)")
ATOMIC_LOAD = re.compile(r"\batomic_(?:load|exchange|flag_test_and_set)\w*")
BOUND = re.compile(r"arch_clock\s*\(|deadline|--|\+\+")
PAUSE = re.compile(r"\b\w*(?:pause|relax)\w*\s*\([^()]*\)\s*;?")
LEFT_OVER = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:wo" r"rk|ho" r"me|ro" r"ot)/\w")
PROCESSOR_WORD = re.compile(r"(?:\b|_)cpus?(?:\b|_)", re.IGNORECASE)
INCLUDE = re.compile(r'^\s*[#%]\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)
EXTERN = re.compile(r"^\s*extern\s+([\w, ]+)", re.MULTILINE)

# What arch/ may use of kernel/.
SERVICES = tuple(f"kernel/{name}.h" for name in (
    "acpi", "boot_information", "boot_loader", "command_line", "console", "format", "log_memory", "log_page", "memory",
    "panic", "processor", "result_page", "stack_table", "topology",
))
# What a folder may include. user -> sync -> sched -> kernel -> arch.h; kernel/main.c starts the rest. In arch/, a
# platform uses the instruction set, which knows no platform. What both call of kernel/ and sched/ is declared in
# arch.h.
MAY_USE = {
    "kernel/": ("arch/arch.h", "kernel/"),
    "sched/": ("arch/arch.h", "kernel/", "sched/", "heddle/", "sync/task_locks.h"),  # that: a part of struct task
    "sync/task_locks.h": (),
    "sync/": ("arch/arch.h", "kernel/", "sched/", "sync/", "heddle/"),
    # Only what any program may use, and names in place of others.
    "user/posix/": ("user/posix/", "heddle/", "arch/hosted/instead.h"),
    # The queue alone, and a pause.
    "user/delegation/": ("user/delegation/", "heddle/", "sync/delegation/queue.h", "arch/arch.h"),
    "user/": ("arch/arch.h", "kernel/", "sched/", "sync/", "user/", "heddle/"),
    "arch/arch.h": ("arch/instruction_set.h",),
    "arch/instruction_set.h": ("arch/x86_64/",),
    "arch/x86_64/": ("arch/arch.h", "arch/x86_64/", "heddle/scope.h", "heddle/task.h", *SERVICES),
    "arch/bare/": ("arch/arch.h", "arch/x86_64/", "arch/bare/", *SERVICES),
    "arch/hosted/": ("arch/arch.h", "arch/x86_64/", "arch/hosted/", "heddle/task.h", *SERVICES),
    # The simulator takes of the hosted machine what an ordinary process has: names of functions, signals.
    "arch/simulated/machine/": ("arch/arch.h", "arch/x86_64/", "arch/hosted/", "arch/simulated/", *SERVICES),
    "arch/simulated/": ("arch/arch.h", "arch/x86_64/", "arch/simulated/", *SERVICES),
}
# The entries of the program and of the library start the rest, and tasks wait for the host by means of sched/; layout.c
# checks numbers against structures of sched/.
UPWARDS_HOSTED = ("host.c", "blocking.c", "descriptors.c", "descriptors.h", "helpers.c", "outside.c", "report.c",
                  "watch.c")
LOOKS_UPWARDS = ("kernel/main.c", "arch/x86_64/layout.c", *(f"arch/hosted/{name}" for name in UPWARDS_HOSTED))
# Headers of the compiler for the instruction set: for contexts under sanitizers, and calls back under unwinding.
OF_THE_COMPILER = ("sanitizer/", "unwind.h")
HOSTS = ("arch/hosted/", "arch/simulated/machine/", "user/posix/", "user/delegation/")
# Pure functions of what a machine reports; the tests feed them with what real machines report.
TESTED, MACHINE_TESTED = "user/test/", "arch/x86_64/decode/"


def is_portable(path):
    # A link counts as its target: the machine's part of the public headers lies in arch/.
    return (path.startswith(PORTABLE) and path.endswith((".c", ".h")) and not path.startswith(HOST_PROGRAMS)
            and not os.path.islink(path))


def no_target_word(path, text):
    """Only arch/ knows the machine."""
    is_of_host = path.startswith(HOST_PROGRAMS) and path.endswith((".c", ".h"))
    if not is_portable(path) and not is_of_host:
        return
    code = INCLUDE.sub("", source.c_code(text))  # headers have a rule of their own
    for found in (COMPILER_WORD if is_of_host else TARGET_WORD).finditer(code):
        yield source.line_of(code, found.start()), f"\"{found[0]}\" belongs into arch/: only it knows the machine"


def is_of_arch(path):
    return path.startswith("arch/") and path.endswith((".c", ".h", ".asm", ".inc"))


def includes_downwards(path, text):
    """Uses point one way, and nothing of the host is used but in HOSTS."""
    if not is_portable(path) and not is_of_arch(path) and not path.startswith(HOSTS) or path in LOOKS_UPWARDS:
        return
    folder = next(folder for folder in MAY_USE if path.startswith(folder))
    allowed = MAY_USE[folder] + ((MACHINE_TESTED,) if path.startswith(TESTED) else ())
    code = source.c_code(text) if path.endswith((".c", ".h")) else text
    for found in INCLUDE.finditer(code):
        line = source.line_of(text, found.start(2))
        if found[1] == "<":
            compilers = path.startswith("arch/x86_64/") and found[2].startswith(OF_THE_COMPILER)
            if found[2] not in FREESTANDING_HEADERS and not compilers and folder not in HOSTS:
                yield line, f"<{found[2]}> is not a header of a freestanding compiler"
        elif "/" in found[2] and not found[2].startswith(allowed):
            yield line, f"{folder} may not use {found[2]} (it may use {', '.join(allowed)})"


@functools.cache
def defined_above():
    """The names that kernel/, sched/ and sync/ define or declare, and those that arch.h has."""
    above = set()
    for folder in ("kernel", "sched", "sync"):
        for path in pathlib.Path(folder).rglob("*.[ch]"):
            code = source.c_code(path.read_text(encoding="utf-8"))
            for line in re.findall(r"^\w.*", code, re.MULTILINE):
                above.update(re.findall(r"\w+", line))
    return above, set(re.findall(r"\w+", source.c_code(pathlib.Path("arch/arch.h").read_text(encoding="utf-8"))))


def calls_up_are_declared(path, text):
    """What assembly calls of kernel/ and sched/ is declared in arch.h, with its contract."""
    if not path.startswith("arch/") or not path.endswith((".asm", ".inc")):
        return
    above, declared = defined_above()
    for found in EXTERN.finditer(text):
        for name in re.findall(r"\w+", found[1]):
            if name in above and name not in declared:
                yield source.line_of(text, found.start(1)), f"\"{name}\" is not among the calls up in arch/arch.h"


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
    """A file can be read in one sitting."""
    lines = text.count("\n")
    limit = LINES_A_TABLE if path in TABLES else LINES_A_FILE
    if lines > limit and not path.endswith(".md"):
        yield lines, f"{lines} lines; at most {limit} (rules.py lists which tables may have more)"
    if lines > LINES_A_FRONT_PAGE and path == FRONT_PAGE:
        yield lines, f"{lines} lines; at most {LINES_A_FRONT_PAGE} are read on the way in"


def tidy_lines(path, text):
    """Lines fit the width, and have no blanks at the end."""
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
    no_target_word, includes_downwards, calls_up_are_declared, no_endless_spin, short_functions, short_files,
    tidy_lines, no_left_overs, right_words,
)


# What may stand at the top, and at the top of the rooms of tools/.
STANDS = {
    "": {".ci", ".clang-format", ".editorconfig", ".gitignore", "LICENSE", "Makefile", "README.md", "arch", "build.mk",
         "kernel", "linker.ld", "sched", "sync", "tools", "user"},
    "tools/": {"README.md", "checks", "gdb.py", "harness", "make", "measure", "plugin", "results", "run", "setup",
               "test", "trace", "tracing", "verify"},
}


def nothing_else_stands(paths):
    """Only what belongs there stands at the top. Returns pairs of a path and a sentence."""
    for folder, allowed in STANDS.items():
        there = {path.removeprefix(folder).split("/")[0] for path in paths if path.startswith(folder)}
        for name in sorted(there - allowed):
            yield folder + name, f"does not belong into {folder or 'the top'}; if it does, rules.py has to name it"


def each_folder_explained(paths):
    """Each folder of the first two levels has a README.md, which covers the folders below too. Returns pairs of a
    folder and a sentence."""
    paths = set(paths)
    folders = {"/".join(path.split("/")[:-1][:2]) for path in paths if not path.startswith(".")}
    for folder in sorted(folders):
        readme = os.path.join(folder, "README.md")
        if readme not in paths:
            yield f"{folder or '.'}/", "no README.md says what lives here, what it may use and where to start reading"


def check_file(path, text):
    """All that is wrong with a file."""
    return [(line, sentence) for rule in FILE_RULES for line, sentence in rule(path, text)]
