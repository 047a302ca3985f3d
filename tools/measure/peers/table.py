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


def widths(rows):
    """Sentences are as wide as they are, and widen no column."""
    figures = [COLUMNS, *(row for row in rows if row[1] != "-")]
    found = [max(len(row[column]) for row in figures) for column in range(len(COLUMNS))]
    found[0] = max([found[0], *(len(row[0]) for row in rows)])
    return found


def text(lines):
    """The table, by row; what was skipped for all rows stands at the end, once."""
    shown = [line for line in lines if line["outcome"] != "skipped"]
    rows = [cells(line) for line in shown]
    wide = widths(rows)
    out = ["  ".join(cell.rjust(width) if place else cell.ljust(width)
                     for place, (cell, width) in enumerate(zip(COLUMNS, wide))).rstrip()]
    title = None
    for line, row in zip(shown, rows):
        if line["row"] != title:
            title = line["row"]
            settings = " ".join(f"{key}={value}" for key, value in line["parameters"].items())
            out.append(f"{title}: {line['title']} ({settings})")
        if row[1] == "-":
            out.append(f"{row[0].ljust(wide[0])}  {row[2]}")
            continue
        out.append("  ".join(cell.rjust(width) if place else cell.ljust(width)
                             for place, (cell, width) in enumerate(zip(row, wide))).rstrip())
    skipped = dict.fromkeys(
        f"skipped: {line['peer'] if line['row'] == '*' else line['row']}: {line['reason']}"
        for line in lines if line["outcome"] == "skipped"
    )
    return "\n".join([*out, *skipped])
