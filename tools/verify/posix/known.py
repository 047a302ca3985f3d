"""The tests that are known not to pass, how each ends, and why (known.txt)."""

from dataclasses import dataclass

from .ways import FAILURES


KINDS = (*FAILURES, "passed")
LEFT_OUT = "left-out"


class Malformed(Exception):
    """The list cannot be read; the text says where and why."""


@dataclass
class Entry:
    name: str
    kinds: tuple
    reason: str

    @property
    def is_left_out(self):
        """It is neither built nor run."""
        return self.kinds == (LEFT_OUT,)


def load(path):
    """A dictionary of names. Lines that begin with = give reasons that several tests share: `= word the reason`."""
    entries, shared = {}, {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split(maxsplit=2)
            if not words or line.startswith("#"):
                continue
            if len(words) != 3:
                raise Malformed(f"{path}:{number}: a line has a name, how it ends, and a reason")
            name, kinds, reason = words[0], tuple(words[1].split(",")), words[2].strip()
            if name == "=":
                shared[words[1]] = reason
                continue
            wrong = [kind for kind in kinds if kind not in KINDS and kinds != (LEFT_OUT,)]
            if wrong:
                raise Malformed(f"{path}:{number}: {wrong[0]} is none of {', '.join(KINDS)}, nor alone {LEFT_OUT}")
            entries[name] = Entry(name, kinds, shared.get(reason, reason))
    return entries
