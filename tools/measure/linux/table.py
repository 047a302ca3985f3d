"""The results as a table: Heddle and Linux side by side, and how many times as long Linux takes."""

from harness import results


def shown(line):
    """The median with the lowest and the highest sample; or a note that there is none."""
    if line is None or not (line["samples"] or line["failure"]):
        return "-", ""
    if line["failure"]:
        return "failed", ""
    low, high = (results.quantity(round(value)) for value in line["spread"])
    return results.quantity(round(line["median"])), f"{low} to {high}"


def ratio(heddle, linux):
    medians = [line and not line["failure"] and line["median"] for line in (heddle, linux)]
    return f"{medians[1] / medians[0]:.2f}" if all(medians) else ""


def cells(rows, processors, lines):
    """A tuple for each row: its description, and both systems' figures."""
    for row in rows:
        if processors in row.processors:
            pair = [lines.get((name, processors, f"run={row.words}")) for name in ("heddle", "linux")]
            yield (row.figure, row.words, *shown(pair[0]), *shown(pair[1]), ratio(*pair))


def table(rows, processors, lines):
    """The text of the table for one number of processors."""
    head = ("", "program", "Heddle, ns", "", "Linux, ns", "", "Linux : Heddle")
    body = [head, *cells(rows, processors, lines)]
    widths = [max(len(row[column]) for row in body) for column in range(len(head))]
    texts = []
    for row in body:
        texts.append("  ".join(
            cell.ljust(width) if column in (0, 1, 3, 5) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        ).rstrip())
    texts.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(texts)


def failures(lines):
    """A sentence for each row that could not be measured."""
    return [
        f"{line['system']}, {line['processors']} processors, {line['program']}: {line['failure']}"
        for line in lines if line["failure"]
    ]
