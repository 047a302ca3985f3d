"""The plots, as SVG inside a page: their text is text, their colours are the page's, in light and dark mode."""

import io
import re

from . import names, rules
from .figures import Dots

WIDTH, HEIGHT = 4.2, 2.7  # inches; only the shape matters, the page scales it
ROW = 0.24  # inches for each row of dots
# Placeholders for the page's own colours: a colour in Matplotlib's output, and the name in the style sheet.
INK, GRID, PAPER = "#010101", "#020202", "#030303"
SERIES = [f"#0400{number:02x}" for number in range(1, 9)]
VARIABLES = {INK: "ink-soft", GRID: "grid", PAPER: "paper",
             **{colour: f"series-{number}" for number, colour in enumerate(SERIES, 1)}}
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]


class PlotFailure(Exception):
    """Matplotlib is missing; the text says what to do."""


def library():
    """Matplotlib, configured to write what the page needs."""
    try:
        import matplotlib
        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError:
        raise PlotFailure("Matplotlib is not installed; `make setup` installs it (python3-matplotlib)") from None
    matplotlib.rcParams.update({
        "svg.fonttype": "none", "svg.hashsalt": "heddle", "font.size": 9.5,
        "axes.edgecolor": GRID, "axes.labelcolor": INK, "text.color": INK,
        "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False,
        "axes.grid": True, "grid.color": GRID, "grid.linewidth": 0.6, "axes.axisbelow": True, "lines.linewidth": 1.8,
        "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none", "lines.markersize": 5,
    })
    return pyplot


def short(value, _=None):
    """A tick: 10,000 is 10k."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size and round(value / size, 1) == value / size:
            return f"{value / size:g}{letter}"
    return f"{value:,.0f}" if value >= 1000 else f"{value:g}"


def clean(svg, prefix, label):
    """Matplotlib's output as a part of a page: no header, no fixed size, the page's colours and fonts, and names that
    no other plot has."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    box = re.search(r'viewBox="[^"]*"', svg)[0]
    svg = re.sub(r"<svg[^>]*>", f'<svg {box} role="img" aria-label="{names.escape(label)}">', svg, count=1)
    svg = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'font: ([0-9.]+px) [^;"]*', r"font-size: \1", svg)
    svg = re.sub(r'\b(id=")', rf"\1{prefix}-", svg)
    svg = re.sub(r'(url\(#|href="#)', rf"\1{prefix}-", svg)
    svg = svg.replace("xlink:href", "href")
    for colour, name in VARIABLES.items():
        svg = svg.replace(colour, f"var(--{name})")
    return re.sub(r"<!--.*?-->|\n\s*", lambda found: "" if found[0].startswith("<") else "\n", svg)


