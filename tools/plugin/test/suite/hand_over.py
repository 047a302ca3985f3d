"""Around a call that may switch the task or make another ready the counter goes to the processor's block and back, even
at a function's end; around other calls it stays where it is."""

import re

from . import bench

ATTRIBUTES = (("heddle_may_switch", ["store", "call", "load"]), ("heddle_may_wake", ["store", "call", "load"]),
              ("unused", ["call"]))
BODIES = (("in the middle", "variable = callee() + 1;"), ("at the end", "return callee();"))
TEXT = """
__attribute__(({attribute})) int callee(void);
extern int variable;
int caller(void)
{{
    {body}
    return 0;
}}
"""
STEPS = {"store": r"mov.*%r15d, *%gs:", "call": r"(call|jmp)\s+callee\b", "load": r"mov.*%gs:.*, *%r15d"}


def steps_of(text):
    """What happens to the counter and to the callee, in order."""
    return [name for line in text.splitlines() for name, pattern in STEPS.items() if re.search(pattern, line)]


def examine(place, attribute, body, level):
    folder = place.folder / "hand-over"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{attribute}{level}{abs(hash(body))}.c"
    source.write_text(TEXT.format(attribute=attribute, body=body), encoding="ascii")
    target = source.with_suffix(".s")
    place.must([place.compiler, "-std=gnu17", level, *place.with_plugin(), "-S", source, "-o", target])
    return steps_of(target.read_text(encoding="ascii"))


def cases(place, long):
    del long
    for attribute, expected in ATTRIBUTES:
        for where, body in BODIES:
            for level in ("-O0", "-O2"):

                def run(attribute=attribute, expected=expected, body=body, level=level):
                    found = examine(place, attribute, body, level)
                    return [] if found == expected else [f"{' '.join(found)} instead of {' '.join(expected)}"]

                yield f"hand-over {attribute} {where} {level}", run
