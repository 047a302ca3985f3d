"""How far the simulated machine can be trusted: what `make validate` found, beside what it is compared with."""

import json
import os

from . import markup, reading, rules

FILE = "validation.jsonl"
# What is compared: the kinds of lines, their titles, and the head of the column with the real values.
KINDS = (
    ("time", "Nanoseconds an operation, hosted on this host and simulated with the costs measured there", "hosted"),
    ("ratio", "Ratios of these times, which claims are about", "hosted"),
    ("lines", "Transfers of cache lines, as the plug-in for QEMU counts them", "QEMU"),
)
NUMBERS = ("real", "simulated")


def read(folder):
    """(lines, how many are damaged) of the file; of several lines about the same thing the newest counts."""
    path, newest, damaged = os.path.join(folder, FILE), {}, 0
    if not os.path.exists(path):
        return [], 0
    with open(path, encoding="utf-8", errors="replace") as file:
        for text in file:
            try:
                line = json.loads(text)
                right = reading.are_numbers([line[name] for name in NUMBERS], least=-1e-9)
                newest[(line["validation"], line["name"])] = line if right else None
                damaged += not right
            except (ValueError, KeyError, TypeError):
                damaged += 1
    return [line for line in newest.values() if line], damaged


def deviation(line):
    """How far what is simulated is off; None where nothing is to be compared with."""
    return line["simulated"] / line["real"] - 1 if line["real"] else None


def sentence(found):
    """How many are within the goal, and how far off the rest is."""
    goal = found[0].get("goal")
    off = [abs(one) for one in map(deviation, found) if one is not None]
    if goal is None or not off:
        return ""
    within = sum(one <= goal for one in off)
    return f"{within} of {len(off)} are within {goal:.0%}; the farthest is {max(off):.0%} off."


def tables(lines):
    for kind, title, beside in KINDS:
        found = [line for line in lines if line["validation"] == kind]
        if not found:
            continue
        rows = []
        for line in found:
            off = deviation(line)
            rows.append(tuple(map(markup.escape, (
                line["name"], rules.shown(line["real"]), rules.shown(line["simulated"]),
                "–" if off is None else f"{off:+.0%}"))))
        yield (markup.text("h3", title) + markup.text("p", sentence(found), class_="measured")
               + markup.table(("what", beside, "simulated", "deviation"), rows))


def section(lines, damaged):
    head = markup.text("h2", "The simulated machine beside what it simulates")
    if not lines:
        head += markup.tag("p", markup.prose("Not measured: `make validate` measures it."), class_="missing")
    if damaged:
        head += markup.text("p", f"{FILE}: {damaged} lines are cut short or damaged.", class_="missing")
    return markup.tag("section", head + "".join(tables(lines)), id="validation", class_="paper")
