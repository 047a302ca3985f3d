"""The log in memory: after a reset the next run prints the previous run's log, to the last line."""

import os
import re
import tempfile
import time

from harness import emulator, explain, monitor, parallel

from .case import Group, verdict
from .kernel import RELEASE
from .screen_results import Screen

SHOW = "run=previous_log"
PANICS = "run=misbehave,how=panic"
COMPUTES = "run=mandelbrot,size=3000,limit=50000"
NOT_FOUND = "no log of that run was found in memory"
KEPT = "the log of the run before is kept"
PRINTED = "that was the log of run 1"
PREFIX = "> "
EARLY = "[   0.0"
BACK_TRACE = r"  0x[0-9a-f]{16} "
TIMEOUT = 180
PATIENCE = 30  # seconds for a machine that reports a panic to reach its end

# What runs, the line after which the reset button is pressed (if it is), and how the first run ended.
PANIC = ([PANICS], "back trace", "it ended by a panic")
HANG = ([COMPUTES], f"{COMPUTES} starts", "it broke off")
AGAIN = (["end=reboot"], None, "it ended well")

CASES = [
    ("panic, uefi", {"firmware": "uefi", "memory": "256M"}, PANIC),  # the slowest comes first
    ("panic, bios, 64 MiB", {"firmware": "bios", "memory": "64M"}, PANIC),
    ("panic, direct", {"firmware": "direct", "memory": "4G"}, PANIC),
    ("broken off, direct", {"firmware": "direct", "memory": "256M"}, HANG),
    ("end=reboot, by the firmware's register", {"firmware": "direct", "memory": "64M"}, AGAIN),
    ("end=reboot, by a triple fault", {"firmware": "direct", "memory": "64M", "board": "isapc"}, AGAIN),
]


def differences(lines, ending):
    """Sentences on how the second run printed the first one's log."""
    begin = next((number for number, line in enumerate(lines) if line.startswith(EARLY)), len(lines))
    kept = next((number for number, line in enumerate(lines) if KEPT in line), None)
    if kept is None:
        return ["the second run found no log:", *[f"    {line}" for line in lines[-20:]]]
    first, second = [line for line in lines[begin:kept] if line], lines[kept:]  # an empty one comes before a panic
    printed = [line[len(PREFIX):] for line in second if line.startswith(PREFIX)]
    wrong = [] if f"({len(printed)} lines, {ending})" in second[0] else [f"there are {len(printed)}: {second[0]}"]
    wanted = ((NOT_FOUND, first), (f"the log of run 1, {ending}:", second))
    wrong += [f"it did not say \"{words}\"" for words, where in wanted if not any(words in line for line in where)]
    if printed != first[: len(printed)]:
        wrong += ["it printed something else than was said:", *printed]
    # Then follows the output of firmware and boot loader, and the second run's until it finds a log.
    lost = [line for line in first[len(printed):] if re.match(BACK_TRACE, line)]
    return wrong + [f"a line is lost: {line}" for line in lost]


def wait_for_end(place):
    """Until the only processor halts, after it has reported its panic."""
    deadline = time.monotonic() + PATIENCE
    while "HLT=1" not in monitor.ask(place, "info registers") and time.monotonic() < deadline:
        time.sleep(0.1)


def case(name, options, plan):
    words, button_after, ending = plan
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "monitor")
        machine = emulator.Machine(
            processors="1", kernel=RELEASE, words=[SHOW, *words], exit_device=False, restarts=True,
            extra=monitor.options(place), **options,
        )
        pressed = []

        def look(line):
            if button_after and not pressed and button_after in line:
                pressed.append(line)
                if plan is PANIC:
                    wait_for_end(place)
                monitor.ask(place, "system_reset")
            return line == PRINTED

        outcome = emulator.follow(emulator.command(machine), TIMEOUT, look)
    return verdict(name, differences(list(outcome.lines), ending))


def on_screen(name):
    """No serial line is read, and the run only shows the log: it is on a page of the screen."""
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "monitor")
        machine = emulator.Machine(
            processors="1", memory="64M", kernel=RELEASE, words=["end=halt", SHOW], exit_device=False,
            restarts=True, extra=["-vga", "std", *monitor.options(place)],
        )
        ends, page = [], []

        def look(line):
            if line.startswith("[") and explain.THE_END in line:
                ends.append(line)
                if len(ends) == 1:
                    monitor.ask(place, "system_reset")
                else:
                    screen = Screen(place)
                    screen.wait_for(1)
                    screen.press("spc")
                    page.extend(screen.wait_for(2, still=True)[1])
            return bool(page)

        outcome = emulator.follow(emulator.command(machine), TIMEOUT, look)
    printed = [line[len(PREFIX):] for line in outcome.lines if line.startswith(PREFIX)]
    shown = printed and page[: len(printed)] == printed and not any(page[len(printed):-1])
    return verdict(name, [] if shown else ["the second page has:", *page, "printed was:", *printed])


def survives():
    calls = [lambda chosen=chosen: case(*chosen) for chosen in CASES]
    return parallel.results([*calls, lambda: on_screen("pages on the screen, bios")])


def groups():
    return [Group("end: the log of the run before", survives)]
