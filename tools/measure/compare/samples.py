"""Reads what was measured, by name, from any file of results."""

import re
from dataclasses import dataclass, field

from harness import json_lines, results

LESS, MORE = "less is better", "more is better"


class Unreadable(Exception):
    """The file has nothing to compare; the text says why."""


@dataclass
class Row:
    """The samples of one thing that was measured."""

    name: str
    unit: str = "ns"
    better: str = LESS
    values: list = field(default_factory=list)


def words(parameters):
    return ",".join(f"{name}={value}" for name, value in sorted(parameters.items()))


def titled(*parts):
    return " ".join(str(part) for part in parts if part not in ("", None))


def of_bench(line):
    """build/bench/heddle.jsonl, leveldb.jsonl."""
    place = titled(line["setting"], f"processors={line['processors']}", f"sched={line['policy']}")
    tail = words(line["parameters"])
    return Row(titled(line["row"], line["system"], line.get("variant"), tail, place), values=line["samples"])


def of_peers(line):
    return Row(titled(line["row"], line["peer"], line.get("variant")), values=line["samples_ns"])


def of_echo(line):
    place = f"connections={line['connections']} processors={line['processors']}"
    values = [value for value in line["answers_a_second"] if value]
    return Row(titled("echo", line["server"], place), "a second", MORE, values)


KINDS = (("samples", of_bench), ("samples_ns", of_peers), ("answers_a_second", of_echo))


def named_in(lines):
    """The parameters that the commands in a file of runs name, by program."""
    named = {}
    for line in lines:
        command = str(line.get("run", {}).get("command", ""))
        for program, settings in re.findall(r"run=(\w+)((?:,\w+=[^,\s]*)*)", command):
            named.setdefault(program, set()).update(re.findall(r",(\w+)=", settings))
    return named


def of_run(result, named):
    """A line that a machine has printed. Further measurements have names like parameters, so only the parameters that
    the command names distinguish results."""
    chosen = {name: result[name] for name in named.get(result["benchmark"], ()) if name in result}
    place = f"processors={result['processors']}"
    name = titled(result["benchmark"], result["variant"], words(chosen), place)
    return Row(name, values=[result["ns_per_operation"]])


def rows_of(lines):
    named = named_in(lines)
    for line in lines:
        kind = next((make for key, make in KINDS if key in line), None)
        if kind:
            yield kind(line)
        elif "benchmark" in line and "ns_per_operation" in line:
            yield of_run(line, named)


def gather(rows):
    """Group by name; what has the same name is one thing, measured several times."""
    found = {}
    for row in rows:
        if row.values:
            found.setdefault(row.name, Row(row.name, row.unit, row.better)).values.extend(row.values)
    return found


def read(path):
    """The rows of a file."""
    try:
        lines, damaged = json_lines.read(path, lambda value: isinstance(value, dict))
        rows = gather(rows_of(lines))
    except (KeyError, TypeError) as error:
        raise Unreadable(f"{path}: a line is no result: {error} is missing or of another kind") from None
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from None
    if not rows:
        raise Unreadable(f"{path}: no results are in it" + (f", and {damaged} lines are damaged" if damaged else ""))
    return rows


def from_output(lines, named):
    """The rows of what programs have printed."""
    return gather(of_run(result, named) for result in results.good(lines))
