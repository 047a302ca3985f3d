"""Writes the results for readers of the tree: a block of README.md between two marks, with one table of headline
figures, and the page RESULTS.md with all of them."""

import os

from . import peers, rules, verdicts
from .figures import Dots

BEGIN, END = "<!-- make report README=1 writes from here -->", "<!-- to here -->"
RESULTS = "tools/measure/report/RESULTS.md"
TITLE = (
    "# What was measured",
    "",
    "`make report README=1` writes this page; nothing in it is written by hand. `make bench` measures.",
)
# The rows of the peers' table in the README. Rows in which Heddle is slower stay in.
HEADLINE_ROWS = (
    "yield", "yield-2", "create", "mutex", "mutex-contended", "channel", "section", "tokenring", "producer",
)
HEADLINE_PEERS = ("pthreads", "Boost.Fiber", "Go", "tokio", "Java virtual threads")

HEADLINE = (
    "Nanoseconds an operation of Heddle as a Linux process, and how many times as long others take for the same work: "
    "below 1 they are faster, in brackets it cannot be told."
)
CAPTION = (
    "Hosted Heddle in nanoseconds an operation, and how many times as long each peer takes, medians of interleaved "
    "runs; in brackets what cannot be told apart:"
)


class NoPlace(Exception):
    """The file has no place for the block; the text says why."""


def figures(papers, evidence):
    """Rows of the table of headline plots: the first and the last point of each series."""
    for paper in papers:
        for figure in paper.figures:
            plots = [plot for plot in figure.plots if not isinstance(plot, Dots)] if figure.headline else []
            for plot in plots:
                cells = []
                for series in plot.series:
                    points = series.of.over(evidence, plot.over)
                    if points:
                        ends = sorted({min(points), max(points)})
                        told = " to ".join(rules.shown(points[place].value) for place in ends)
                        cells.append(f"{series.label} {told}")
                        reach = " to ".join(rules.place_text(plot.over, place) for place in ends)
                if cells:
                    yield f"| {paper.name}, {figure.number} | {plot.title} | {plot.y}, {reach} | {'; '.join(cells)} |"


def plain(cell):
    """A cell of the peers' table as text."""
    if isinstance(cell, tuple):
        return f"({cell[0]})" if cell[2] == "level" else cell[0]
    return cell


def peer_table(evidence):
    """Rows of texts, the head first; none if no peer was measured."""
    found = peers.table(evidence)
    return [found.head, *(tuple(map(plain, row)) for row in found.rows)] if found else []


def markdown(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return [lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]


def headline(evidence):
    """The peers' table, restricted to what the README shows."""
    rows = peer_table(evidence)
    if not rows:
        return []
    columns = [1, *(rows[0].index(name) for name in HEADLINE_PEERS if name in rows[0])]
    titles = [("", rows[0])]
    for wanted in HEADLINE_ROWS:
        for row in rows[1:]:
            name, _, title = row[0].partition(": ")
            titles += [(title or name, row)] if name == wanted else []
    return [HEADLINE, "", *markdown([(title, *(row[column] for column in columns)) for title, row in titles]), ""]


def measured(evidence):
    """When, where and with which version."""
    dates, hosts = evidence.dates(), sorted({str(found.origin["host"]) for found in evidence.measurements
                                             if found.origin["host"]})
    version = (evidence.versions("heddle") or ["unknown"])[0]
    return (f"Measured {dates[-1][:10] if dates else 'never'} on {'; '.join(hosts) or 'no machine'}, Heddle {version}, "
            "by `make bench` and `make report`, whose page has all plots, each number with its result line.")


def claims(decided):
    counted = ", ".join(f"{outcome} {number}" for outcome, number in verdicts.count(decided).items())
    return f"Verdicts on the papers' claims, each looked at in one or more places: {counted}."


def block(decided, evidence):
    """The lines between the marks of README.md."""
    return [*headline(evidence), measured(evidence), "", f"{claims(decided)} All figures: [{RESULTS}]({RESULTS})."]


def page(papers, decided, evidence):
    """The lines of RESULTS.md."""
    rows = peer_table(evidence)
    return [
        *TITLE, "", measured(evidence), "", claims(decided), "",
        "| figure | where | what, from where to where | medians there |", "|---|---|---|---|",
        *figures(papers, evidence), *(["", CAPTION, "", *markdown(rows)] if rows else []),
    ]


def replace(path, text):
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def update(path, lines):
    """Put the lines between the marks of a file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise NoPlace(f"{path}: no place for the results: a line \"{BEGIN}\" and, below it, one \"{END}\" are needed")
    before, rest = text.split(BEGIN)
    replace(path, before + BEGIN + "\n\n" + "\n".join(lines) + "\n\n" + END + rest.split(END)[1])
