"""The instructions that a run of the kernel executes between its marks, counted by a plug-in for QEMU (count.c)."""

import functools
import os
from collections import Counter

from harness import emulator, emulator_plugin, explain, image, results

FOLDER = "build/instructions"
SOURCES = [f"tools/measure/instructions/{name}.c" for name in ("count", "parts", "gaps")]
POLICIES = ("local", "global")
# Long quanta and chains: only the operation itself switches.
WORDS = ["quantum=1000000000", "chain=1000000", "run=operations"]
BEGIN, END = "marks_begin", "marks_end"


@functools.cache
def build():
    """The path of the plug-in, built once."""
    return emulator_plugin.build(SOURCES[0], FOLDER, *SOURCES[1:])


def plugin(folder, name, marks):
    """(the emulator's option for the plug-in with these marks, each "KIND ADDRESS"; the file that the plug-in will
    write)"""
    os.makedirs(folder, exist_ok=True)
    given, output = (os.path.join(folder, f"{name}.{kind}") for kind in ("marks", "txt"))
    with open(given, "w", encoding="ascii") as file:
        file.writelines(f"{mark}\n" for mark in marks)
    return f"{build()},marks={given},output={output}", output


def run(kernel, words, marks, processors=1, accelerator="tcg,thread=single", timeout=120.0, name="counts"):
    """(a Counter of instructions by function for each part between the marks, the results) of a run;
    emulator.EmulatorFailure if it fails."""
    image.check_kernel(kernel)
    symbols = emulator_plugin.Symbols(kernel)
    places = [f"{kind} {symbols.address(mark):x}" for kind, mark in zip(("begin", "end"), marks)]
    option, output = plugin(FOLDER, name, places)
    machine = emulator.Machine(
        processors=str(processors), memory="512M", firmware="direct", kernel=kernel, accelerator=accelerator,
        words=words, extra=["-plugin", option],
    )
    outcome = emulator.follow(emulator.command(machine), timeout)
    sentences = explain.explain_emulator(outcome) + explain.wrong_results(outcome, processors)
    if sentences:
        raise emulator.EmulatorFailure("\n".join(["the run failed:", *sentences]))
    return read(output, symbols), results.good(outcome.lines)


def read(path, symbols):
    """Parse what the plug-in wrote, part by part."""
    parts = []
    with open(path, encoding="ascii") as file:
        for line in file:
            _, number, address, count = line.split()
            while len(parts) < int(number):
                parts.append(Counter())
            parts[-1][symbols.name(int(address, 16))] += int(count)
    return parts


def operations(kernel, policy, timeout=120.0, name="counts"):
    """The instructions of each basic operation on one processor, by function: {operation: {function: number}}."""
    parts, found = run(kernel, [f"sched={policy}", *WORDS], (BEGIN, END), timeout=timeout, name=name)
    if len(parts) != len(found):
        raise emulator.EmulatorFailure(f"{len(parts)} operations were counted, but {len(found)} have a result")
    return {
        result["variant"]: {function: count / result["operations"] for function, count in part.items()}
        for part, result in zip(parts, found)
    }


def totals(kernel, timeout=120.0, name="counts"):
    """The instructions of each operation with each policy: {operation: (local, global)}, with one decimal."""
    counted = [operations(kernel, policy, timeout, name) for policy in POLICIES]
    return {
        operation: tuple(round(sum(by_policy[operation].values()), 1) for by_policy in counted)
        for operation in counted[0]
    }
