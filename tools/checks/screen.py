"""What the kernel shows on the screen, read back from its pixels."""

import os
import re
import tempfile
import time

from harness import emulator, monitor, process

from .case import Group, failed, verdict
from .kernel import RELEASE

WORDS = ["run=switch,tasks=2,rounds=1000000000000"]
WAITS_FOR = "run=switch,tasks=2"  # the last line of the log is the program's start
CELL_WIDTH, CELL_HEIGHT, MARGIN, GLYPH_COLUMNS = 8, 16, 1, 5  # framebuffer.c


def glyphs():
    """The characters of arch/bare/font.c by their shape."""
    with open("arch/bare/font.c", encoding="utf-8") as file:
        shapes = re.findall(r"\{((?:0x[0-9a-f]{2}(?:, )?){5})\}", file.read())
    return {bytes(int(value, 16) for value in shape.split(", ")): chr(ord(" ") + n) for n, shape in enumerate(shapes)}


def cell(pixels, width, column, row):
    """The shape in a cell: a byte for each column of the glyph, the top row in the lowest bit."""
    shape = []
    for x in range(GLYPH_COLUMNS):
        byte = 0
        for y in range(8):
            line = row * CELL_HEIGHT + y * CELL_HEIGHT // 8
            byte |= (pixels[3 * (line * width + column * CELL_WIDTH + MARGIN + x)] > 127) << y
        shape.append(byte)
    return bytes(shape)


def pixels(place):
    """The lines on a screen of pixels."""
    path = place + ".ppm"
    monitor.ask(place, f"screendump {path}")
    with open(path, "rb") as file:
        kind, size, _, data = file.read().split(b"\n", 3)
    assert kind == b"P6", f"screendump wrote {kind!r}"
    width, height = (int(value) for value in size.split())
    known = glyphs()
    return [
        "".join(known.get(cell(data, width, column, row), "?") for column in range(width // CELL_WIDTH)).rstrip()
        for row in range(height // CELL_HEIGHT)
    ]


def shows(firmware, card):
    """The screen shows the log as it came over the serial line."""
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "monitor")
        machine = emulator.Machine(
            processors="2", memory="256M", firmware=firmware, kernel=RELEASE, words=WORDS,
            model="max,-monitor,-nx",  # so that something is logged before the screen exists
            extra=["-vga", card, *monitor.options(place)],
        )
        screen = []

        def look(line):
            if WAITS_FOR in line:
                time.sleep(1)
                screen.extend(pixels(place))
                return True
            return False

        outcome = process.follow(emulator.command(machine), 60, look)
    wanted = [line for line in outcome.lines if re.match(r"\[ *\d+\.\d+ p\d+\]", line)]
    if not wanted or not screen:
        return [failed(firmware, ["the machine did not come so far:", *outcome.lines])]
    text = "".join(screen)  # a long line continues in the next row
    missing = [line for line in wanted if line not in text]
    if not missing:
        return [verdict(firmware, [])]
    return [failed(firmware, ["these lines are not on the screen:", *missing, "but these are:", *filter(None, screen)])]


SCREENS = (("bios", "std"), ("bios", "cirrus"), ("bios", "virtio"), ("uefi", "std"))


def groups():
    return [
        Group(f"screen: the log, {firmware}, {card}", lambda firmware=firmware, card=card: shows(firmware, card))
        for firmware, card in SCREENS
    ]
