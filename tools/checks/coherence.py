"""Cache lines that move between processors: the plug-in's counts match those calculated by hand."""

import dataclasses
import subprocess

from measure.coherence import follow
from harness import emulator

from .building import make
from .case import Group, failed, verdict

KERNEL = "build/kernel/heddle.elf"
ROUNDS = 50
NAMES = ("transfers", "transfers_between_sockets", "invalidations", "invalidations_between_sockets")
# (pattern of run=lines, processors, sockets): what moves per round, in the order of NAMES.
EXPECTED = {
    ("write", 2, 1): (2, 0, 0, 0),  # one line back and forth
    ("write", 2, 2): (2, 2, 0, 0),
    ("write", 4, 2): (4, 2, 0, 0),  # 0 -> 1 => 2 -> 3 => 0
    ("update", 2, 1): (2, 0, 2, 0),  # the read fetches it, the write invalidates the other's copy
    ("atomic", 2, 2): (2, 2, 0, 0),  # both at once
    ("read", 4, 2): (0, 0, 0, 0),  # no processor writes it any more
    ("own-line", 4, 2): (0, 0, 0, 0),  # no line is shared
    ("own-word", 2, 1): (2, 0, 0, 0),  # false sharing
    ("broadcast", 4, 2): (3, 1, 1, 1),  # read by three, first across sockets; then all are invalidated
}
SECTIONS = "lines=4,inside=20,outside=200,tasks=32,rounds=20"


def objections(pattern, processors, sockets, expected):
    """The differences from what was expected of a pattern."""
    machine = follow.Machine(kernel=KERNEL, processors=processors, sockets=sockets, timeout=60)
    found = follow.run(machine, [f"run=lines,variant={pattern},rounds={ROUNDS}"], name="test-lines")
    moved = tuple(found.regions["data"][name] for name in NAMES)
    wanted = tuple(ROUNDS * number for number in expected)
    return [f"in {ROUNDS} rounds {name}: {was} instead of {should}"
            for name, was, should in zip(NAMES, moved, wanted) if was != should]


def known_patterns():
    cases = []
    for (pattern, processors, sockets), expected in EXPECTED.items():
        name = f"{pattern}, {processors} processors, {sockets} socket{'s' if sockets > 1 else ''}"
        cases.append(verdict(name, objections(pattern, processors, sockets, expected)))
    return cases


def sections():
    """The data of critical sections stay with exchange, and move with dispatch."""
    machine = follow.Machine(kernel=KERNEL, processors=8, sockets=2, timeout=120)
    moved = {}
    for lock in ("exchange", "dispatch"):
        found = follow.run(machine, [f"run=traffic,lock={lock},{SECTIONS}"], name="test-traffic")
        moved[lock] = found.regions["data"]["transfers"] / found.result["followed"]
    right = moved["exchange"] < 1 and moved["dispatch"] > 2
    return [verdict("of 4 lines", [] if right else [
        f"{moved['exchange']:.2f} moved for a section with exchange, and {moved['dispatch']:.2f} with dispatch"])]


def refusals():
    """What cannot be followed is reported."""
    said = []
    for processors, sockets in ((65, 1), (4, 3), (4, 0)):
        try:
            follow.run(dataclasses.replace(follow.Machine(), processors=processors, sockets=sockets), ["run=lines"])
        except emulator.EmulatorFailure as failure:
            if "cannot be followed" not in str(failure):
                said.append(f"{processors} processors, {sockets} sockets: {failure}")
        else:
            said.append(f"{processors} processors on {sockets} sockets were followed")
    return verdict("processors and sockets", said)


def unmarked():
    """A program without marks."""
    try:
        machine = follow.Machine(kernel=KERNEL, processors=2, sockets=1)
        follow.run(machine, ["run=switch,rounds=10"], name="test-unmarked")
    except emulator.EmulatorFailure as failure:
        return verdict("a program without marks", [] if "marked no part" in str(failure) else [str(failure)])
    return failed("a program without marks", ["it was followed"])


def or_why_not(cases):
    """The cases, or one that says why there are none."""
    success, lines = make(KERNEL)
    if not success:
        return [failed("the kernel", lines)]
    try:
        return cases()
    except (emulator.EmulatorFailure, subprocess.CalledProcessError) as failure:
        return [failed("what it needs", str(failure).splitlines())]


def groups():
    return [
        Group("coherence: lines move as worked out by hand", lambda: or_why_not(known_patterns)),
        Group("coherence: the data of a critical section", lambda: or_why_not(sections)),
        Group("coherence: what cannot be followed is said", lambda: or_why_not(lambda: [refusals(), unmarked()])),
    ]
