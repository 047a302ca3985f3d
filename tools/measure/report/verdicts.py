"""All claims with their verdicts, and how they are shown."""

import collections
import dataclasses
from dataclasses import dataclass

from . import figures, markup, rules

SIGNS = {rules.HOLDS: ("✓", "holds"), rules.PART: ("◐", "part"), rules.SHORT: ("✗", "fails"),
         rules.BETTER: ("✓✓", "holds"), rules.FAILS: ("≠", "fails"), rules.UNTOLD: ("?", "untold"),
         rules.ABSENT: ("–", "absent")}
MEANING = {figures.MERIT: rules.SHORT, figures.WEAKNESS: rules.BETTER, figures.OTHER: rules.FAILS}


@dataclass(frozen=True)
class Decided:
    """A claim of a figure with its verdicts: pairs of where and what."""

    paper: object
    figure: object
    claim: object
    verdicts: tuple


def decide(papers, evidence):
    return [
        Decided(paper, figure, claim, tuple((where, meant(claim, rule.judge(evidence))) for where, rule in claim.cases))
        for paper in papers for figure in paper.figures for claim in figure.claims
    ]


def meant(claim, verdict):
    """What it means that a claim does not hold."""
    outcome = MEANING[claim.says] if verdict.outcome == rules.FAILS else verdict.outcome
    return dataclasses.replace(verdict, outcome=outcome)


def figure_anchor(paper, figure):
    return f"{paper.key}-" + "".join(letter for letter in figure.number.lower() if letter.isalnum())


def count(decided):
    """How many verdicts there are of each kind."""
    counts = collections.Counter(verdict.outcome for one in decided for _, verdict in one.verdicts)
    return {outcome: counts[outcome] for outcome in SIGNS}


def badge(outcome, where=""):
    sign, kind = SIGNS[outcome]
    place = markup.text("span", where, class_="where") if where else ""
    return markup.tag("span", place + markup.text("b", sign, aria_hidden="true") + markup.text("span", outcome),
                      class_=f"badge {kind}")


def lines_of(anchors):
    """Links to result lines."""
    if not anchors:
        return ""
    links = ", ".join(markup.link(anchor, anchor) for anchor in dict.fromkeys(anchors))
    number = len(set(anchors))
    return markup.details(f"{number} result line{'' if number == 1 else 's'}", markup.tag("p", links), "lines")


def claims(decided):
    """The claims of one figure, each with its sentences."""
    found = []
    for one in decided:
        cases = "".join(
            markup.tag("li", badge(verdict.outcome, where)
                       + (markup.tag("p", markup.escape(verdict.sentence)) + lines_of(verdict.anchors)
                          if verdict.outcome != rules.ABSENT else ""))
            for where, verdict in one.verdicts)
        found.append(markup.tag("li", markup.text("p", one.claim.text, class_="claim") + markup.tag("ul", cases)))
    return markup.tag("ol", "".join(found), class_="claims")


def summary(decided):
    """The table of all claims."""
    rows, last = [], None
    for one in decided:
        name = f"{one.paper.name}, {one.figure.number}"
        rows.append((
            "" if name == last else markup.link(figure_anchor(one.paper, one.figure), name),
            markup.escape(one.claim.text),
            markup.tag("span", "".join(badge(verdict.outcome, where) for where, verdict in one.verdicts),
                       class_="badges"),
        ))
        last = name
    return markup.table(("figure", "claim", "here"), rows, numeric_from=9, class_="summary")
