"""What the page says about a figure or table of a paper. The data are in papers/, one file a paper."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Series:
    label: str
    of: object  # Pick, Ratio or Relative


@dataclass(frozen=True)
class Mark:
    """A figure that the paper tells, drawn where it belongs on our axes."""

    x: float
    y: float
    label: str


@dataclass(frozen=True)
class Plot:
    title: str
    over: str  # the attribute or parameter along the x axis
    x: str
    y: str
    series: tuple
    log_x: bool = True
    log_y: bool = False
    marks: tuple = ()
    line: float = None  # a horizontal line, such as a ratio of 1


@dataclass(frozen=True)
class Dots:
    """A dot for each who was measured with a row, peers and Heddle."""

    title: str
    row: str
    source: str = ""  # only of this file
    suite: tuple = ()  # row and variant of what belongs here from the suite, where not of the same name

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


@dataclass(frozen=True)
class Claim:
    """`cases`: pairs of where it is looked at and the rule that decides it there."""

    text: str
    cases: tuple


@dataclass(frozen=True)
class Figure:
    number: str
    title: str
    measured: str  # what is measured here, and which way is better
    differs: str  # in the setting
    plots: tuple = ()
    cited: tuple = ()
    claims: tuple = ()
    tables: tuple = ()  # functions of the evidence and of how to link a line; each gives back a page's Table
    also_about: tuple = ()  # pairs of a file and a row whose troubles belong here, besides those of plots and claims
    headline: bool = False  # its first plot stands at the top of the page

    def about(self):
        """Pairs of a file and a row: all that this figure is about."""
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
    """A table of the page: cells are texts, or (text, anchors, class) where a text comes from result lines."""

    caption: str
    head: tuple
    rows: tuple
    numeric_from: int = 1  # columns from here are aligned to the right
