"""Functions whose callees are known need no check, or one."""

import re

CHECK = re.compile(r"\tsubw\t\$\d+, %r15w")
TEXT = """
#include <stdlib.h>
int other(int);
static int loop(const int *a, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += a[i]; return sum; }
int around(const int *a) { return loop(a, a[0]) + 1; }
int library(void *p, int n) { free(p); return n + 1; }
static int inner(int n) { return other(n) + 1; }
int outer(int n) { return inner(n) + 1; }
int unknown(int n) { return other(n) + 1; }
int address(int (*f)(int), int n) { return f(n) + 1; }
volatile int ticks;
static int rarely(int n) { if (n < 0) for (;;) ticks++; return n; }
int careful(int n) { return rarely(n) + 1; }
static int never(int n) { return n * 3; }
int careless(int n) { return never(n) + 1; }
int twice(int n) { return n > 0 ? twice(n - 1) + 1 : 0; }
"""
# How many checks each has. What calls a function of which nothing is known has one before it, and one before it
# returns, unless all of its callers are in this unit.
CHECKS = {"loop": 1, "around": 0, "library": 0, "inner": 0, "outer": 2, "unknown": 2, "address": 2, "twice": 2,
          "rarely": 1, "careful": 0, "never": 0, "careless": 0}
# Whether foreign code calls them back by another entry: where a check may run in them, on whatever way.
CALLED_BACK = {"careful": True, "careless": False}


def examine(place, level):
    folder = place.folder / "callees"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"callees{level}.c"
    source.write_text(TEXT, encoding="ascii")
    target = source.with_suffix(".s")
    options = [level, "-fno-inline", "-fno-optimize-sibling-calls", "-fno-ipa-icf"]
    place.must([place.compiler, "-std=gnu17", *options, *place.with_plugin(bound=1000), "-S", source, "-o", target])
    code = target.read_text(encoding="ascii")
    sentences = []
    texts = {name: code[code.index(f"\n{name}:"):code.index(f"\t.size\t{name},")] for name in CHECKS}
    for name, wanted in CHECKS.items():
        found = len(CHECK.findall(texts[name]))
        if found != wanted:
            sentences.append(f"{name}() has {found} checks, and needs {wanted}")
    for name, wanted in CALLED_BACK.items():
        if ("heddle_callback" in texts[name]) != wanted:
            sentences.append(f"{name}() {'has no' if wanted else 'needs no'} entry for foreign code")
    return sentences


def cases(place, long):
    del long
    for level in ("-O1", "-Os"):
        yield f"callees {level}", lambda level=level: examine(place, level)
