"""A suite's tests as tasks, beside the host's threads: all outcomes, what is bad about them, and the tables."""

import concurrent.futures
import contextlib
import tempfile

from .ways import KINDS

SIDE_BY_SIDE = 4  # most tests sleep


def measure(suite, ways, chosen, verbose):
    """Outcomes by way and name."""
    outcomes = {way: {} for way in ways}

    def one_after_the_other(names):
        for name in names:
            for way in ways:
                outcome = outcomes[way][name] = suite.judge(name, way)
                if verbose:
                    print(f"{way.name}: {name} {outcome.kind} {outcome.seconds:.1f} s", flush=True)

    strands = {}
    for name in chosen:
        strands.setdefault(suite.strand(name), []).append(name)
    with contextlib.ExitStack() as folders:
        for way in ways:
            suite.prepare(way, folders.enter_context(tempfile.TemporaryDirectory(prefix="heddle-posix-")))
        with concurrent.futures.ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
            list(pool.map(one_after_the_other, strands.values()))
    return outcomes


def judge(name, outcome, of_host, entries):
    """(a line of what is to be said, or None; whether that is bad)"""
    entry = entries.get(name)
    if not outcome.is_failure:
        if entry and outcome.kind == "passed" and "passed" not in entry.kinds:
            return f"passed, and is to be taken off the list: {name} ({entry.reason})", True
        return None, False
    if entry and outcome.kind in entry.kinds:
        return f"known: {name} {outcome.kind}: {entry.reason}", False
    if of_host.is_failure:
        return f"as with the host's threads, where it {of_host.kind}: {name} {outcome.kind}", False
    return "\n        ".join([f"failed: {name} {outcome.kind} ({outcome.seconds:.1f} s)", *outcome.details]), True


def run(suite, host, tasks, chosen, entries, verbose):
    """How many failures there are."""
    reasons = {}
    for name in chosen:
        reason = entries[name].reason if name in entries and entries[name].is_left_out else suite.left_out(name)
        if reason:
            reasons[name] = reason
    judged = [name for name in chosen if name not in reasons]
    outcomes = measure(suite, (host, *tasks), judged, verbose)
    print(f"{suite.title}: {len(chosen)} tests{f', of which {len(reasons)} are left out' if reasons else ''}")
    show_kinds(outcomes)
    if suite.shows_parts:
        show_parts(suite, chosen, reasons, outcomes)
    show_left_out(reasons)
    bad = show_differences(judged, host, tasks, outcomes, entries)
    for way in tasks:
        show_share(way, outcomes[host], outcomes[way], bad)
    return bad


def show_differences(judged, host, tasks, outcomes, entries):
    """How many of them are bad."""
    bad = 0
    for name in judged:
        found = dict.fromkeys(judge(name, outcomes[way][name], outcomes[host][name], entries) for way in tasks)
        for line, is_bad in found:
            bad += is_bad
            if line:
                print(f"    {line}")
    return bad


def show_share(way, of_host, of_tasks, bad):
    passing = [name for name, outcome in of_host.items() if outcome.kind == "passed"]
    also = [name for name in passing if of_tasks[name].kind == "passed"]
    print(f"{len(also)} of {len(passing)} that pass with the host's threads pass as {way.name}"
          f"{f' ({len(also) / len(passing):.1%})' if passing else ''}; "
          f"{f'{bad} failures' if bad else 'no failure that is not known'}", flush=True)


def show_kinds(outcomes):
    width = max(len(way.name) for way in outcomes)
    print(" " * width + "".join(f"{kind:>13}" for kind in KINDS))
    for way, found in outcomes.items():
        kinds = [outcome.kind for outcome in found.values()]
        print(f"{way.name:{width}}" + "".join(f"{kinds.count(kind):13}" for kind in KINDS))


def show_parts(suite, chosen, reasons, outcomes):
    parts = {}
    for name in chosen:
        parts.setdefault(suite.part(name), []).append(name)
    print("\n| part | tests | left out | " + " | ".join(f"passed, {way.name}" for way in outcomes) + " |")
    print("|---|" + "---|" * (len(outcomes) + 2))
    for part in sorted(parts):
        names = parts[part]
        passed = [sum(name in found and found[name].kind == "passed" for name in names) for found in outcomes.values()]
        print("| " + " | ".join(map(str, [part, len(names), sum(name in reasons for name in names), *passed])) + " |")
    print()


def show_left_out(reasons):
    for reason in dict.fromkeys(reasons.values()):
        names = [name for name, why in reasons.items() if why == reason]
        print(f"    left out, {len(names)}: {reason}: {' '.join(names)}")
