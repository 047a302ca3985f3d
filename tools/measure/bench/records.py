"""build/bench/heddle.jsonl: a line for each point and variant that was measured, or for a point that failed.

A line is only added. The newest one of a point counts."""

import hashlib
import json
import os
import statistics

from harness import json_lines, origin, results

FORMAT = 1
# Further fields of a result line, besides its parameters and those in REQUIRED, are kept unchanged, as lists with a
# value for each run.
LEFT_OUT = {"benchmark", "variant", "processors", "ok", "ns_per_operation"}


def code_version(path):
    """The version of the code: the digest of the program."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:16]


def key(machine, point, code, samples):
    """If all of this is the same, a measurement is not repeated."""
    return (machine.setting, machine.processors, machine.policy, point.describe(), code, samples)


def key_of(line):
    return (line["setting"], line["processors"], line["policy"], line["program"], line["versions"]["code"],
            line["runs"])


def common(group, point, command, code, where):
    """The common fields of a measurement's line and a failure's."""
    machine = group.machine
    return {
        "format": FORMAT, "row": point.program, "system": "heddle", "setting": machine.setting,
        "processors": machine.processors, "policy": machine.policy,
        "parameters": dict(point.settings + point.parameters), "program": point.describe(),
        "command": " ".join(command), "runs": group.samples,
        "versions": {**where["versions"], "code": code}, "machine": machine.describe(), "host": where["host"],
        "date": origin.now(),
    }


def measured(base, variant, runs):
    """The line for a variant of a point: `runs` are pairs of the turn and its result line."""
    turns, found = zip(*runs)
    samples = [result["ns_per_operation"] for result in found]
    names = set.intersection(*(set(result) for result in found)) - LEFT_OUT - set(base["parameters"])
    also = {name: [result[name] for result in found] for name in sorted(names)
            if all(results.kind(result[name]) in (results.COUNT, results.NUMBER) for result in found)}
    return {
        **base, "variant": variant, "unit": "ns", "samples": samples, "median": statistics.median(samples),
        "spread": [min(samples), max(samples)], "turns": list(turns), "also": also,
    }


def failed(base, sentence):
    return {**base, "variant": "", "failure": sentence}


def is_whole(line):
    """Whether a line of a file is one of ours and undamaged."""
    try:
        key_of(line)
        return line["format"] == FORMAT
    except (KeyError, TypeError):
        return False


def read(path):
    """The complete lines of earlier sessions, newest last; a line that was cut is ignored."""
    return json_lines.read(path, is_whole)[0]


def keep_whole(path):
    """Remove a cut line from the end of the file, so that new lines begin on their own line."""
    if os.path.exists(path):
        with open(path, "rb+") as file:
            data = file.read()
            if data and not data.endswith(b"\n"):
                file.truncate(data.rfind(b"\n") + 1)


def append(path, lines):
    with open(path, "a", encoding="utf-8") as file:
        file.write("".join(json.dumps(line) + "\n" for line in lines))
