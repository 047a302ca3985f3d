"""Runs the kernel under a plug-in for QEMU that follows its cache lines (coherence.c), and reads what it found."""

import functools
import os
import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field

from harness import emulator, emulator_plugin, explain, image, results, settings

FOLDER = "build/coherence"
SOURCES = ["tools/measure/coherence/coherence.c", "tools/measure/coherence/lines.c", "tools/measure/coherence/turns.c"]
REGIONS = ("lock", "data", "own", "rest")
FIELDS = (
    "reads", "writes", "transfers", "transfers_between_sockets", "invalidations", "invalidations_between_sockets",
)
TURN = 100  # instructions
# As objdump prints them: with the lock prefix, or an exchange with memory, which needs none.
ATOMIC = re.compile(r"\s*([0-9a-f]+):\s+(?:lock\s|xchg\s.*\()")
# The clock runs while other processors have their turns. So a time limit of the kernel, such as for looking for work
# before it halts, would be over at once; it is longer here.
WORDS = ("linger=200000000",)


@dataclass
class Machine:
    """The machine on which a run is followed."""

    kernel: str = "build/kernel/heddle.elf"
    processors: int = 64
    sockets: int = 4
    memory: str = "512M"
    turn: int = TURN
    timeout: float = 300.0


@dataclass
class Found:
    """What the plug-in counted between the marks: {region: {field: number}}; the instructions that all processors
    executed there, and those that a processor would have executed that never halted (`elapsed`). `turns` in all;
    `taken`: those that were not waited for. `command`: of QEMU."""

    regions: dict = field(default_factory=dict)
    instructions: int = 0
    elapsed: int = 0
    turns: int = 0
    taken: int = 0
    functions: dict = field(default_factory=dict)  # {region: Counter of the lines that functions moved}
    result: dict = field(default_factory=dict)
    command: list = field(default_factory=list)

    def total(self, name):
        return sum(region[name] for region in self.regions.values())


@functools.cache
def build():
    """The path of the plug-in, built once."""
    return emulator_plugin.build(SOURCES[0], FOLDER, *SOURCES[1:])


@functools.cache
def atomics(kernel):
    """The path of a file with the addresses of the atomic instructions. It depends on QEMU's version whether it
    reports one as one access, or as a read and a write."""
    os.makedirs(FOLDER, exist_ok=True)
    path = os.path.join(FOLDER, f"atomics-{kernel.replace('/', '-')}.txt")
    lines = subprocess.run(["objdump", "-d", "--no-show-raw-insn", kernel], capture_output=True, text=True, check=True)
    with emulator_plugin.named_when_whole(path) as unnamed, open(unnamed, "w", encoding="ascii") as file:
        file.writelines(f"{found[1]}\n" for found in map(ATOMIC.match, lines.stdout.splitlines()) if found)
    return path


def options(machine, symbols, output):
    """The plug-in's option, with its arguments."""
    values = {
        "begin": f"0x{symbols.address('marks_begin'):x}", "end": f"0x{symbols.address('marks_end'):x}",
        "memory": settings.mebibytes(machine.memory) << 20, "processors": machine.processors,
        "sockets": machine.sockets, "turn": machine.turn, "atomics": atomics(machine.kernel),
        "output": output,
    }
    for region in ("lock", "data", "own"):
        begin, end = symbols.extent(f"marks_{region}")
        values[region] = f"0x{begin:x}-0x{end:x}"
    return ",".join([build(), *(f"{name}={value}" for name, value in values.items())])


def run(machine, words, name="found"):
    """The Found of a run with these words; emulator.EmulatorFailure if it fails or nothing was followed."""
    if not 1 <= machine.processors <= 64 or machine.sockets < 1 or machine.processors % machine.sockets:
        raise emulator.EmulatorFailure(
            f"{machine.processors} processors on {machine.sockets} sockets cannot be followed: "
            "there are at most 64, as many on each socket")
    image.check_kernel(machine.kernel)
    symbols = emulator_plugin.Symbols(machine.kernel)
    output = os.path.join(FOLDER, f"{name}.txt")
    command = emulator.command(emulator.Machine(
        processors=str(machine.processors), memory=machine.memory, firmware="direct", nodes=machine.sockets,
        kernel=machine.kernel, accelerator="tcg,thread=multi", words=[*WORDS, *words],
        extra=["-plugin", options(machine, symbols, output)],
    ))
    outcome = emulator.follow(command, machine.timeout)
    sentences = explain.explain_emulator(outcome) + explain.wrong_results(outcome, machine.processors)
    if sentences:
        raise emulator.EmulatorFailure("\n".join([f"{' '.join(words)}: the run failed:", *sentences]))
    found = read(output, symbols)
    found.result, found.command = results.good(outcome.lines)[-1], command
    if found.instructions == 0:
        raise emulator.EmulatorFailure(f"{' '.join(words)}: the program marked no part to be followed")
    return found


def read(path, symbols):
    """Parse what the plug-in wrote."""
    found = Found(functions={region: Counter() for region in REGIONS})
    with open(path, encoding="ascii") as file:
        for line in file:
            kind, *values = line.split()
            if kind == "region":
                found.regions[values[0]] = dict(zip(FIELDS, map(int, values[1:])))
            elif kind == "site":
                found.functions[values[1]][symbols.name(int(values[0], 16))] += int(values[2])
            else:
                setattr(found, kind, int(values[0]))
    return found
