"""The results as a table on the terminal."""

COLUMNS = ("", "median ns", "quartiles", "minimum", "to heddle")


def number(value):
    digits = 0 if value >= 1000 else 1 if value >= 100 else 2
    return f"{value:,.{digits}f}"


def cells(line):
    if line["outcome"] != "measured":
        return (f"  {line['peer']}", "-", f"{line['outcome']}: {line['reason']}", "", "")
    ratio = f"{line['ratio_to_heddle']:.2f}" if "ratio_to_heddle" in line else "-"
    spread = f"{number(line['lower_quartile_ns'])} to {number(line['upper_quartile_ns'])}"
    runs = "" if line["complete"] else f" ({len(line['samples_ns'])} of {line['wanted']} runs)"
    return (f"  {line['peer']}{runs}", number(line["median_ns"]), spread, number(line["minimum_ns"]), ratio)


def is_heddle(line):
    return line["peer"].startswith("heddle")


def best(lines):
    """The fastest peer of a row, by name, and how long that takes beside Heddle. None: no peer was measured."""
    peers = [line for line in lines if line["outcome"] == "measured" and not is_heddle(line)]
    if not peers:
        return None
    fastest = min(peers, key=lambda line: line["median_ns"])
    ratio = f"{fastest['ratio_to_heddle']:.2f}" if "ratio_to_heddle" in fastest else "-"
    return (f"  best peer: {fastest['peer']}", number(fastest["median_ns"]), "", "", ratio)


def widths(rows):
    """Sentences are as wide as they are, and widen no column."""
    figures = [COLUMNS, *(row for row in rows if row[1] != "-")]
    found = [max(len(row[column]) for row in figures) for column in range(len(COLUMNS))]
    found[0] = max([found[0], *(len(row[0]) for row in rows)])
    return found


def line_of(cells_of_row, wide):
    """A sentence stands where the figures would."""
    if cells_of_row[1] == "-":
        return f"{cells_of_row[0].ljust(wide[0])}  {cells_of_row[2]}"
    return "  ".join(cell.rjust(width) if place else cell.ljust(width)
                     for place, (cell, width) in enumerate(zip(cells_of_row, wide))).rstrip()


def text(lines):
    """The table, by row, each with its best peer; what was skipped for all rows stands at the end, once."""
    shown = [line for line in lines if line["outcome"] != "skipped"]
    by_row = {}
    for line in shown:
        by_row.setdefault((line["row"], line["title"]), []).append(line)
    bodies = {row: [*(cells(line) for line in own), *([best(own)] if best(own) else [])] for row, own in by_row.items()}
    wide = widths([row for body in bodies.values() for row in body])
    out = [line_of(COLUMNS, wide)]
    for row, own in by_row.items():
        settings = " ".join(f"{key}={value}" for key, value in own[0]["parameters"].items())
        out.append(f"{': '.join(row)} ({settings})")
        out += [line_of(cells_of_row, wide) for cells_of_row in bodies[row]]
    skipped = dict.fromkeys(
        f"skipped: {line['peer'] if line['row'] == '*' else line['row']}: {line['reason']}"
        for line in lines if line["outcome"] == "skipped"
    )
    return "\n".join([*out, *skipped])
