"""Names that must not meet another: those of the public headers, and static functions."""

import re

from . import source

PUBLIC = ("user/include/heddle/", "arch/x86_64/generator.h")  # the latter is public by a link
OF_PAPER = "user/include/heddle/delegation/"  # these have the names of the delegation paper's library
OF_POSIX = ("user/include/heddle/pthread_types.h", ("PTHREAD_", "SEM_"))  # it gives such names new meanings
SYSTEM = ("kernel/", "arch/", "sched/", "sync/")
MACRO = re.compile(r"^\s*#\s*define\s+([A-Z]\w*)", re.MULTILINE)
ENUMERATION = re.compile(r"\benum\b(?!\s+(?:class|struct)\b)[^;{}()]*\{([^}]*)\}")  # those of a class are in it
ENUMERATOR = re.compile(r"(?:^|,)\s*(\w+)")
BESIDE = r"__attribute__\(\(\w+\)\)|_Atomic\([^()]*\)"  # what has brackets before a function's name
STATIC = re.compile(rf"\bstatic\b(?:[\w\s*]|{BESIDE})*?\b(?!_Atomic|__attribute__)(\w+)\([^;{{}}]*\)\s*\n\{{")


def public_names_are_prefixed(path, text):
    """A macro or an enumerator of a public header is visible in every file that includes the header. Returns pairs of
    a line number and a sentence."""
    if not path.startswith(PUBLIC) or not path.endswith((".h", ".hpp")) or path.startswith(OF_PAPER):
        return
    allowed = OF_POSIX[1] if path == OF_POSIX[0] else ()
    code = source.c_code(text)
    names = [(found.start(1), found[1]) for found in MACRO.finditer(code)]
    for enumeration in ENUMERATION.finditer(code):
        names += [(enumeration.start(1) + found.start(1), found[1]) for found in ENUMERATOR.finditer(enumeration[1])]
    for offset, name in sorted(names):
        if not name.startswith(("HEDDLE_", *allowed)):
            yield source.line_of(code, offset), f"{name} is public, and does not begin with HEDDLE_"


def static_names_are_apart(files):
    """A back trace tells static functions apart by their names. `files`: pairs of a path and a text. Returns pairs of
    a path and a sentence."""
    where = {}
    for path, text in files:
        if path.startswith(SYSTEM) and path.endswith((".c", ".h")):
            for found in STATIC.finditer(source.c_code(text)):
                where.setdefault(found[1], set()).add(path)
    for name, paths in sorted(where.items()):
        if len(paths) > 1:
            several = " and ".join(sorted(paths))
            yield min(paths), f"{name}() is static in {several}: a back trace cannot tell them apart"
