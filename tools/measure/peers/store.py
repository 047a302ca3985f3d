"""Two files: the journal, a line a sample, by which an interrupted run resumes; the results, a line a peer and row.

tools/measure/peers/README.md has the format of the results.
"""

import json
import math
import os
import platform
import statistics

from harness import json_lines, origin

from . import measure

RESULTS = "build/bench/peers.jsonl"
RESULTS_ON = "build/bench/peers-{processors}.jsonl"  # where PROCESSORS= asks for so many
FORMAT = 1


class Journal:
    """Samples as they come, each with what it was measured with."""

    def __init__(self, path):
        self.path = path
        self.file = None

    def resume(self, entries, wanted):
        """Give entries the samples that they have already. (samples kept, samples of something else, damaged lines)"""
        samples, damaged = json_lines.read(self.path, is_whole)
        kept = 0
        for entry in entries:
            identity = entry.identity()
            for sample in samples:
                if sample["identity"] == identity and len(entry.samples) < wanted:
                    entry.samples.append(sample["ns"])
                    entry.turns.append(sample["turn"])
                    entry.further.append(sample.get("further", {}))
                    entry.seconds.append(sample["seconds"])
                    entry.operations = sample["operations"]
                    kept += 1
        return kept, len(samples) - kept, damaged

    def add(self, entry):
        if self.file is None:
            os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
            self.file = open(self.path, "a+", encoding="utf-8")
            self.end_last_line()
        sample = {"identity": entry.identity(), "ns": entry.samples[-1], "turn": entry.turns[-1],
                  "further": entry.further[-1], "operations": entry.operations, "seconds": entry.seconds[-1]}
        self.file.write(json.dumps(sample) + "\n")
        self.file.flush()

    def end_last_line(self):
        """One that was cut must not run into the next."""
        with open(self.path, "rb") as file:
            if file.seek(0, os.SEEK_END) and file.seek(-1, os.SEEK_END) is not None and file.read() != b"\n":
                self.file.write("\n")

    def close(self, remove):
        if self.file:
            self.file.close()
            self.file = None
        if remove and os.path.exists(self.path):
            os.remove(self.path)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value > 0


def is_whole(sample):
    """Whether a line of the journal is one of ours, undamaged."""
    try:
        return (isinstance(sample["identity"], dict) and isinstance(sample["operations"], int)
                and isinstance(sample["turn"], str) and is_number(sample["ns"]) and is_number(sample["seconds"]))
    except (KeyError, TypeError):
        return False


def machine():
    """What is measured on, and how busy it was before."""
    distribution = platform.freedesktop_os_release().get("PRETTY_NAME", "unknown")
    return {"processor": origin.host_processor(), "processors": len(os.sched_getaffinity(0)),
            "kernel": platform.release(), "distribution": distribution, "load_before": round(os.getloadavg()[0], 2)}


def figures(samples):
    """Median and spread of samples, in nanoseconds."""
    low, middle, high = statistics.quantiles(samples, n=4, method="inclusive") if len(samples) > 1 else samples * 3
    return {"median_ns": middle, "minimum_ns": min(samples), "lower_quartile_ns": low, "upper_quartile_ns": high,
            "maximum_ns": max(samples)}


def line_of(entry, entries, wanted, common):
    """The result of an entry."""
    result = {"row": entry.row.name, "title": entry.row.title, "peer": entry.peer, "program": entry.row.program,
              "processors": entry.row.processors, "parameters": entry.parameters, "command": entry.command,
              "versions": entry.versions, **common, "wanted": wanted}
    if entry.row.variants.get(entry.peer):
        result["variant"] = entry.row.variants[entry.peer]
    if entry.failure is not None or not entry.samples:
        return {**result, "outcome": "failed", "reason": entry.failure or "the run was ended before its turn"}
    found = figures(entry.samples)
    base = next((other for other in entries if other.row is entry.row and other.peer == "heddle"), None)
    if base and base.samples and base.failure is None:
        found["ratio_to_heddle"] = found["median_ns"] / figures(base.samples)["median_ns"]
    return {**result, "outcome": "measured", "operations": entry.operations, "samples_ns": entry.samples,
            "turns": entry.turns, **found, "complete": len(entry.samples) >= wanted}


def results(entries, skipped, wanted, profile, described):
    """All lines of the results file."""
    common = {"format": FORMAT, "profile": profile, "date": measure.now(), "machine": described}
    lines = [line_of(entry, entries, wanted, common) for entry in entries]
    lines += [{"row": skip.row, "peer": skip.peer, **common, "outcome": "skipped", "reason": skip.reason}
              for skip in skipped]
    return lines
