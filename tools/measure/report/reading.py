"""Reads the result files: each line is a measurement, or a sentence on what is wrong with it.

Nothing that was not measured gets further than this: a line that was cut, contradicts itself, reports a failure or
comes from another version of the code becomes a Trouble, which the page names in its place."""

import dataclasses
import json
import math
import os
import statistics
from dataclasses import dataclass, field

from . import names

FORMAT = 1
# The files: what each holds, and where its lines come from if they do not say so themselves.
FILES = {
    "heddle": ("the suite", "kernel", "make bench"),
    "linux": ("Linux in the same machine", "kernel", "make bench-linux"),
    "native": ("Linux itself, beside the hosted program", "hosted", "make bench-native"),
    "peers": ("the peers on the host", "hosted", "make bench-peers"),
    "runtimes": ("the papers' locks in other runtimes", "hosted", "make bench-runtimes"),
    "leveldb": ("LevelDB", "hosted", "make leveldb"),
    "coherence": ("transfers of cache lines", "kernel", "make coherence"),
}
WHO = ("system", "peer", "lock", "library")
FAILURE = ("failure", "error", "skipped", "missing")
PARAMETERS = ("parameters", "length", "lines", "tasks")
SAMPLES, MEDIAN = ("samples", "samples_ns"), ("median", "median_ns")
TOLERANCE = 0.01  # for a median that is given with its samples


class WrongLine(ValueError):
    """A line that is not a measurement; the text says why."""


@dataclass(frozen=True)
class Trouble:
    """Something that is not as it should be: file and line, what it would have measured, what happened."""

    source: str
    line: int  # 0: the file as a whole
    row: str
    who: str
    sentence: str
    setting: str = ""
    failed: object = None  # the Measurement, without samples, that there would be

    def place(self):
        return f"{self.source}.jsonl" + (f", line {self.line}" if self.line else "")


@dataclass(frozen=True)
class Measurement:
    """A line of a result file."""

    source: str
    line: int
    row: str
    who: str
    setting: str
    processors: int
    policy: str
    variant: str
    parameters: dict
    samples: tuple
    unit: str
    also: dict
    turns: tuple = ()  # the name of each sample's; none where that is not known
    origin: dict = field(default_factory=dict)  # command, machine, host, versions, date, title of the row

    @property
    def anchor(self):
        return f"{self.source}-{self.line}"

    def is_exact(self):
        """Whether each run gives the same: what is counted, or simulated."""
        return self.setting == "simulated" or self.unit == COUNTED

    def value(self, name):
        """An attribute or parameter as a text; "" where it has none of that name."""
        if name in ("source", "row", "who", "setting", "processors", "policy", "variant"):
            return str(getattr(self, name))
        return str(self.parameters.get(name, self.who if name == "lock" and self.who != "heddle" else ""))

    def identity(self):
        return (self.source, self.row, self.who, self.setting, self.processors, self.policy, self.variant,
                tuple(sorted((name, str(value)) for name, value in self.parameters.items())))


def number(text):
    """A parameter as a number: "10k" is 10,000; None if it is not a number."""
    text = str(text)
    factor = {"k": 1e3, "M": 1e6, "G": 1e9}.get(text[-1:], 1)
    try:
        value = float(text[:-1] if factor != 1 else text) * factor
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def parameters_of(value):
    """Parameters as a dictionary, in either form that tools write: an object, or "tasks=10 rounds=5"."""
    if isinstance(value, dict):
        return {str(key): str(item) for key, item in value.items()}
    words = str(value or "").replace(",", " ").split()
    return dict(word.split("=", 1) for word in words if "=" in word)


def are_numbers(values, least=0.0):
    """Whether there are values, and all of them are numbers above `least`."""
    return bool(values) and all(
        isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value > least
        for value in values
    )


def samples_of(line):
    """The samples of a line; WrongLine if they are not samples, or contradict the line's median."""
    samples = first_there(line, SAMPLES)
    if not isinstance(samples, list) or not are_numbers(samples):
        raise WrongLine("it has no samples, or some that are no times")
    median = first_there(line, MEDIAN)
    if isinstance(median, (int, float)) and abs(median - statistics.median(samples)) > TOLERANCE * abs(median):
        raise WrongLine(f"its median {median} is not that of its samples, {statistics.median(samples)}")
    return tuple(float(sample) for sample in samples)


def turns_of(line, samples):
    """The turns in which the samples were taken, if the line has all of them."""
    turns = line.get("turns")
    if not isinstance(turns, list) or not all(isinstance(turn, str) for turn in turns):
        return ()
    return tuple(turns) if len(set(turns)) == len(samples) == len(turns) else ()


def also_of(line):
    """What else was measured in each run; only what was above 0 in all runs."""
    also = line.get("also")
    if not isinstance(also, dict):
        return {}
    return {name: tuple(float(value) for value in values) for name, values in also.items()
            if isinstance(values, list) and are_numbers(values)}


