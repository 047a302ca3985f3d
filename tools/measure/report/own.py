"""What no paper's figure shows: instructions per operation, and locks without contention."""

import os
import re

from . import markup, quantity, rules

COUNTS = "tools/measure/instructions/table.txt"


def instructions(path=COUNTS):
    """(compiler, head, rows) of the table of counted instructions in the tree; None if there is none."""
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip() for line in file if line.strip() and not line.startswith("#")]
    compiler = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("compiler:")), "")
    rows = [re.split(r"\s{2,}", line.strip()) for line in lines if not line.startswith("compiler:")]
    width = len(rows[0]) if rows else 0
    if width < 2 or any(len(row) != width for row in rows):
        return None
    return compiler, rows[0], rows[1:]


def instruction_section():
    head = markup.text("h3", "Instructions of an operation") + markup.tag("p", markup.prose(
        "Counted in the kernel on one emulated processor, with the call and the loop around it. These do not depend "
        "on the host, and `make test` compares them with a margin."), class_="measured")
    found = instructions()
    if found is None:
        return markup.tag("section", head + markup.text("p", f"No table: {COUNTS} is not there or damaged.",
                                                        class_="missing"), id="instructions", class_="figure")
    compiler, columns, rows = found
    body = markup.table(columns, [[markup.escape(cell) for cell in row] for row in rows],
                        f"From {COUNTS} ({compiler}), by the policy of the ready queues.")
    return markup.tag("section", head + body, id="instructions", class_="figure")


def uncontended_section(evidence):
    rows = []
    for item in evidence.find("uncontended", source="heddle"):
        one = quantity.of_samples(item.samples, item.anchor)
        rows.append((markup.escape(item.variant), markup.escape(rules.shown(one.value)),
                     markup.escape(f"{rules.shown(one.low)} to {rules.shown(one.high)}"),
                     markup.link(item.anchor, item.anchor)))
    if not rows:
        return ""
    head = markup.text("h3", "Locks without contention") + markup.text(
        "p", "A lock and unlock by one task, hosted on one processor, or a message sent and received.",
        class_="measured")
    body = markup.table(("lock", "ns", "spread", "result line"), rows)
    return markup.tag("section", head + body, id="uncontended", class_="figure")


def section(evidence):
    return markup.tag("section", markup.text("h2", "Costs that do not depend on the host, and others")
                      + instruction_section() + uncontended_section(evidence),
                      id="own", class_="paper")
