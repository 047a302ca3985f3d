"""The basis of the exchange and the delegation paper's arguments: where the data of critical sections are. Counted,
not timed."""

from .. import names
from ..figures import Cited, Claim, Figure, Paper, Table
from ..quantity import BELOW
from ..rules import Compare, pick, place_text, shown

ROW = "transfers-section"
CONTENDED = ("1", "4", "16")  # lines that a section writes; one more length is measured with little contention
PARTS = (("data", "the section's data"), ("lock", "the lock"), ("own", "the task's own data"), ("rest", "all else"))


def counted(who, field):
    return pick(ROW, field, source="coherence", who=who, length=CONTENDED)


def less(left, right, field="data"):
    return (("QEMU, 64 on 4 sockets", Compare(counted(left, field), counted(right, field), "lines", BELOW,
                                              (left, right), "transfers")),)


def transfers(evidence):
    """A row for each lock: transfers per section by what the lines belong to, and how many of these cross sockets."""
    rows = []
    for found in sorted(evidence.find(ROW, source="coherence"), key=lambda item: item.line):
        length = place_text("lines", float(found.parameters["lines"]))
        calm = ", calm" if "calm" in found.parameters.get("length", "") else ""
        cells = [f"{names.of_who(found.who)}, {length}{calm}"]
        for part, _ in PARTS:
            for name in (part, f"{part} between sockets"):
                values = found.also.get(name)
                cells.append((shown(values[0]), (found.anchor,), "") if values else "–")
        cells.append((shown(found.also["instructions"][0]), (found.anchor,), ""))
        rows.append(tuple(cells))
    head = ["lock"]
    for _, title in PARTS:
        head += [title, "between sockets"]
    return Table("Transfers of cache lines for one critical section, by what the lines belong to; the second number of "
                 "each is of those between sockets. The last column is instructions of all processors for one section.",
                 (*head, "instructions"), tuple(rows))


TRANSFERS = Figure(
    "Counts", "Which cache lines would travel",
    "A plugin of the emulator follows which processor had each line of memory last, and counts what would have to go "
    "from one processor to another, for each critical section: 64 processors on 4 sockets, one lock, sections that "
    "write some lines. Fewer is better.",
    "No figure of the papers: they show times on hardware, where these transfers are what costs; an emulator's times "
    "do not show them, its instructions and addresses do. Caches are as large as memory here. Counted once, not timed.",
    cited=(
        Cited("exchange", "minimizes the movement of shared data", "exchange paper, section 6.1"),
        Cited("delegation", "the helper keeps most data in its private cache", "delegation paper, section 5.2"),
        Cited("MCS", "alternates between the cores", "delegation paper, section 5.2"),
    ),
    claims=(
        Claim("With exchange the data of a section travel less than with dispatch.", less("exchange", "dispatch")),
        Claim("With exchange they travel less than with an MCS lock.", less("exchange", "mcs")),
        Claim("With exchange they travel less than with the cohort lock.", less("exchange", "cohort")),
        Claim("With delegation (qd) they travel less than with an MCS lock.", less("qd", "mcs")),
        Claim("With exchange a task's own data travel more than with inline, as tasks move in their place.", (
            ("QEMU, 64 on 4 sockets", Compare(counted("inline", "own"), counted("exchange", "own"), "lines", BELOW,
                                              ("inline", "exchange"), "transfers")),)),
    ),
    tables=(transfers,),
)

PAPER = Paper(
    "locality", "Locality, counted",
    "Heddle's own measurement, on what the exchange and the delegation paper argue from.",
    "",
    (TRANSFERS,),
)
