"""The sections of the page: papers and their figures."""

from . import markup, names, plots, rules, verdicts
from .figures import Dots

SHORT = 220  # characters of a failure in its place


def swatch(number, label):
    """An entry of a legend: line and mark as in the plot."""
    shape = markup.tag("span", "", class_=f"swatch mark-{number}", aria_hidden="true")
    return markup.tag("li", shape + markup.escape(label))


def numbers(drawn):
    """The contents of a plot as a table; each number links to its line."""
    plot, rows = drawn.plot, []
    over = "" if isinstance(plot, Dots) else plot.over
    for label, points in drawn.found:
        for place, item in points.items():
            rows.append((
                markup.escape(label), markup.escape(rules.place_text(over, place)) if over else "",
                markup.escape(rules.shown(item.value)),
                markup.escape(f"{rules.shown(item.low)} to {rules.shown(item.high)}"),
                ", ".join(markup.link(anchor, anchor) for anchor in item.anchors),
            ))
    unit = "ns an operation" if isinstance(plot, Dots) else plot.y
    return markup.table(("what", "where", unit, "spread", "result lines"), rows, plot.title, 2, "data")


def panel(drawn):
    """A plot with its title and legend; or a note that it was not measured."""
    plot = drawn.plot
    if not drawn.svg:
        body = markup.text("p", "Not measured.", class_="missing")
        return markup.tag("figure", markup.tag("figcaption", markup.text("strong", plot.title)) + body, class_="empty")
    legend = ""
    if not isinstance(plot, Dots) and len(plot.series) > 1:
        legend = markup.tag("ul", "".join(swatch(number, label) for label, number in drawn.colours()), class_="legend")
    lacking = ""
    if drawn.lacking:
        lacking = markup.text("p", f"Not measured: {', '.join(drawn.lacking)}.", class_="missing")
    return markup.tag(
        "figure", markup.tag("figcaption", markup.text("strong", plot.title) + legend) + drawn.svg + lacking)


def cited(figure):
    if not figure.cited:
        return ""
    rows = [(markup.escape(one.what), markup.escape(one.value), markup.escape(one.where)) for one in figure.cited]
    return markup.text("h4", "The paper reports") + markup.table(("", "value", "where"), rows, "", 9, "cited")


def shortened(sentence):
    """The complete text is at the end of the page."""
    return sentence if len(sentence) <= SHORT else sentence[:SHORT].rsplit(" ", 1)[0] + " ..."


def trouble_list(troubles):
    """What went wrong, in its place."""
    if not troubles:
        return ""
    shown = [markup.prose(f"{one.place()}, {names.of_who(one.who)}: {shortened(one.sentence)}") for one in troubles]
    head = markup.text("h4", "Not measured: failed or left out")
    return markup.tag("div", head + markup.items(shown), class_="trouble")


def page_table(table):
    """A Table of a figure."""
    def cell(content):
        if not isinstance(content, tuple):
            return markup.escape(content)
        words, anchors, kind = content
        return markup.text("a", words, href=f"#{anchors[0]}", title=", ".join(anchors), class_=kind)

    rows = [[cell(content) for content in row] for row in table.rows]
    return markup.table(table.head, rows, table.caption, table.numeric_from)


class Pictures:
    """All plots, drawn once; each has its own prefix for internal names."""

    def __init__(self, evidence):
        self.evidence, self.number = evidence, 0

    def draw(self, plot):
        self.number += 1
        return plots.draw(plot, self.evidence, f"p{self.number}")


def figure_section(paper, figure, decided, evidence, pictures):
    drawn = [pictures.draw(plot) for plot in figure.plots]
    panels = "".join(panel(one) for one in drawn if one.svg)
    empty = [one.plot.title for one in drawn if not one.svg]
    if empty:
        panels += markup.tag("figure", markup.text("p", f"Not measured: {'; '.join(empty)}.", class_="missing"))
    tables = "".join(page_table(make(evidence)) for make in figure.tables)
    data = "".join(numbers(one) for one in drawn if one.found)
    mine = [one for one in decided if one.figure is figure]
    verdict = markup.text("h4", "Does it hold here?") + verdicts.claims(mine) if mine else ""
    content = (
        markup.tag("h3", markup.text("span", figure.number, class_="figure-number") + " " + markup.escape(figure.title))
        + markup.tag("p", markup.prose(figure.measured), class_="measured")
        + (markup.tag("div", panels, class_=f"panels panels-{min(len(drawn), 4)}") if panels else "") + tables
        + trouble_list(evidence.troubles_of(figure.about()))
        + markup.tag("div", markup.tag("div", verdict) + markup.tag(
            "div", cited(figure) + markup.text("h4", "What differs") + markup.tag("p", markup.prose(figure.differs))),
            class_="columns")
        + (markup.details("The numbers in these plots", data) if data else "")
    )
    return markup.tag("section", content, id=verdicts.figure_anchor(paper, figure), class_="figure")


def paper_section(paper, decided, evidence, pictures):
    head = (markup.text("h2", paper.name) + markup.text("p", paper.citation, class_="citation")
            + markup.text("p", f"Its machine: {paper.machine}." if paper.machine else "", class_="citation"))
    body = "".join(figure_section(paper, figure, decided, evidence, pictures) for figure in paper.figures)
    return markup.tag("section", head + body, id=paper.key, class_="paper")
