"""Result lines: one JSON object per line, beginning with PREFIX. Reads them, and keeps them in a file."""

import datetime
import json
import math
import os

PREFIX = '{"benchmark":'
MACHINE_PREFIX = '{"machine":'  # of the line before the first result, in which a bare machine describes itself
TEXT, COUNT, NUMBER, TRUTH = "a text", "a whole number", "a number", "true or false"
REQUIRED = {
    "benchmark": TEXT, "variant": TEXT, "processors": COUNT, "operations": COUNT, "seconds": NUMBER,
    "ns_per_operation": NUMBER, "ok": TRUTH,
}


class DamagedResult(ValueError):
    """A result line that was cut or is not what it should be."""


def is_result(line):
    """Whether a line is a result, complete or damaged."""
    return PREFIX in line


def machine(line):
    """The machine that a line describes; None if it does not describe one."""
    if not line.startswith(MACHINE_PREFIX):
        return None
    try:
        return json.loads(line)["machine"]
    except ValueError as error:
        raise DamagedResult(f"the line on the machine is cut or damaged ({error}): {line}") from None


def kind(value):
    """The type of a result's value, in the words of REQUIRED; None if no result has such a value."""
    if isinstance(value, bool):
        return TRUTH
    if isinstance(value, str):
        return TEXT if value.isprintable() else None
    if isinstance(value, int):
        return COUNT if value >= 0 else NUMBER
    return NUMBER if isinstance(value, float) and math.isfinite(value) else None


def parse(line):
    """The result on a line. DamagedResult if it is not complete."""
    if not line.startswith(PREFIX):
        raise DamagedResult(f"a result line is damaged, it has something before the result: {line}")
    try:
        result = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DamagedResult(f"a result line is cut or damaged ({error}): {line}") from None
    missing = [key for key in REQUIRED if key not in result]
    if missing:
        raise DamagedResult(f"a result line lacks {', '.join(missing)}: {line}")
    for key, value in result.items():
        wanted, found = REQUIRED.get(key), kind(value)
        if found is None or (wanted and found != wanted and (wanted, found) != (NUMBER, COUNT)):
            raise DamagedResult(f"a result line is damaged, {key} is not {wanted or 'a text or number'}: {line}")
    return result


def good(lines):
    """The complete results among `lines`."""
    found = []
    for line in lines:
        if is_result(line):
            try:
                found.append(parse(line))
            except DamagedResult:
                continue
    return found


def parameters(result):
    """What the program was run with: everything in a result that is not measured."""
    return {key: value for key, value in result.items() if key not in REQUIRED}


class ResultFile:
    """The results of one run, in a file of their own. Its first line says where they come from."""

    def __init__(self, folder, metadata, now=None):
        os.makedirs(folder, exist_ok=True)
        now = now or datetime.datetime.now().astimezone()
        stem = os.path.join(folder, now.strftime("%Y%m%d-%H%M%S"))
        for number in range(1000):
            self.path = f"{stem}.jsonl" if number == 0 else f"{stem}-{number}.jsonl"
            try:
                self.file = open(self.path, "x", encoding="utf-8")
                break
            except FileExistsError:
                continue
        else:
            raise OSError(f"{stem}*.jsonl: 1000 runs in one second")
        self.write({"run": {"date": now.isoformat(timespec="seconds"), **metadata}})

    def write(self, value):
        self.file.write(json.dumps(value) + "\n")
        self.file.flush()

    def close(self, keep):
        """Without results there is nothing to `keep`."""
        self.file.close()
        if not keep:
            os.remove(self.path)


def quantity(number):
    """A number with its significant digits, grouped by thousands."""
    if isinstance(number, float):
        digits = 1 if number >= 100 else 2 if number >= 1 else 4
        return f"{number:,.{digits}f}"
    return f"{number:,}" if isinstance(number, int) else str(number)
