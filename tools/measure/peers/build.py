"""Build what is stale, and say which bytes were measured."""

import hashlib
import os
import shutil

from harness import process

FOLDER = "build/peers"
SOURCES = "tools/measure/peers"


class Missing(Exception):
    """A peer cannot be measured here; the text says what it lacks."""


def digest(paths):
    """One number for the contents of files."""
    total = hashlib.sha256()
    for path in sorted(paths):
        with open(path, "rb") as file:
            total.update(hashlib.sha256(file.read()).digest())
    return total.hexdigest()[:16]


def files_below(*folders):
    """All files in folders, and below them."""
    return sorted(os.path.join(place, name) for folder in folders
                  for place, _, names in os.walk(folder) for name in names)


def need(command, packages):
    """The path of a command, or Missing, with the package that has it."""
    found = shutil.which(command)
    if not found:
        raise Missing(f"{command} is not installed (package {packages})")
    return found


def tool_output(command, timeout=60):
    """What a tool printed on either stream, as lines. Missing where it failed."""
    outcome = process.follow(command, timeout)
    if outcome.status != 0:
        said = (outcome.errors or "\n".join(outcome.lines)).strip().splitlines()
        how = "took too long" if outcome.timed_out else f"ended with {outcome.status}"
        raise Missing(f"`{command[0]} {' '.join(command[1:3])} ...` {how}: {said[-1] if said else 'nothing was said'}")
    return [*outcome.lines, *outcome.errors.splitlines()]


def make(target, sources, command, timeout=600):
    """Run `command`, which makes `target`, unless it was made by the same from the same sources."""
    remembered = f"{target}.made-from"
    wanted = f"{digest(sources)} {' '.join(command)}\n"
    if os.path.exists(target) and os.path.exists(remembered):
        with open(remembered, encoding="utf-8") as file:
            if file.read() == wanted:
                return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.exists(remembered):
        os.remove(remembered)
    tool_output(command, timeout)
    with open(remembered, "w", encoding="utf-8") as file:
        file.write(wanted)
