"""Where the flags are live from the start of a block, the check that must come there stands before the block: to keep
the flags takes as long as ten checks."""

import re

from . import bench

# The second comparison uses the flags of the first. What comes before decides where the bound ends: for some lengths
# that is between the two.
TEXT = """
extern volatile int v;
void f(int n)
{{
{first}
	if (n < 0) {{
		v = 2;
	}} else {{
{second}
		if (n == 0)
			v = 4;
	}}
{third}
}}
"""
LENGTHS = range(0, 20)
CHECK = re.compile(r"call\s+heddle_quantum_spent\.heddle\.")


def code(place, length):
    folder = place.folder / "flags"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{length}.c"
    source.write_text(TEXT.format(first="\tv = 1;\n" * length, second="\t\tv = 3;\n" * 12, third="\tv = 5;\n" * 100),
                      encoding="ascii")
    target = source.with_suffix(".s")
    place.must([place.compiler, "-std=gnu17", "-O2", *place.with_plugin(bound=200), "-S", source, "-o", target])
    return target.read_text(encoding="ascii")


def examine(place):
    sentences, between = [], 0
    for length in LENGTHS:
        text = code(place, length)
        if not CHECK.search(text):
            sentences.append(f"with {length} statements in front there is no check")
        if "popfq" in text:
            sentences.append(f"with {length} statements in front a check keeps the flags")
        between += bool(re.search(r"\tjs\t.*\n(\tmovl\t\$3, .*\n)+\tjne\t", text))
    if not between:
        raise bench.Missing("this compiler compares twice, so the flags are not live at the start of a block")
    return sentences


def cases(place, long):
    del long
    yield "flags: kept by no check", lambda: examine(place)
