"""Which case explores which function of sched/, sync/ and the coroutines' headers.

A binary prints the addresses of the functions that it has entered (entered.h); `run` keeps their names in
build/verify/NAME.entered.
"""

import pathlib
import subprocess
import sys

from explored.unexplored import UNEXPLORED

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build" / "verify"
FOLDERS = ("sched", "sync")
CLASSES = ("user/include/heddle/coroutine/*.hpp", "user/include/heddle/thread_executor.hpp")

sys.path.insert(0, str(ROOT / "tools"))
from checks.rules import source  # noqa: E402


def names_at(target):
    """The functions of a binary by address, as "path:name"; a changed copy of a file counts as that file."""
    symbols = subprocess.run(["nm", "--line-numbers", target], text=True, capture_output=True, check=True).stdout
    names = {}
    for line in symbols.splitlines():
        symbol, _, place = line.partition("\t")
        address, _, name = symbol.partition(" ")
        path = place.rsplit(":", 1)[0].split(".changed/")[-1].removeprefix(f"{ROOT}/")
        if address:
            names[int(address, 16)] = f"{path}:{name.split(' ')[-1]}"
    return names


def keep(name, target, addresses):
    """Store the names of the functions that a binary has entered."""
    names = names_at(target)
    entered = sorted({names[int(address, 16)] for address in addresses})
    (BUILD / f"{name}.entered").write_text("".join(f"{function}\n" for function in entered))


def all_functions():
    """As "path:name", in the order of the files."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            for name, _, _ in source.c_functions(source.c_code(path.read_text())):
                yield f"{path.relative_to(ROOT)}:{name}"
    for pattern in CLASSES:
        for path in sorted(ROOT.glob(pattern)):
            for name in source.member_functions(path.read_text()):
                yield f"{path.relative_to(ROOT)}:{name}"


def is_one_of(function, entered):
    """Whether a function that was entered is this one; C++ writes a name into a symbol behind its length."""
    path, name = function.split(":")
    return entered == function or (path.endswith(".hpp") and entered.startswith(f"{path}:_Z")
                                   and f"{len(name)}{name}" in entered)


def explored_by(cases):
    """The cases that explore each function."""
    by = {}
    for name in cases:
        kept = BUILD / f"{name}.entered"
        for function in kept.read_text().splitlines() if kept.exists() else []:
            by.setdefault(function, []).append(name)
    for function in all_functions():
        if function not in by and function.split(":")[0].endswith(".hpp"):
            found = {name for entered in by if is_one_of(function, entered) for name in by[entered]}
            if found:
                by[function] = sorted(found)
    return by


def reason(function):
    """The reason why a function is not explored: its own, its file's or its folder's; or None."""
    path = function.split(":")[0]
    places = (function, path, *(f"{folder}/" for folder in pathlib.PurePath(path).parents))
    return next((place for place in places if place in UNEXPLORED), None)


def wrong(cases):
    """Sentences on functions that are not explored and have no reason, and on unneeded reasons."""
    by = explored_by(cases)
    unexplored = [function for function in all_functions() if function not in by]
    needed = {reason(function) for function in unexplored}
    return [f"{function} is explored by no case: add one, or a reason to explored/unexplored.py"
            for function in unexplored if not reason(function)] + [
        f"{place} is explored, or is not there: take it out of explored/unexplored.py"
        for place in UNEXPLORED if place not in needed]


def show(cases):
    """Print the table."""
    by, path = explored_by(cases), None
    for function in all_functions():
        if function.split(":")[0] != path:
            path = function.split(":")[0]
            print(path)
        told = ", ".join(by.get(function, [])) or f"-- {UNEXPLORED.get(reason(function), 'NOT EXPLORED')}"
        print(f"    {function.split(':')[1]:40} {told}")
    return 0
