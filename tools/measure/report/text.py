"""The summary on the terminal."""

import shutil
import textwrap

from . import peers, rules, verdicts


def wrapped(text, indent):
    width = max(60, min(shutil.get_terminal_size((110, 24)).columns, 120))
    return textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent + "  ", break_long_words=False,
                         break_on_hyphens=False)


def claims(decided):
    lines, last = [], None
    for one in decided:
        figure = f"{one.paper.name}, {one.figure.number}: {one.figure.title}"
        if figure != last:
            lines += ["", figure]
            last = figure
        lines.append(wrapped(one.claim.text, "  "))
        for where, verdict in one.verdicts:
            said = "" if verdict.outcome == rules.ABSENT else f": {verdict.sentence}"
            lines.append(wrapped(f"{verdicts.SIGNS[verdict.outcome][0]} {where}: {verdict.outcome}{said}", "    "))
    return lines


def summary(decided, evidence):
    """The complete summary, as lines."""
    lines = claims(decided)
    if evidence.troubles:
        lines += ["", "Missing or wrong in the results:"]
        lines += [wrapped(f"{one.place()}: {one.row + ': ' if one.row else ''}{one.sentence}", "  ")
                  for one in evidence.troubles]
    if any(peers.counts(evidence).values()):
        lines += ["", peers.sentence(evidence)]
    counted = ", ".join(f"{number} {outcome}" for outcome, number in verdicts.count(decided).items())
    return [*lines, "", f"Claims: {counted}."]
