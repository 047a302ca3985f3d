"""The programs that are known to fail, each with its reason (known.txt)."""

from dataclasses import dataclass

from .workshop import LEVELS, STACKS


class Malformed(Exception):
    """The list cannot be read; the text says where and why."""


@dataclass
class Entry:
    name: str
    stacks: tuple
    levels: tuple
    reason: str


def one_or_all(word, allowed, where):
    chosen = tuple(allowed) if word == "all" else tuple(word.split(","))
    wrong = [name for name in chosen if name not in allowed]
    if wrong:
        raise Malformed(f"{where}: {wrong[0]} is not all, nor one of {', '.join(allowed)}")
    return chosen


def load(path):
    entries = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            where, words = f"{path}:{number}", line.split(maxsplit=3)
            if len(words) != 4:
                raise Malformed(f"{where}: a line has a name, stacks, levels and a reason")
            name, stacks, levels, reason = words
            entries.append(Entry(name, one_or_all(stacks, STACKS, where), one_or_all(levels, LEVELS, where),
                                 reason.strip()))
    return entries


def reason(entries, name, stacks, level):
    """Why a program is known to fail there, or None."""
    for entry in entries:
        if entry.name == name and stacks in entry.stacks and level in entry.levels:
            return entry.reason
    return None
