"""What a peer's run came to: a figure, or a sentence why there is none."""

import math
import re

from harness import explain

RESULT = re.compile(r"^result (\S+) peer=(\S+) ns=([0-9.]+) operations=([0-9]+)((?: [a-z0-9_]+=[0-9]+)*)$")
WORDS_SHOWN = 200


def shortened(text):
    text = " ".join(text.split())
    return text if len(text) <= WORDS_SHOWN else text[: WORDS_SHOWN - 3] + "..."


def why_it_ended(outcome):
    """A sentence on a run that did not end well; None for one that did."""
    said = shortened(outcome.errors.splitlines()[-1] if outcome.errors else "") or "it said nothing"
    if outcome.status is None:
        return f"it could not be started: {said}"
    if outcome.timed_out:
        return f"the time was over after {round(outcome.seconds)} s"
    if outcome.status < 0:
        return f"it was ended by {explain.signal_name(outcome.status)}: {said}"
    if outcome.status > 0:
        return f"it failed (exit code {outcome.status}): {said}"
    return None


def read(program, peer, outcome):
    """(nanoseconds an operation, operations, None), or (None, None, why there is no figure)."""
    reason = why_it_ended(outcome)
    lines = [line for line in outcome.lines if line.startswith("result ")]
    if reason is None and len(lines) != 1:
        reason = f"it printed {len(lines)} result lines instead of 1"
    found = RESULT.match(lines[0]) if reason is None else None
    if reason is None and not found:
        reason = f"its result line is cut or damaged: {shortened(lines[0])}"
    if reason is None and (found[1], found[2]) != (program, peer):
        reason = f"its result line is of another program: {shortened(lines[0])}"
    if reason is None:
        try:
            nanoseconds = float(found[3])
        except ValueError:
            nanoseconds = math.nan
        if math.isfinite(nanoseconds) and nanoseconds > 0 and int(found[4]) > 0:
            return nanoseconds, int(found[4]), None
        reason = f"its result line has a figure that cannot be: {shortened(lines[0])}"
    return None, None, reason


def further(outcome):
    """What else the result line of a run that went well tells: whole numbers by their names."""
    found = next(filter(None, map(RESULT.match, outcome.lines)), None)
    return {name: int(value) for name, value in (word.split("=") for word in found[5].split())} if found else {}
