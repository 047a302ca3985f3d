"""The block of README.md that is made from the results, between two marks."""

import os

from . import peers, rules, verdicts
from .figures import Dots

BEGIN, END = "<!-- make report README=1 writes from here -->", "<!-- to here -->"

CAPTION = (
    "Hosted Heddle in nanoseconds an operation, and how many times as long each peer takes, medians of interleaved "
    "runs; in brackets what cannot be told apart:"
)


class NoPlace(Exception):
    """The file has no place for the block; the text says why."""


def headline(papers, evidence):
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


def peer_rows(evidence):
    found = peers.table(evidence)
    if found is None:
        return []
    def plain(cell):
        if isinstance(cell, tuple):
            return f"({cell[0]})" if cell[2] == "level" else cell[0]
        return cell

    return ["", CAPTION, "", "| " + " | ".join(found.head) + " |", "|" + "---|" * len(found.head),
            *("| " + " | ".join(plain(cell) for cell in row) + " |" for row in found.rows)]


def block(papers, decided, evidence):
    """The lines between the marks."""
    dates, hosts = evidence.dates(), sorted({str(found.origin["host"]) for found in evidence.measurements
                                             if found.origin["host"]})
    counted = ", ".join(f"{number} {outcome}" for outcome, number in verdicts.count(decided).items())
    version = (evidence.versions("heddle") or ["unknown"])[0]
    return [
        f"Measured {dates[-1][:10] if dates else 'never'} on {'; '.join(hosts) or 'no machine'}, Heddle {version}, by "
        "`make bench` and `make report`, whose page has all plots, each number with its result line.",
        "", f"The papers' claims, looked at in one or more places each: {counted}.", "",
        "| figure | where | what, from where to where | medians there |", "|---|---|---|---|",
        *headline(papers, evidence), *peer_rows(evidence),
    ]


def update(path, lines):
    """Put the lines between the marks of a file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise NoPlace(f"{path}: no place for the results: a line \"{BEGIN}\" and, below it, one \"{END}\" are needed")
    before, rest = text.split(BEGIN)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(before + BEGIN + "\n\n" + "\n".join(lines) + "\n\n" + END + rest.split(END)[1])
    os.replace(path + ".new", path)
