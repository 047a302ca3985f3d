"""Turns the contents of the codes on a screen (user/result_codes.h) back into result lines."""

import re
import zlib

from . import results

CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
CODE = re.compile(r"HEDDLE/(\d+)/(\d+)/(\d+)/(.*)", re.DOTALL)


class CodeFailure(Exception):
    """The codes do not give results; the text says why and what to do."""


def decode(text):
    """The bytes of a text in base 45. ValueError if it is not base 45."""
    if len(text) % 3 == 1:
        raise ValueError("a character is left over")
    found = bytearray()
    for start in range(0, len(text), 3):
        digits = [CHARACTERS.index(character) for character in text[start : start + 3]]
        value = sum(digit * 45**place for place, digit in enumerate(digits))
        found += value.to_bytes(len(digits) - 1, "big")
    return bytes(found)


def runs(texts):
    """The parts by run: {checksum: (number of parts, {part: data})}. Other codes are left out."""
    found = {}
    for text in texts:
        match = CODE.fullmatch(text)
        if not match:
            continue
        part, parts, checksum, data = int(match[1]), int(match[2]), match[3], match[4]
        known_parts, known = found.setdefault(checksum, (parts, {}))
        if known_parts != parts or not 1 <= part <= parts or known.setdefault(part, data) != data:
            raise CodeFailure(f"run {checksum}: part {part} of {parts} is damaged, or the codes are of two runs")
    return found


def unpack(checksum, parts, known):
    """The result lines of a run, from these parts."""
    missing = [str(part) for part in range(1, parts + 1) if part not in known]
    if missing:
        plural = "s are" if len(missing) > 1 else " is"
        raise CodeFailure(f"run {checksum}: of {parts} parts, part{plural} missing: {', '.join(missing)}; "
                          "give pictures of all parts in one call")
    try:
        text = zlib.decompress(decode("".join(known[part] for part in range(1, parts + 1))))
    except (ValueError, OverflowError, zlib.error) as error:
        raise CodeFailure(f"run {checksum}: the codes are damaged ({error}); take the pictures again") from None
    if zlib.adler32(text) != int(checksum):
        raise CodeFailure(f"run {checksum}: the codes are damaged, their checksum is another; take the pictures again")
    return text.decode("utf-8", "replace").splitlines()


def read(lines):
    """(the machine's description or None, its results, other lines) of a run's lines."""
    machine, found, others = None, [], []
    for line in lines:
        if line.startswith(results.MACHINE_PREFIX):
            machine = results.machine(line)
        elif results.is_result(line):
            found.append(results.parse(line))
        else:
            others.append(line)
    return machine, found, others
