"""The results on the screen of a machine whose run has ended: the pages turn by keys and by themselves; they are read
back from the pixels, and by tools/results from the codes."""

import functools
import os
import re
import subprocess
import sys
import tempfile
import time
import zlib

from harness import emulator, explain, image, json_lines, monitor, process, result_codes, results

from .case import Group, run_functions, verdict
from .kernel import RELEASE
from .ports import PACKAGES, need_sources
from .screen import pixels

# More than fits in one code.
PROGRAMS = ["switch", "yield", "pingpong", "tokenring", "create"]
WORDS = ["end=halt", *(f"run={name},rounds={number}" for number in range(1, 9) for name in PROGRAMS)]
FOOTER = re.compile(r"page (\d+) of (\d+)\.")
PATIENCE = 20  # seconds for a page to come; it turns by itself after 8
PAGES_MOST = 20
TEXT_ROWS, TEXT_COLUMNS = 25, 80


class Screen:
    """The screen of a machine that has ended its run."""

    def __init__(self, place):
        self.place = place

    def lines(self):
        return pixels(self.place)

    def read(self):
        """(page, pages, lines); no page while the screen is drawn."""
        lines = self.lines()
        found = FOOTER.match(lines[-1])
        return (int(found[1]), int(found[2]), lines) if found else (0, 0, lines)

    def wait_for(self, page, still=False):
        """The lines of a page, once it is shown; `still`: once it does not change any more."""
        deadline, before = time.monotonic() + PATIENCE, None
        while time.monotonic() < deadline:
            now, pages, lines = self.read()
            if now == page and (lines == before or not still):
                return pages, lines
            before = lines
            time.sleep(0.3)
        raise AssertionError(f"page {page} did not come within {PATIENCE} s; the last row: {lines[-1]!r}")

    def press(self, key):
        monitor.ask(self.place, f"sendkey {key}")

    def keep(self, path):
        monitor.ask(self.place, f"screendump {path}")
        return path


class TextScreen(Screen):
    """The same in the BIOS's text mode: each cell is a character and an attribute."""

    def lines(self):
        said = monitor.ask(self.place, f"xp /{TEXT_ROWS * TEXT_COLUMNS}hx 0xb8000")
        cells = [int(word, 16) & 0xFF for word in re.findall(r"0x([0-9a-f]{4})\s", said)]
        text = "".join(chr(cell) for cell in cells)
        return [text[start : start + TEXT_COLUMNS].rstrip() for start in range(0, len(text), TEXT_COLUMNS)]


def turn_over(screen, folder):
    """All pages once, by keys: their lines, and pictures of them."""
    pages, lines = screen.wait_for(1)
    assert pages <= PAGES_MOST, f"there are {pages} pages"
    texts, pictures = [lines], []
    for page in range(2, pages + 1):
        screen.press("spc")
        texts.append(screen.wait_for(page, still=True)[1])
        pictures.append(screen.keep(os.path.join(folder, f"{page}.ppm")))
    screen.press("backspace")
    screen.wait_for(pages - 1)
    screen.press("ret")
    screen.wait_for(pages)
    screen.press("right")
    screen.wait_for(1)
    return texts, pictures


def end_of_run(firmware, words, look_at, text=False):
    """Boot, on a text screen if asked for and if the firmware has one, and call `look_at(screen)` after the run: (its
    result, the lines of the serial line)."""
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "monitor")
        machine = emulator.Machine(
            processors="2", memory="64M" if firmware == "bios" else "256M", firmware=firmware, kernel=RELEASE,
            words=words, exit_device=False, extra=["-vga", "std", *monitor.options(place)],
        )
        if text:
            machine.image = image.make(RELEASE, [image.Entry("Heddle", words, text=True)], 0, f"{folder}/heddle.iso")
        seen = []

        def look(line):
            if explain.THE_END in line:
                seen.append(look_at((TextScreen if text and firmware == "bios" else Screen)(place)))
            return bool(seen)

        outcome = process.follow(emulator.command(machine), 100, look)
    if not seen:
        raise AssertionError("\n".join(["the run did not come to its end:", *list(outcome.lines)[-10:]]))
    return seen[0], list(outcome.lines)


def scan(pictures, folder):
    """What tools/results does with the pictures: (status, all output)."""
    done = subprocess.run(
        ["tools/results", "scan", "--results", folder, *pictures], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=False, timeout=60,
    )
    return done.returncode, done.stdout


def written(folder):
    """The lines of the one result file in a folder."""
    names = os.listdir(folder)
    assert len(names) == 1, f"there are {len(names)} result files"
    return json_lines.read(os.path.join(folder, names[0]), lambda value: True)[0]


def not_in_table(found, texts):
    """The results for which no row has benchmark, variant and figure."""
    rows = [" ".join(line.split()) for text in texts for line in text]
    missing = []
    for line in found:
        result = results.parse(line)
        figure = re.search(r'"ns_per_operation":([0-9.]+)', line)[1]
        wanted = f"{result['benchmark']} {result['variant']} {result['processors']} {figure} ok"
        if not any(wanted in row for row in rows):
            missing.append(wanted)
    return missing


