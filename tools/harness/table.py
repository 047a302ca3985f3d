"""Results as a table: either one that fits the terminal, with what distinguishes them, or with all fields."""

import os
import re
import shutil

from . import results

NARROWEST = 60  # columns
BAR = 12  # the longest bar
AFTER_PARAMETERS = "operations"  # in a line of results; fields after the time were measured


def parameters_of(result):
    """The parameters of the program's run."""
    names = list(result)
    chosen = names[:names.index(AFTER_PARAMETERS)]
    return {name: result[name] for name in chosen if name not in results.REQUIRED}


def named_in(words):
    """The parameters that run= words name, by program."""
    named = {}
    for word in words:
        program, *settings = word.removeprefix("run=").split(",")
        named.setdefault(program, set()).update(setting.split("=")[0] for setting in settings)
    return named


def telling(result, others, named):
    """What was changed, or differs from another result of the same name."""
    own = parameters_of(result)
    alike = [parameters_of(other) for other in others
             if (other["benchmark"], other["variant"]) == (result["benchmark"], result["variant"])]
    chosen = named.get(result["benchmark"], set())
    return " ".join(f"{name}={value}" for name, value in own.items()
                    if name in chosen or any(other.get(name) != value for other in alike))


def bar(result, others):
    """As long as it takes, where the same program has others beside."""
    times = [other["ns_per_operation"] for other in others if other["benchmark"] == result["benchmark"]]
    return "#" * max(1, round(BAR * result["ns_per_operation"] / max(times))) if len(times) > 1 and max(times) else ""


def lay_out(rows, to_the_right):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.rjust(width) if column in to_the_right else cell.ljust(width)
                       for column, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths).rstrip())
    return lines


def cut(line, width):
    return line if len(line) <= width else line[:width - 3] + "..."


def check(result):
    return "ok" if result["ok"] is True else "FAILED"


def narrow(found, words=(), width=None):
    """Name, time with a bar, and check; then only parameters that were changed or differ."""
    width = max(width or shutil.get_terminal_size((80, 24)).columns, NARROWEST)
    named = named_in(words)
    counts = {result["processors"] for result in found}
    rows = [("benchmark", "variant", "ns/operation", "", "check", "")]
    for result in found:
        place = f"processors={result['processors']} " if len(counts) > 1 else ""
        rows.append((str(result["benchmark"]), str(result["variant"]), results.quantity(result["ns_per_operation"]),
                     bar(result, found), check(result), place + telling(result, found, named)))
    used = [column for column in range(len(rows[0])) if any(row[column] for row in rows)]
    rows = [tuple(row[column] for column in used) for row in rows]
    heads = [] if len(counts) != 1 else [f"{results.quantity(min(counts))} processor{'s' if min(counts) > 1 else ''}"]
    return "\n".join(heads + [cut(line, width) for line in lay_out(rows, {2})])


def wide(found):
    """All fields of each, in as many columns as needed."""
    rows = [("benchmark", "variant", "processors", "parameters", "operations", "seconds", "ns/operation", "check")]
    for result in found:
        words = " ".join(f"{key}={value}" for key, value in results.parameters(result).items())
        rows.append((
            str(result["benchmark"]), str(result["variant"]), results.quantity(result["processors"]), words,
            results.quantity(result["operations"]), results.quantity(result["seconds"]),
            results.quantity(result["ns_per_operation"]), check(result),
        ))
    return "\n".join(lay_out(rows, {2, 4, 5, 6}))


def table(found, words=()):
    """The wide table with WIDE=1."""
    return wide(found) if re.fullmatch(r"1|on|yes", os.environ.get("WIDE", "")) else narrow(found, words)
