"""The devices of machines that are not like QEMU's usual one: the place of the serial line, devices that may write to
memory."""

import os
import re
import struct
import tempfile

from harness import emulator, explain, monitor, process

from .case import Group, verdict
from .kernel import PROOF, RELEASE

FIRST, SECOND, FOURTH = 0x3F8, 0x2F8, 0x2E8
PORT_SPACE, RATE_115200 = 1, 7
EARLY = "cannot forbid the execution of data"  # logged before any device except COM1 is looked for, with NO_EXECUTE off
NO_EXECUTE_OFF = "max,-monitor,-nx"

# In the configuration space of QEMU's disk controller, which its firmware has used: 00:1f.2, the command word.
DISK_COMMAND = 0x8000FA04
BUS_MASTER = 4


def firmware_table(signature, revision, content):
    """A table of the firmware with its header and checksum."""
    length = 36 + len(content)
    header = struct.pack("<4sIBB6s8sI4sI", signature, length, revision, 0, b"HEDDLE", b"TESTTEST", 1, b"TEST", 1)
    table = bytearray(header + content)
    table[9] = -sum(table) % 256
    return bytes(table)


def serial_table(port):
    """SPCR: the firmware's serial line is a 16550 at this port."""
    address = struct.pack("<BBBBQ", PORT_SPACE, 8, 0, 1, port)
    content = struct.pack("<B3x", 0) + address + struct.pack("<BBIBBBBB", 0, 0, 0, RATE_115200, 0, 1, 0, 0)
    return firmware_table(b"SPCR", 2, content + bytes(80 - 36 - len(content)))


def at(port, number, character_device):
    return ["-device", f"isa-serial,iobase={port:#x},irq={4 - number % 2},index={number},chardev={character_device}"]


OUTPUT, NOWHERE = ["-chardev", "stdio,id=out"], ["-chardev", "null,id=null"]
# The serial lines of the machine, words, whether a table names the second port.
LINES = {
    "at the second port": (OUTPUT + at(SECOND, 1, "out"), [], False),
    "at the fourth port": (OUTPUT + at(FOURTH, 3, "out"), [], False),
    "on PCI": (OUTPUT + ["-device", "pci-serial,chardev=out"], [], False),
    "where a table of the firmware says": (
        OUTPUT + NOWHERE + at(FIRST, 0, "null") + at(SECOND, 1, "out"), [], True),
    "as the command line says": (
        OUTPUT + NOWHERE + at(FIRST, 0, "null") + at(SECOND, 1, "out"), ["serial=com2,57600"], False),
    "on PCI, as the command line says": (
        OUTPUT + NOWHERE + at(FIRST, 0, "null") + ["-device", "pci-serial,chardev=out"], ["serial=pci"], False),
    "at a port of the command line": (
        OUTPUT + NOWHERE + at(FIRST, 0, "null") + at(FOURTH, 3, "out"), ["serial=0x2e8"], False),
}


def machine(words, extra):
    """The command for a machine without the usual serial line."""
    made = emulator.Machine(
        processors="2", memory="256M", firmware="direct", kernel=RELEASE, words=[*words, PROOF], model=NO_EXECUTE_OFF,
        console=["-serial", "none"], extra=extra,
    )
    return emulator.command(made)


def line(name):
    """Everything that is logged from the start on, and the result, come out of the serial line."""
    devices, words, named = LINES[name]
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "table")
        with open(table, "wb") as file:
            file.write(serial_table(SECOND))
        outcome = process.follow(machine(words, devices + (["-acpitable", f"file={table}"] if named else [])), 60)
    sentences = explain.explain_emulator(outcome) or explain.wrong_results(outcome, 2)
    if not any(EARLY in line for line in outcome.lines):
        sentences += ["the first lines are missing:", *explain.last_lines(outcome, 40)]
    return verdict(name, sentences)


def none():
    """Without a serial line, or with none wanted, the machine works silently."""
    cases = []
    for name, words, devices in (("there is none", [], []),
                                 ("none is wanted", ["serial=off", "log=warning"], OUTPUT + at(FIRST, 0, "out"))):
        outcome = process.follow(machine(words, devices), 60)
        sentences = explain.explain_emulator(outcome)
        if any("benchmark" in line for line in outcome.lines):
            sentences.append("a result was printed")
        cases.append(verdict(name, sentences))
    return cases


def lines():
    return [line(name) for name in LINES] + none()


def masters():
    """Devices that firmware has started no longer write to memory: here the disk controller."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "monitor")

        def look(text):
            if "run=switch" not in text:
                return False
            monitor.ask(place, f"o /w 0xcf8 {DISK_COMMAND:#x}")
            found.extend(re.findall(r"= (0x[0-9a-f]+)", monitor.ask(place, "i /h 0xcfc")))
            return True

        made = emulator.Machine(
            processors="1", memory="256M", firmware="direct", kernel=RELEASE,
            words=["run=switch,tasks=2,rounds=1000000000000"], extra=monitor.options(place),
        )
        outcome = process.follow(emulator.command(made), 60, look)
    if not found:
        return [verdict("masters", ["the machine did not come so far:", *explain.last_lines(outcome)])]
    wrong = [f"the command word is {found[0]}"] if int(found[0], 16) & BUS_MASTER else []
    if not any("may no longer write to memory" in text for text in outcome.lines):
        wrong.append("it was not logged")
    return [verdict("the disk controller", wrong)]


EFI_MAP, FREE_MEMORY, SPECIFIC_PURPOSE = 17, 7, 0x40000
SPECIFIC = struct.pack("<IIIIQQQQ", 40, 1, FREE_MEMORY, 0, 128 << 20, 0, (32 << 20) // 4096, SPECIFIC_PURPOSE)


def boot_with(tags):
    made = emulator.Machine(
        processors="1", memory="256M", firmware=emulator.OWN_LOADER, kernel=RELEASE, words=[PROOF], tags=tags,
    )
    return process.follow(emulator.command(made), 60)


def purpose():
    """Memory that firmware has set aside is not ordinary memory."""
    ordinary, outcome = boot_with([]), boot_with([(EFI_MAP, SPECIFIC)])
    sentences = explain.explain_emulator(ordinary) or explain.explain_emulator(outcome)
    said = "32 MiB of memory are set aside"
    if not any(said in text for text in outcome.lines):
        sentences += [f"no line says \"{said}\":", *explain.last_lines(outcome)]
    if abs(explain.memory(ordinary) - explain.memory(outcome) - 32) > 1:  # both are rounded
        sentences.append(f"{explain.memory(outcome)} MiB are left of {explain.memory(ordinary)}, not 32 less")
    return [verdict("memory for a purpose", sentences)]


def groups():
    return [
        Group("devices: serial lines", lines),
        Group("devices: what may write to memory", masters),
        Group("devices: memory for a purpose", purpose),
    ]
