"""The settings of `make run` and similar targets: they are checked, and errors quote them as they were given."""

import math
import re

MEMORY_MINIMUM = 8  # MiB
LAYOUT = ("sockets", "dies", "clusters", "modules", "cores", "threads")  # QEMU's own order


class WrongSetting(Exception):
    """A setting has an invalid value; the text says which setting, and what is allowed."""


def refuse(name, text, allowed):
    raise WrongSetting(f"{name}={text}: {allowed}")


def whole(name, text, lowest, highest, what):
    """A whole number in a range. `what` it counts is part of the error."""
    if not re.fullmatch(r"[0-9]{1,9}", text) or not lowest <= int(text) <= highest:
        refuse(name, text, f"{what}, a whole number from {lowest} to {highest}")
    return int(text)


def one_of(name, text, values):
    if text not in values:
        refuse(name, text, f"it is {', '.join(values[:-1])} or {values[-1]}")
    return text


def words_of(text):
    """Words between commas or blanks."""
    return text.replace(",", " ").split()


def some_of(name, text, values):
    """Those of the values that the words name; without a word, all."""
    return [one_of(name, word, tuple(values)) for word in words_of(text)] or list(values)


def seconds(name, text):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value <= 0:
        refuse(name, text, "seconds, a number above 0")
    return value


def mebibytes(text):
    """"512M" or "1G" as mebibytes."""
    found = re.fullmatch(r"([0-9]{1,9})([MGmg]?)", text)
    if not found:
        refuse("MEM", text, "memory is a number with M or G, such as 512M or 4G")
    amount = int(found[1]) * (1024 if found[2] in ("G", "g") else 1)
    if amount < MEMORY_MINIMUM:
        refuse("MEM", text, "too little memory for any machine")
    return amount


def processors(text):
    """How many processors are in QEMU's -smp value: "64", "cpus=4,sockets=2", "sockets=2,cores=8"."""
    allowed = "a number of processors, or QEMU's whole -smp value, such as 72,sockets=3,cores=12,threads=2"
    first, *rest = text.split(",")
    values = {}
    for part in [first if "=" in first else f"cpus={first}", *rest]:
        key, _, value = part.partition("=")
        if key not in ("cpus", "maxcpus", *LAYOUT) or not re.fullmatch(r"[0-9]{1,9}", value) or key in values:
            refuse("SMP", text, allowed)
        values[key] = int(value)
    if 0 in values.values():
        refuse("SMP", text, "each number in it is at least 1")
    product = math.prod(values.get(key, 1) for key in LAYOUT)
    return values.get("cpus") or (product if set(values) & set(LAYOUT) else values["maxcpus"])
