"""How a bare machine ends: by a hardware fault, and after its run."""

import os
import re
import tempfile
import time

from harness import emulator, explain, monitor, process

from .case import Group, verdict
from .kernel import RELEASE

# Bank 4 reports an uncorrected error of the memory controller.
MACHINE_CHECK = "mce 0 4 0xbe00000000800092 0x5 0x1234000 0x8c"
COMPUTES = "run=mandelbrot,size=3000,limit=50000"  # almost always in the task's own code
SAID = (
    r"^panic: machine check", r"^processor 0 .*running task", r"machine check status 0x5: .*could go on",
    r"^hardware error, processor 0, bank 4: uncorrected, .*memory controller, read, channel 2; "
    r"status 0xbe00000000800092, address 0x1234000, further information 0x8c", r"^back trace",
)
QUIET_SECONDS = 4


def hardware_error():
    """The machine stops and prints everything that its registers report; no task is blamed."""
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "monitor")
        machine = emulator.Machine(
            processors="2", memory="256M", firmware="direct", kernel=RELEASE, words=[COMPUTES],
            extra=monitor.options(place),
        )

        def look(line):
            if line.endswith(f"{COMPUTES} starts"):
                time.sleep(0.5)
                monitor.ask(place, MACHINE_CHECK)

        outcome = emulator.follow(emulator.command(machine), 60, look)
    lines = list(outcome.lines)
    sentences = [f"no line matches \"{pattern}\"" for pattern in SAID
                 if not any(re.search(pattern, line) for line in lines)]
    if outcome.status != emulator.EXIT_PANIC:
        sentences.append(f"it ended with status {outcome.status} instead of {emulator.EXIT_PANIC}")
    if any(" ends: " in line for line in lines):
        sentences.append("a task was blamed")
    return [verdict("machine check in a task", [*sentences, "it printed:", *lines] if sentences else [])]


def quiet():
    """Nothing follows the last line: no watchdog of a processor that still runs."""
    machine = emulator.Machine(
        processors="4", memory="256M", firmware="direct", kernel=RELEASE, exit_device=False,
        words=["end=halt", "watchdog=1", "run=switch,rounds=100"],
    )
    since_end = []

    def look(line):
        if since_end or explain.THE_END in line:
            since_end.append(line)
        return False

    outcome = process.follow(
        emulator.command(machine), 60, look, on_silence=lambda seconds: bool(since_end), silence=QUIET_SECONDS
    )
    if not since_end:
        return [verdict("quiet", ["it did not come to its end:", *explain.last_lines(outcome)])]
    return [verdict("quiet", ["after its end it said:", *since_end[1:]] if since_end[1:] else [])]


# How machines of these boards restart, depending on what they have for it.
RESETS = {
    "q35": "by the register that the firmware names", "microvm": "by the register that the firmware names",
    "pc": "by the register of the chipset", "isapc": "by a fault that cannot be handled",
}
NO_WAY_OFF = "no way to switch this machine off"


def ended(board, *words):
    """The end of a machine that succeeds and has no exit device; QEMU also ends when it is reset."""
    machine = emulator.Machine(
        processors="1", memory="128M", firmware="direct", kernel=RELEASE, exit_device=False, board=board,
        words=[*words, "run=switch,rounds=100"],
    )
    return emulator.follow(emulator.command(machine), 60)


def resets():
    cases = []
    for board, means in RESETS.items():
        outcome = ended(board, "log=debug", "end=reboot")
        last = [line for line in outcome.lines if "reset: " in line][-1:]
        wrong = [] if outcome.status == emulator.EXIT_RESET and last and means in last[0] else [
            f"it was not reset {means} (exit code {outcome.status}):", *explain.last_lines(outcome)]
        cases.append(verdict(board, wrong))
    return cases


def power_off():
    """Through the firmware's ports, and through the registers of a machine without them."""
    cases = []
    for board in ("q35", "pc", "microvm"):
        outcome = ended(board)
        wrong = outcome.timed_out or any(NO_WAY_OFF in line for line in outcome.lines)
        cases.append(verdict(board, ["it stayed on:", *explain.last_lines(outcome)] if wrong else []))
    return cases


def groups():
    return [
        Group("end: machine check", hardware_error),
        Group("end: quiet afterwards", quiet),
        Group("end: start again", resets),
        Group("end: power off", power_off),
    ]
