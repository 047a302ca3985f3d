"""How long a command takes: as long as it took the last time it went through here, else as a sentence says."""

import json
import os

FOLDER = "build/durations"
MINUTE = 60


def path_of(what):
    return os.path.join(FOLDER, f"{what}.json")


def in_words(seconds):
    if seconds < 2 * MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds / MINUTE:.0f} minutes"


def expected(what, otherwise):
    """"takes half an hour", or "took 31 minutes the last time"."""
    try:
        with open(path_of(what), encoding="utf-8") as file:
            return f"took {in_words(float(json.load(file)))} the last time"
    except (OSError, ValueError, TypeError):
        return f"takes {otherwise}"


def remember(what, seconds):
    os.makedirs(FOLDER, exist_ok=True)
    path = path_of(what)
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        json.dump(round(seconds, 1), file)
    os.replace(f"{path}.new", path)