def codes_are_results(pictures, found, machine):
    """What is wrong with the contents of the codes."""
    with tempfile.TemporaryDirectory() as folder:
        status, said = scan(pictures, folder)
        if status != 0:
            return [f"tools/results ended with status {status}:", *said.splitlines()]
        lines = written(folder)
        again, said = scan(pictures, folder)
    heads = "run" in lines[0] and lines[1] == {"machine": machine}
    wrong = [] if heads else ["the first two lines are not as they were"]
    if lines[2:] != [results.parse(line) for line in found]:
        wrong.append(f"the codes hold {len(lines) - 2} results, which are not the {len(found)} of the serial line")
    if again != 1 or "was scanned already" not in said:
        wrong += ["it was scanned twice:", *said.splitlines()]
    return wrong


def shows(firmware):
    """Each result is in the table and in the codes; and tools/results reports missing pictures. UEFI has no text
    screen: asking for one must give the other."""
    need_sources((*PACKAGES, "qrencode"))
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as empty:
        (texts, pictures), lines = end_of_run(
            firmware, WORDS, lambda screen: turn_over(screen, folder), text=firmware == "uefi"
        )
        found = [line for line in lines if results.is_result(line)]
        machine = next(filter(None, map(results.machine, lines)), None)
        codes = [picture for picture, text in zip(pictures, texts[1:]) if text[0].startswith("Part ")]
        cases = [
            verdict("the log is the first page", [] if any(explain.THE_END in line for line in texts[0]) else texts[0]),
            verdict("each result is in the table", not_in_table(found, texts)),
            verdict("more than one code", [] if len(codes) > 1 else [f"there are {len(codes)}"]),
            verdict("the codes are the results", codes_are_results(pictures, found, machine)),
        ]
        for name, wanted, chosen in (("a part is missing", "missing: 1;", codes[1:]),
                                     ("no code", "there is no code", pictures[:1])):
            status, said = scan(chosen, empty)
            right = status == 1 and wanted in said and not os.listdir(empty)
            cases.append(verdict(name, [] if right else [f"status {status}:", *said.splitlines()]))
    return cases


def turns_by_itself():
    """No key is pressed, and a run failed: the machine stays on. The screen is a text screen, and shows no codes."""
    words = ["run=switch,rounds=10", "run=test,only=9999"]
    (pages, lines), said = end_of_run("bios", words, lambda screen: screen.wait_for(2, still=True), text=True)
    found = [line for line in said if results.is_result(line)]
    right = pages == 2 and lines[0] == "1 result" and "too coarse" in lines[-2] and found
    return [verdict("the second page", not_in_table(found, [lines]) if right else lines)]


def text_of(part, parts, data, checksum=1):
    return f"HEDDLE/{part}/{parts}/{checksum}/{data}"


def complaint(*texts):
    """Why these texts of codes give no results."""
    try:
        for checksum, (parts, known) in result_codes.runs(texts).items():
            result_codes.unpack(checksum, parts, known)
    except result_codes.CodeFailure as failure:
        return str(failure)
    return "nothing"


def test_base_45_is_decoded_as_the_standard_has_it():
    for text, wanted in (("BB8", b"AB"), ("%69 VD92EX0", b"Hello!!"), ("QED8WEX0", b"ietf!"), ("", b"")):
        assert result_codes.decode(text) == wanted, text


def test_codes_that_are_damaged_are_refused():
    assert "damaged" in complaint(text_of(1, 1, "A"))  # a character is left over
    assert "damaged" in complaint(text_of(1, 1, ":::"))  # more than two bytes
    assert "damaged" in complaint(text_of(1, 1, "a00"))  # no character of base 45
    assert "damaged" in complaint(text_of(1, 1, "BB8"))  # not compressed
    assert "damaged" in complaint(text_of(3, 2, "BB8"))  # a part too many
    assert "damaged" in complaint(text_of(1, 1, "BB8"), text_of(1, 1, "000"))  # twice, with different contents
    assert "checksum is another" in complaint(text_of(1, 1, encode(zlib.compress(b"text")), checksum=2))


def test_missing_parts_are_named():
    assert "of 4 parts, parts are missing: 2, 4" in complaint(text_of(1, 4, "BB8"), text_of(3, 4, "BB8"))


def test_parts_come_in_any_order_and_twice_beside_other_codes():
    data, checksum = encode(zlib.compress(b"one\ntwo\n")), zlib.adler32(b"one\ntwo\n")
    first, second = text_of(1, 2, data[:4], checksum), text_of(2, 2, data[4:], checksum)
    (parts, known), = result_codes.runs(["another code", second, first, second]).values()
    assert result_codes.unpack(str(checksum), parts, known) == ["one", "two"]


def encode(data):
    """Bytes in base 45."""
    text = ""
    for start in range(0, len(data), 2):
        piece = data[start : start + 2]
        value = int.from_bytes(piece, "big")
        text += "".join(result_codes.CHARACTERS[value // 45**place % 45] for place in range(len(piece) + 1))
    return text


def groups():
    return [
        Group("screen: results, bios", functools.partial(shows, "bios")),
        Group("screen: results, uefi", functools.partial(shows, "uefi")),
        Group("screen: results, text, no key", turns_by_itself),
        Group("screen: results, tools/results", lambda: run_functions(sys.modules[__name__])),
    ]
