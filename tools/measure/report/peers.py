"""Heddle beside the peers on the host: medians of interleaved runs, and their ratio to Heddle's."""

from . import markup, names, quantity, rules, verdicts
from .figures import Table

OURS = "heddle"
WORDS = {quantity.BELOW: "ahead", quantity.ABOVE: "behind", quantity.LEVEL: "level"}


def rows_of(evidence):
    """{row name: {peer: measurement}}: a row with several parameters or variants has several names."""
    found = {}
    for item in evidence.measurements:
        if item.source == "peers":
            key = (item.row, tuple(sorted(item.parameters.items())))
            found.setdefault(key, {}).setdefault(names.of_measurement(item), item)
    return found


def title(key, found):
    """The row's title as its tool gives it, else its name, with its parameters if several rows have that name."""
    row, parameters = key
    said = next((item.origin["title"] for item in found[key].values() if item.origin["title"]), "")
    if said:
        return f"{row}: {said}"
    keys = list(found)
    if sum(other[0] == row for other in keys) == 1:
        return row
    return f"{row} {' '.join(f'{name}={value}' for name, value in parameters)}"


def measured(item):
    return quantity.of_samples(item.samples, item.anchor, turns=item.turns)


def ours(items):
    """Heddle's own line of a row."""
    return next((item for item in items.values() if item.who == OURS), None)


def table(evidence):
    """(Table, peers' names) of all rows; None where no peer was measured."""
    found = rows_of(evidence)
    labels = sorted({label for items in found.values() for label, item in items.items() if not names.is_ours(item)})
    if not labels:
        return None
    rows = []
    for key, items in found.items():
        base = ours(items)
        if base is None:
            continue
        cells = [title(key, found), (f"{rules.shown(measured(base).value)} ns", (base.anchor,), "")]
        for label in labels:
            item = items.get(label)
            if item is None:
                cells.append("–")
                continue
            ratio = measured(item).over(measured(base)).value
            word = WORDS[quantity.compare(measured(base), measured(item))]
            cells.append((rules.shown(ratio), (item.anchor, base.anchor), word))
        rows.append(tuple(cells))
    return Table("Nanoseconds an operation of hosted Heddle, and how many times as long each peer takes: above 1, "
                 "Heddle is ahead. Green: Heddle is ahead; red: behind; grey: it cannot be told (each pair by itself "
                 f"with an error of {quantity.ERROR:.0%}), or the medians are within {quantity.MARGIN:.0%}. Medians of "
                 "interleaved runs.",
                 ("row", "Heddle", *labels), tuple(rows))


def counts(evidence):
    """How many peers are faster, slower or equal: {BELOW: ..., ABOVE: ..., LEVEL: ...}."""
    total = {quantity.BELOW: 0, quantity.ABOVE: 0, quantity.LEVEL: 0}
    for items in rows_of(evidence).values():
        base = ours(items)
        for item in items.values():
            if base is not None and not names.is_ours(item):
                total[quantity.compare(measured(base), measured(item))] += 1
    return total


def sentence(evidence):
    total = counts(evidence)
    return (f"In {sum(total.values())} comparisons Heddle is ahead in {total[quantity.BELOW]}, behind in "
            f"{total[quantity.ABOVE]}; in {total[quantity.LEVEL]} it cannot be told.")


def troubles(evidence):
    return [trouble for trouble in evidence.troubles if trouble.source == "peers"]


def detail(evidence):
    """Each line of the peers with its spread."""
    found = rows_of(evidence)
    rows = []
    for key, items in found.items():
        base = ours(items)
        for label, item in items.items():
            one = measured(item)
            against = ""
            if base is not None and not names.is_ours(item):
                against = f"Heddle is {WORDS[quantity.compare(measured(base), one)]}"
            rows.append((
                markup.escape(title(key, found)), markup.escape(label), markup.escape(rules.shown(one.value)),
                markup.escape(f"{rules.shown(one.low)} to {rules.shown(one.high)}"), str(len(item.samples)),
                markup.escape(against), markup.link(item.anchor, item.anchor)))
    head = ("row", "who", "ns an operation", "spread", "runs", "Heddle", "result line")
    return markup.table(head, rows, "", 2, "data")


def lines(evidence):
    return verdicts.lines_of(tuple(item.anchor for item in evidence.measurements if item.source == "peers"))
