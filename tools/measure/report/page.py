"""The page: one self-contained file without scripts."""

import os

from . import appendix, markup, own, peers, rules, sections, validation, verdicts

STYLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "style.css")
INTRODUCTION = (
    "Heddle is a cooperative kernel built on the ideas of five papers. This page holds their tables and figures "
    "against what Heddle measures on one machine: in its own kernel below QEMU, as a Linux process, beside Linux, and "
    "beside other libraries. Which claim holds is computed from the results; each number leads to its result line."
)
COUNTED = (
    "Each claim is looked at in one or more places: hosted, in the emulator, beside Linux or the peers. The numbers "
    "above count claims and places. A claim that does not hold may speak for Heddle: the papers also say where their "
    "systems are slower."
)


def header(evidence):
    dates = evidence.dates()
    facts = []
    if dates:
        first, last = dates[0][:16].replace("T", " "), dates[-1][:16].replace("T", " ")
        facts.append(("measured", first if first == last else f"{first} to {last}"))
    hosts = sorted({str(found.origin["host"]) for found in evidence.measurements if found.origin["host"]})
    facts += [("host", "; ".join(hosts))] if hosts else []
    for name, title in (("heddle", "Heddle"), ("compiler", "compiler"), ("emulator", "emulator"), ("linux", "Linux")):
        found = evidence.versions(name)
        if found:
            facts.append((title, found[0] + (f" (and {len(found) - 1} more)" if len(found) > 1 else "")))
    rows = "".join(markup.text("dt", name) + markup.text("dd", value) for name, value in facts)
    return markup.tag("header", markup.text("p", "Heddle", class_="brand") + markup.text("h1", "The evidence")
                      + markup.text("p", INTRODUCTION, class_="lead") + markup.tag("dl", rows, class_="facts"))


def navigation(papers):
    links = [("summary", "Summary"), ("peers", "Peers"), *((paper.key, paper.name) for paper in papers),
             ("validation", "Simulated"), ("own", "Other costs"), ("left-out", "Left out"),
             ("troubles", "Missing"), ("lines", "Result lines")]
    return markup.tag("nav", "".join(markup.link(anchor, name) for anchor, name in links), aria_label="Sections")


def tally(decided):
    """How many verdicts there are of each kind, in large type."""
    cells = "".join(
        markup.tag("li", markup.text("strong", number) + verdicts.badge(outcome), class_="tally-cell")
        for outcome, number in verdicts.count(decided).items())
    return markup.tag("ul", cells, class_="tally")


def headlines(papers, pictures):
    """For each paper, the first measured plot of its headline figure."""
    found = []
    for paper in papers:
        for figure in paper.figures:
            drawn = next((one for one in map(pictures.draw, figure.plots if figure.headline else ()) if one.svg), None)
            if drawn is not None:
                name = f"{paper.name}, {figure.number}: {figure.title}"
                link = markup.link(verdicts.figure_anchor(paper, figure), name)
                found.append(markup.tag("div", markup.tag("p", link, class_="headline") + sections.panel(drawn)))
    return markup.tag("div", "".join(found[:6]), class_="panels panels-3") if found else ""


def summary(papers, decided, evidence, pictures):
    lacking = [one for one in evidence.troubles if not one.line]
    warning = ""
    if lacking:
        warning = markup.tag("div", markup.items([markup.prose(f"{one.place()}: {one.sentence}") for one in lacking]),
                             class_="trouble mild")
    return markup.tag(
        "section", markup.text("h2", "Summary") + tally(decided)
        + markup.text("p", COUNTED, class_="note")
        + warning + headlines(papers, pictures) + markup.text("h3", "The claims")
        + markup.details("The rule", markup.text("p", rules.RULE)) + verdicts.summary(decided), id="summary",
        class_="paper")


def peer_section(evidence):
    found = peers.table(evidence)
    head = markup.text("h2", "Heddle beside the peers")
    troubles = sections.trouble_list([one for one in peers.troubles(evidence) if one.line])
    if found is None:
        body = markup.tag("p", markup.prose("Not measured: `make bench-peers` measures it."), class_="missing")
    else:
        body = (markup.text("p", peers.sentence(evidence)) + sections.page_table(found)
                + markup.details("Each with its spread", peers.detail(evidence)))
    return markup.tag("section", head + body + troubles, id="peers", class_="paper")


def make(papers, evidence):
    """The whole page."""
    decided = verdicts.decide(papers, evidence)
    pictures = sections.Pictures(evidence)
    with open(STYLE, encoding="utf-8") as file:
        style = file.read()
    body = header(evidence) + navigation(papers) + markup.tag("main", (
        summary(papers, decided, evidence, pictures) + peer_section(evidence)
        + "".join(sections.paper_section(paper, decided, evidence, pictures) for paper in papers)
        + validation.section(*evidence.validation) + own.section(evidence) + appendix.left_out()
        + appendix.troubles(evidence) + appendix.lines(evidence)))
    head = ('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta name="color-scheme" content="light dark">' + markup.text("title", "Heddle: the evidence")
            + markup.tag("style", style))
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'
