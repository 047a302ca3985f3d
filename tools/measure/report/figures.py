"""What the page says about a figure or table of a paper. The data are in papers/, one file per paper."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Series:
    label: str
    of: object  # Pick, Ratio or Relative


@dataclass(frozen=True)
class Mark:
    """A figure from the paper's text, drawn in its place on our axes."""

    x: float
    y: float
    label: str


@dataclass(frozen=True)
class Plot:
    title: str
    over: str  # the attribute or parameter on the x axis
    x: str
    y: str
    series: tuple
    log_x: bool = True
    log_y: bool = False
    marks: tuple = ()
    line: float = None  # a horizontal line, such as a ratio of 1


@dataclass(frozen=True)
class Dots:
    """A dot for each runtime that was measured with a row, Heddle and peers."""

    title: str
    row: str
    source: str = ""  # only of this file
    suite: tuple = ()  # row and variant of the suite's results that belong here, if they have another name

    def find(self, evidence):
        of_file = {"source": self.source} if self.source else {}
        also = evidence.find(self.suite[0], source="heddle", variant=self.suite[1]) if self.suite else []
        return evidence.find(self.row, **of_file) + also


@dataclass(frozen=True)
class Cited:
    """What the paper's text reports."""

    what: str
    value: str
    where: str


MERIT, WEAKNESS, OTHER = "merit", "weakness", "other"


@dataclass(frozen=True)
class Claim:
    """`cases`: pairs of a place and the rule that decides the claim there. `says`: whether it claims a merit of what
    Heddle has from the paper, concedes a weakness of that, or tells how something behaves."""

    text: str
    cases: tuple
    says: str = MERIT


@dataclass(frozen=True)
class Figure:
    number: str
    title: str
    measured: str  # what is measured here, and which direction is better
    differs: str  # in the setting
    plots: tuple = ()
    cited: tuple = ()
    claims: tuple = ()
    tables: tuple = ()  # functions of the evidence and of how to link a line; each returns a Table
    also_about: tuple = ()  # further pairs of a file and a row whose troubles belong here
    headline: bool = False  # its first plot is at the top of the page

    def about(self):
        """Pairs of a file and a row: all results that this figure is about."""
        found = set(self.also_about)
        for plot in self.plots:
            if isinstance(plot, Dots):
                found |= {("peers", plot.row), ("heddle", plot.suite[0] if plot.suite else plot.row)}
                continue
            for series in plot.series:
                found |= series.of.about()
        for claim in self.claims:
            for _, rule in claim.cases:
                found |= rule.about()
        return found


@dataclass(frozen=True)
class Paper:
    key: str
    name: str
    citation: str
    machine: str  # the paper's
    figures: tuple


@dataclass(frozen=True)
class Table:
    """A table of the page: cells are texts, or (text, anchors, class) if the text comes from result lines."""

    caption: str
    head: tuple
    rows: tuple
    numeric_from: int = 1  # columns from here are aligned to the right
