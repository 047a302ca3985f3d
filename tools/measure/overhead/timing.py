"""How much longer programs run: binaries take turns, and each run is compared with the adjacent one."""

import math
import re
import resource
import statistics
from dataclasses import dataclass, field

from harness import explain, process, results


POLICIES = ("local", "global")  # the variant of a result without another


class MeasurementFailure(Exception):
    """A run failed, or two binaries disagree on a result; the text says which."""


@dataclass
class Binary:
    """A hosted program, and its name in the table."""

    name: str
    path: str


@dataclass
class Times:
    """Nanoseconds per operation, by binary, one for each run; in the same order for all binaries."""

    title: str
    by_binary: dict = field(default_factory=dict)

    def ratios(self, binary, base):
        return [time / beside for time, beside in zip(self.by_binary[binary], self.by_binary[base])]


def listed_programs(binary):
    """The names of the programs in a binary."""
    outcome = process.follow([binary.path, "list"], 20)
    sentences = explain.explain_hosted(outcome)
    if sentences:
        raise MeasurementFailure("\n".join([f"{binary.path} list:", *sentences]))
    return set(re.findall(r"^([a-z_0-9]+): ", "\n".join(outcome.lines), re.MULTILINE))


def processor_nanoseconds():
    """The processor time of everything that this tool has run."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (usage.ru_utime + usage.ru_stime) * 1e9


def run(binary, words, timeout):
    """The results of one run, by title: program and variant, or what was run."""
    before = processor_nanoseconds()
    outcome = process.follow([binary.path, "processors=1", *words], timeout)
    used = processor_nanoseconds() - before
    sentences = explain.explain_hosted(outcome) + explain.wrong_results(outcome)
    if sentences:
        raise MeasurementFailure("\n".join([f"{binary.path} {' '.join(words)}:", *sentences]))
    found = {}
    for result in results.good(outcome.lines):
        one_of_many = result["variant"] not in POLICIES
        title = f"{result['benchmark']} {result['variant']}" if one_of_many else " ".join(words).replace("run=", "")
        if title in found:
            raise MeasurementFailure(f"{' '.join(words)} gives two results for {title}")
        found[title] = {**result, "processor_ns": used}
    return found


def value(result, busy):
    """What is compared, in nanoseconds: the time of an operation. On a busy machine that of the fastest round or, if
    the program does not report it, the processor time of the whole run."""
    if not busy:
        return float(result["ns_per_operation"])
    return float(result.get("fastest_round_ns", result["processor_ns"]))


def agree(first, other):
    """Whether two runs did the same work with the same result."""
    return all(first.get(key) == other.get(key) for key in ("operations", "checksum"))


def measure(binaries, commands, runs, busy, timeout, say):
    """Times for each result of the commands (lists of words). Binaries take turns, in an order that rotates."""
    measured = {}
    for number in range(runs):
        say(f"run {number + 1} of {runs}")
        for words in commands:
            turn = number % len(binaries)
            found = {binary.name: run(binary, words, timeout) for binary in binaries[turn:] + binaries[:turn]}
            for title, first in found[binaries[0].name].items():
                times = measured.setdefault(title, Times(title))
                for binary in binaries:
                    other = found[binary.name].get(title, {})
                    if not agree(first, other):
                        raise MeasurementFailure(f"{title}: {binaries[0].path} and {binary.path} give unlike results")
                    times.by_binary.setdefault(binary.name, []).append(value(other, busy))
    return list(measured.values())


def percent(ratio):
    return f"{(ratio - 1) * 100:+.1f}"


def geometric_mean(ratios):
    return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))


def spread(ratios):
    """Median and quartiles in per cent: "+3.1 (+2.8 +3.6)"."""
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
    return f"{percent(middle)} ({percent(low)} {percent(high)})"


def rows(measured, binaries):
    """The table: time of the first binary, then how much longer the others take, with the geometric mean of all."""
    base, *others = binaries
    yield ("program", f"{base.name} ns", *(f"{other.name} %" for other in others))
    for times in measured:
        yield (times.title, f"{statistics.median(times.by_binary[base.name]):,.2f}",
               *(spread(times.ratios(other.name, base.name)) for other in others))
    means = [
        geometric_mean([statistics.median(times.ratios(other.name, base.name)) for times in measured])
        for other in others
    ]
    yield ("geometric mean", "", *(percent(mean) for mean in means))