def write(pyplot, figure, prefix, label):
    text = io.StringIO()
    figure.savefig(text, format="svg", bbox_inches="tight", pad_inches=0.05, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    return clean(text.getvalue(), prefix, label)


class Drawn:
    """A finished plot: its SVG, its contents as (label, {x: quantity}), and labels without data."""

    def __init__(self, plot, svg, found, lacking):
        self.plot, self.svg, self.found, self.lacking = plot, svg, found, lacking

    def colours(self):
        return [(label, number) for number, (label, _) in enumerate(self.found, 1)]


def draw(plot, evidence, prefix):
    """A plot of what was measured; without a picture if nothing was."""
    if isinstance(plot, Dots):
        return draw_dots(plot, evidence, prefix)
    series = [(one.label, one.of.over(evidence, plot.over)) for one in plot.series]
    found = [(label, points) for label, points in series if points]
    lacking = [label for label, points in series if not points]
    return Drawn(plot, draw_lines(plot, found, prefix) if found else "", found, lacking)


def draw_lines(plot, found, prefix):
    pyplot = library()
    figure, axes = pyplot.subplots(figsize=(WIDTH, HEIGHT))
    for number, (_, points) in enumerate(found):
        places, items = list(points), list(points.values())
        values = [item.value for item in items]
        errors = [[item.value - item.low for item in items], [item.high - item.value for item in items]]
        axes.errorbar(places, values, yerr=errors, color=SERIES[number], marker=MARKERS[number], elinewidth=1.0,
                      markeredgecolor=PAPER, markeredgewidth=0.7, zorder=3)
    if plot.line is not None:
        axes.axhline(plot.line, color=INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=2)
    for mark in plot.marks:
        axes.plot([mark.x], [mark.y], marker="D", color=INK, markerfacecolor=PAPER, markersize=7, linestyle="none",
                  zorder=4)
        axes.annotate(mark.label, (mark.x, mark.y), xytext=(-8, 0), textcoords="offset points", ha="right",
                      va="center", fontsize=9)
    scale(plot, axes, sorted({place for _, points in found for place in points}))
    axes.set_xlabel(plot.x)
    axes.set_ylabel(plot.y)
    return write(pyplot, figure, prefix, f"{plot.title}: {plot.y} over {plot.x}")


def scale(plot, axes, places):
    """The axes: a tick for each measured place, unless they crowd."""
    from matplotlib import ticker

    if plot.log_x and len(places) > 1 and places[-1] / max(places[0], 1e-9) >= 4:
        axes.set_xscale("log")
    ticks = places if len(places) <= 7 else [place for place in places if place in (places[0], places[-1])
                                             or str(place).strip("0.") == "1"]
    axes.set_xticks([place for number, place in enumerate(ticks) if not crowded(plot, ticks, number)])
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(short))
    if not plot.log_y:
        axes.set_ylim(0, axes.get_ylim()[1] * 1.05)
        axes.yaxis.set_major_formatter(ticker.FuncFormatter(short))
        return
    axes.set_yscale("log")
    logarithmic(axes.yaxis, axes.get_ylim())


def logarithmic(axis, limits):
    """Ticks of a logarithmic axis: at least two, and no more than are readable."""
    from matplotlib import ticker

    low, high = limits
    axis.set_major_locator(ticker.LogLocator(subs=(1.0,) if high / low > 200 else (1.0, 2.0, 5.0), numticks=12))
    axis.set_minor_locator(ticker.NullLocator())
    axis.set_major_formatter(ticker.FuncFormatter(short))
    if sum(low <= tick <= high for tick in axis.get_majorticklocs()) < 2:
        axis.set_major_locator(ticker.MaxNLocator(4))


def crowded(plot, ticks, number):
    """Whether a tick would overlap the previous one."""
    if number == 0:
        return False
    if plot.log_x:
        return ticks[number] / max(ticks[number - 1], 1e-9) < 1.25 and number != len(ticks) - 1
    return (ticks[number] - ticks[number - 1]) < 0.06 * (ticks[-1] - ticks[0])


def draw_dots(plot, evidence, prefix):
    """A dot for each runtime measured, the fastest on top, Heddle's in its own colour."""
    items = {}
    for found in plot.find(evidence):
        measured = rules.Pick(plot.row, ()).quantity(found)
        label = names.of_measurement(found)
        if measured and (found.source == "peers" or label not in items):
            items[label] = (measured, names.is_ours(found))
    if not items:
        return Drawn(plot, "", [], ["everything"])
    pyplot = library()
    ordered = sorted(items.items(), key=lambda item: -item[1][0].value)
    figure, axes = pyplot.subplots(figsize=(WIDTH, ROW * len(ordered) + 0.7))
    axes.set_xscale("log")
    for place, (label, (measured, ours)) in enumerate(ordered):
        colour = SERIES[0] if ours else SERIES[7]
        axes.plot([measured.low, measured.high], [place, place], color=colour, linewidth=1.6, zorder=3)
        axes.plot([measured.value], [place], marker="o", markersize=7, color=colour, zorder=4)
        axes.annotate(rules.shown(measured.value), (max(measured.value, measured.high), place), xytext=(7, 0),
                      textcoords="offset points", va="center")
    axes.set_yticks(range(len(ordered)), [label for label, _ in ordered])
    axes.margins(x=0.2, y=0.08)
    logarithmic(axes.xaxis, axes.get_xlim())
    axes.set_xlabel("ns an operation")
    svg = write(pyplot, figure, prefix, f"{plot.title}: nanoseconds an operation")
    return Drawn(plot, svg, [(label, {1: measured}) for label, (measured, _) in reversed(ordered)], [])
