"""The end of the page: what is left out, what went wrong, and every result line."""

from . import markup, names, rules, quantity

LEFT_OUT = (
    ("Windows (scheduler Figures 7 to 10, Table 1)", "it is not free, so a fresh clone cannot set it up"),
    ("the garbage collector of the scheduler paper's runtime", "Heddle's tasks are plain C and free what they use"),
    ("TCLocks (exchange Figure 14)", "no distribution or registry carries it; it needs a virtualization layer and "
     "crashes when oversubscribed, says the paper; its figures are cited"),
    ("Photon (switching Figures 12 to 16) and Argobots (lock-algorithms Figures 2 and 7)", "neither Debian nor Ubuntu "
     "has a package of them; their published figures are cited"),
    ("machines with more than two processors", "what is told of 4 to 64 processors is an emulator's, whose times show "
     "scheduling, not caches; the transfers between caches are counted instead"),
)


def left_out():
    rows = [(markup.escape(what), markup.escape(why)) for what, why in LEFT_OUT]
    return markup.tag("section", markup.text("h2", "What is left out, and why")
                      + markup.table(("what", "why"), rows, "", 9), id="left-out", class_="paper")


def troubles(evidence):
    if not evidence.troubles:
        body = markup.text("p", "Nothing: every line of every results file was read and is used.")
    else:
        rows = [(markup.escape(one.place()), markup.escape(f"{names.of_who(one.who)} {one.row}".strip()),
                 markup.prose(one.sentence)) for one in evidence.troubles]
        body = markup.table(("where", "what", "what is wrong"), rows, "", 9)
    return markup.tag("section", markup.text("h2", "What is missing or wrong in the results") + body, id="troubles",
                      class_="paper")


class Commands:
    """The commands that were run, each once, with a name to link to."""

    def __init__(self):
        self.names = {}

    def link(self, command):
        if not command:
            return ""
        name = self.names.setdefault(command, f"c{len(self.names) + 1}")
        return markup.link(name, name)

    def table(self):
        rows = [(markup.text("span", name, id=name), markup.text("code", command))
                for command, name in self.names.items()]
        return markup.table(("", "command"), rows, "", 9, "commands")


def versions_text(versions):
    return "; ".join(f"{name} {version}" for name, version in versions.items() if version)


class Versions:
    """Machines and versions, each set once."""

    def __init__(self):
        self.names = {}

    def link(self, found):
        host = found.origin["host"]
        text = "; ".join(part for part in (host, versions_text(found.origin["versions"])) if part)
        if not text:
            return ""
        name = self.names.setdefault(text, f"v{len(self.names) + 1}")
        return markup.link(name, name)

    def table(self):
        rows = [(markup.text("span", name, id=name), markup.escape(text)) for text, name in self.names.items()]
        return markup.table(("", "host and versions"), rows, "", 9)


def lines(evidence):
    """Every result line: what was run, where, and the result."""
    commands, versions, rows = Commands(), Versions(), []
    for found in evidence.measurements:
        one = quantity.of_samples(found.samples, found.anchor)
        words = " ".join(f"{name}={value}" for name, value in found.parameters.items())
        variant = f" ({found.variant})" if found.variant else ""
        rows.append((
            markup.text("span", found.anchor, id=found.anchor), markup.escape(f"{found.row} {words}{variant}"),
            markup.escape(names.of_who(found.who)), markup.escape(found.origin["machine"] or names.of_place(found)),
            markup.escape(f"{rules.shown(one.value)} {found.unit}"),
            markup.escape(", ".join(rules.shown(sample) for sample in found.samples)),
            commands.link(found.origin["command"]), versions.link(found),
            markup.escape(found.origin["date"][:16].replace("T", " ")),
        ))
    head = ("line", "program", "who", "machine", "median", "samples", "command", "versions", "date")
    table = markup.table(head, rows, "", 9, "lines data")
    return markup.tag(
        "section", markup.text("h2", "Every result line")
        + markup.text("p", "A line is named after its file in build/bench/ and its number there.")
        + markup.details(f"{len(rows)} lines", table)
        + markup.details(f"{len(commands.names)} commands", commands.table())
        + markup.details("Hosts and versions", versions.table(), "open-versions"), id="lines", class_="paper")
