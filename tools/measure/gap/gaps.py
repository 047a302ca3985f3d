"""How many instructions user code executes between two quantum checks, measured in the kernel."""

import re
import subprocess
from dataclasses import dataclass, field

from harness import emulator, emulator_plugin, explain, image
from measure.instructions import counts

FOLDER = "build/gap"
# Small runs of programs; the last ones are measured if the kernel has them.
RUNS = (
    "run=checks,rounds=1", "run=matrix,size=60,tasks=8", "run=mandelbrot,size=40,tasks=8", "run=eratosthenes,size=500",
    "run=lua,tasks=4,size=2", "run=zlib,tasks=4,size=20k", "run=lz4,tasks=4,size=20k", "run=zstd,tasks=4,size=20k",
    "run=duktape,tasks=4,size=2", "run=sqlite3,tasks=4,size=20",
)

# As objdump prints them: "  200123:	sub    $0x7,%r15w", then "  200128:	jl     200170 <main+0x30>", or `jo`,
# or, in a jump, "  200128:	jno    200100 <main+0x10>".
CHECK = re.compile(r"\s*([0-9a-f]+):\s+subw?\s+\$0x([0-9a-f]+),%r15w$")
SPENT = re.compile(r"\s*[0-9a-f]+:\s+j(?:l|n?o)\s")
# Where the kernel's own code takes another task's stack (arch/x86_64/switch.h, context.asm).
SWITCH = re.compile(r"\s*([0-9a-f]+):\s+mov\s+\(%r[a-z0-9]+\),%rsp$")
REPEAT = re.compile(r"\s*([0-9a-f]+):\s+rep(?:z|nz)?\s")


@dataclass
class End:
    """An instruction that ended gaps: how many, the longest of them, and where that one began."""

    address: int
    check: bool
    gaps: int
    longest: int
    began: int


@dataclass
class Gaps:
    """The result of one run. `sizes`: how many gaps have a length of that many binary digits."""

    instructions: int = 0
    charged: int = 0
    sizes: dict = field(default_factory=dict)
    ends: list = field(default_factory=list)  # the one with the longest gap first
    strings: dict = field(default_factory=dict)  # string instructions executed, by function

    @property
    def longest(self):
        return self.ends[0].longest if self.ends else 0

    @property
    def checks(self):
        return sum(end.gaps for end in self.ends if end.check)


class Kernel:
    """A kernel's file, with the places of its user code and the checks in it."""

    def __init__(self, path):
        image.check_kernel(path)
        self.path = path
        self.symbols = emulator_plugin.Symbols(path)
        self.user = (self.symbols.address("image_text_start"), self.symbols.address("image_user_end"))
        self.charges, self.repeats = {}, []
        lines = self.disassembly(*self.user)
        for line, following in zip(lines, lines[1:]):
            check, repeat = CHECK.match(line), REPEAT.match(line)
            if check and SPENT.match(following):
                self.charges[int(check[1], 16)] = int(check[2], 16)
            elif repeat:
                self.repeats.append(int(repeat[1], 16))
        own = self.disassembly(self.user[1], self.symbols.address("image_text_end"))
        self.switches = [int(found[1], 16) for line in own if (found := SWITCH.match(line))]

    def disassembly(self, start, stop):
        command = [
            "objdump", "-d", "--no-show-raw-insn", f"--start-address=0x{start:x}", f"--stop-address=0x{stop:x}",
            self.path,
        ]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()

    def has_program(self, name):
        return f"program_{name}" in self.symbols.by_name


def runs(kernel):
    """Those of RUNS that the kernel has."""
    return [words for words in RUNS if kernel.has_program(re.match("run=([a-z0-9_]+)", words)[1])]


def bound(path):
    """The bound between two checks, in instructions, from an image's notes; None if it has no notes."""
    command = ["tools/plugin/notes", "--show", path]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"^bound: ([0-9]+)$", said, re.MULTILINE)
    return int(found[1]) if found and int(found[1]) else None


def measure(kernel, words, timeout=120.0, name="gap"):
    """(Gaps, result lines) of one run on one processor; emulator.EmulatorFailure if it fails."""
    kinds = [(kind, [address]) for kind, address in zip(("user", "user_end"), kernel.user)]
    kinds += [("check", kernel.charges), ("repeat", kernel.repeats), ("switch", kernel.switches)]
    marks = [f"{kind} {address:x}" for kind, addresses in kinds for address in addresses]
    option, output = counts.plugin(FOLDER, name, marks)
    machine = emulator.Machine(
        processors="1", memory="512M", firmware="direct", kernel=kernel.path, accelerator="tcg,thread=single",
        words=words, extra=["-plugin", option],
    )
    outcome = emulator.follow(emulator.command(machine), timeout)
    sentences = explain.explain_emulator(outcome)
    if sentences:
        raise emulator.EmulatorFailure("\n".join(["the run failed:", *sentences]))
    return read(kernel, output), list(outcome.lines)


def read(kernel, path):
    """Parse what the plug-in wrote."""
    gaps = Gaps()
    with open(path, encoding="ascii") as file:
        for line in file:
            kind, *values = line.split()
            if kind == "instructions":
                gaps.instructions = int(values[0])
            elif kind == "size":
                gaps.sizes[int(values[0])] = int(values[1])
            elif kind == "string":
                name = kernel.symbols.name(int(values[0], 16))
                gaps.strings[name] = gaps.strings.get(name, 0) + int(values[1])
            else:
                address, ended_by, count, longest, began = values
                end = End(int(address, 16), ended_by == "check", int(count), int(longest), int(began, 16))
                gaps.ends.append(end)
                gaps.charged += kernel.charges.get(end.address, 0) * end.gaps
    gaps.ends.sort(key=lambda end: -end.longest)
    return gaps


def describe(kernel, end):
    """Describe a gap: its length, its beginning and its end."""
    symbols = kernel.symbols
    began = f"from {symbols.place(end.began)}" if end.began else "from the start"
    here = f"{symbols.place(end.address)}{'' if end.check else ' (no check)'}"
    return f"{end.longest} instructions {began} to {here}, the longest of {end.gaps:,} that ended there"
