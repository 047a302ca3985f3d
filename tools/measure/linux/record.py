"""build/bench/linux.jsonl: a line for each program, system and number of processors; README.md describes it.

The file is written anew after each boot, all or nothing, so an interrupted session is resumed after its last boot."""

import hashlib
import shlex
import statistics

from harness import json_lines, origin, results

FORMAT = 1
LEFT_OUT = {"benchmark", "variant", "processors", "ok", "ns_per_operation"}


def digest(paths):
    """The version of what was measured."""
    found = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            found.update(file.read())
    return found.hexdigest()[:16]


def key(line):
    return line["system"], line["processors"], line["program"]


def base(row, system, processors, where, code):
    """The line of a row without results so far."""
    return {
        "format": FORMAT, "row": row.program(), "figure": row.figure, "system": system.name, "processors": processors,
        "parameters": row.parameters(), "program": f"run={row.words}", "command": "", "runs": 0, "unit": "ns",
        "samples": [], "turns": [], "median": None, "spread": [], "variant": "", "also": {}, "failure": "",
        "versions": {**where["versions"], "code": code}, "machine": system.describe(processors),
        "host": where["host"], "date": "",
    }


def add(line, run, command, versions, turn):
    """The outcome of one run of the row's program."""
    line["command"] = shlex.join(command)
    line["date"] = origin.now()
    if versions:
        line["versions"]["linux"] = versions
    line["failure"] = run.failure
    if run.failure:
        line.update(samples=[], turns=[], median=None, spread=[], also={})
        return
    line["variant"] = run.result["variant"]
    line["samples"].append(run.result["ns_per_operation"])
    line["turns"].append(turn)
    line["median"] = statistics.median(line["samples"])
    line["spread"] = [min(line["samples"]), max(line["samples"])]
    for name, value in run.result.items():
        if name not in LEFT_OUT and name not in line["parameters"] and results.kind(value) != results.TEXT:
            line["also"].setdefault(name, []).append(value)


def is_whole(line):
    """Whether a line of a file is one of ours and undamaged."""
    try:
        key(line)
        numbers = [line["median"], *line["samples"], *line["spread"]] if line["samples"] else []
        return (line["format"] == FORMAT and len(line["turns"]) == len(line["samples"])
                and all(isinstance(number, (int, float)) for number in numbers))
    except (KeyError, TypeError):
        return False


def read(path):
    """(lines by key, how many were damaged or of another format)"""
    lines, damaged = json_lines.read(path, is_whole)
    return {key(line): line for line in lines}, damaged