COUNTED = "transfers of a section"
COUNTED_WITH = ("length", "lines", "tasks", "inside", "outside", "sockets")


def counted(line):
    """(samples, also) of a line of the coherence tool, which counts once. Counts may be 0."""
    parts = line.get("a_section")
    if not isinstance(parts, dict) or not parts:
        raise WrongLine("it has no counts of a section (a_section)")
    also = {"instructions": line.get("instructions")}
    for part, counts in parts.items():
        also[part] = counts.get("transfers") if isinstance(counts, dict) else None
        also[f"{part} between sockets"] = counts.get("transfers_between_sockets") if isinstance(counts, dict) else None
    values = [line.get("transfers"), *also.values()]
    if not are_numbers(values, least=-1e-9):
        raise WrongLine("some of its counts are no numbers")
    return (float(line["transfers"]),), {name: (float(value),) for name, value in also.items()}


def first_there(line, keys):
    return next((line[key] for key in keys if line.get(key) is not None), None)


def first_text(line, keys, default=""):
    return next((line[key] for key in keys if isinstance(line.get(key), str) and line[key]), default)


def failure_of(line):
    """The sentence of a line that reports a failure or an omission; "" for a measurement."""
    if line.get("outcome", "measured") != "measured":
        return first_text(line, ("reason", *FAILURE), str(line["outcome"]))
    return first_text(line, FAILURE)


def as_text(value):
    """What a tool reports of a command or machine, as one text: from a list of words, or parts with names."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items())
    return str(value or "")


def origin_of(line):
    versions = line.get("versions")
    if isinstance(versions, dict) and str(versions.get("library", "")).startswith("Heddle "):
        versions = {**versions, "heddle": versions["library"].removeprefix("Heddle ")}
    texts = {name: as_text(line.get(name)) for name in ("command", "machine", "host", "date", "title")}
    return {**texts, "versions": versions if isinstance(versions, dict) else {"all": as_text(versions)}}


def parse(text, source, place):
    """(Measurement or Trouble, complete line) of one line of a file."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        raise WrongLine("it is cut short or damaged") from None
    if isinstance(line, dict) and isinstance(line.get("coherence"), str):
        line.setdefault("row", f"transfers-{line['coherence']}")
    if not isinstance(line, dict) or not isinstance(line.get("row"), str):
        raise WrongLine("it is no result: it names no row")
    if line.get("format", FORMAT) != FORMAT:
        raise WrongLine(f"it has format {line['format']}, written by another version of these tools")
    who, row = names.plain(first_text(line, WHO, "heddle")), line["row"]
    setting = first_text(line, ("setting",), FILES[source][1])
    failure = failure_of(line)
    parameters = parameters_of(line.get("parameters"))
    if source == "coherence":
        parameters |= {name: str(line[name]) for name in COUNTED_WITH if name in line}
    processors = number(line.get("processors", parameters.get("processors", 0)))
    empty = Measurement(
        source, place, row, who, setting, int(processors or 0), str(line.get("policy", "local")),
        str(line.get("variant", "")), parameters, (), COUNTED if source == "coherence" else str(line.get("unit", "ns")),
        {}, (), origin_of(line))
    if failure:
        program = line.get("program") or f"{row} {line.get('parameters') or ''}"
        return Trouble(source, place, row, who, f"{str(program).strip()}: {failure}", setting, empty), line
    samples, also = counted(line) if source == "coherence" else (samples_of(line), also_of(line))
    return dataclasses.replace(empty, samples=samples, also=also, turns=turns_of(line, samples)), line


def read_file(folder, source):
    """(measurements, troubles) of a file; of several lines about the same thing the newest counts."""
    path = os.path.join(folder, f"{source}.jsonl")
    what, _, target = FILES[source]
    if not os.path.exists(path):
        return [], [Trouble(source, 0, "", "", f"{what}: not measured (`{target}` measures it)")]
    newest, troubles, failed = {}, [], {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for place, text in enumerate(file, 1):
            if not text.strip():
                continue
            try:
                found, line = parse(text, source, place)
            except WrongLine as wrong:
                troubles.append(Trouble(source, place, "", "", str(wrong)))
                continue
            thing = (found.row, found.who, found.setting, line.get("processors"), line.get("policy"),
                     json.dumps([line.get(name) for name in PARAMETERS], sort_keys=True))
            if isinstance(found, Trouble):
                failed[thing] = found
                newest = {key: value for key, value in newest.items() if key[0] != thing}
            else:
                failed.pop(thing, None)
                newest[(thing, found.variant)] = found
    if not newest and not failed and not troubles:
        troubles.append(Trouble(source, 0, "", "", f"{what}: the file is empty (`{target}` measures it)"))
    return list(newest.values()), troubles + list(failed.values())
