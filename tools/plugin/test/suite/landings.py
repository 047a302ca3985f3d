"""Where an exception lands, no check comes before what settles it, and this alone hands the counter over."""

import re

from . import bench

CHECK = re.compile(r"\tsubw\t\$\d+, %r15w")
STORE = "%r15d, %gs:"
SETTLED = re.compile(r"\tcall\theddle_stack_landed")
AWAY = re.compile(r"\t(jmp|ret|call)\b")
# Where the compiler clears the upper halves of vectors, a landing pad has a further block. Each keeps more for later.
TEXT = """
void other(double *, int), again(double *, int);
struct left { int number; ~left(); };
double vectors(const double *from, double *to, int count, int one, int two, int three)
{
	left first{count};
	for (int i = 0; i < count; i++)
		to[i] = from[i] * from[i];
	other(to, one);
	try {
		left second{two};
		other(to, count);
		again(to, three);
	} catch (const int &number) {
		again(to, number + one);
		throw;
	} catch (...) {
		other(to, two * three);
	}
	return to[0];
}
"""
WAYS = ("-O1", "-O2", "-O3", "-Os", "-O3 AVX2", "-O2 AVX2", "-O3 AVX2 -fno-reorder-blocks-and-partition")
BOUNDS = (100, 1000)


def before(lines, place):
    """The lines that lead to one, back to where control comes from elsewhere."""
    start = place
    while start > 0 and not AWAY.match(lines[start - 1]):
        start -= 1
    return lines[start:place]


def examine(place, way, bound):
    flags = [flag for word in way.split() for flag in (bench.AVX2 if word == "AVX2" else [word])]
    folder = place.folder / "landings" / f"{way} {bound}".replace(" ", "_")
    folder.mkdir(parents=True, exist_ok=True)
    source, target = folder / "landings.cc", folder / "landings.s"
    source.write_text(TEXT, encoding="ascii")
    place.must([*place.language(source), *bench.PLAIN, *flags, *place.with_plugin(bound=bound), "-S", source, "-o",
                target])
    text = target.read_text(encoding="ascii")
    lines = text.splitlines()
    settled = [number for number, line in enumerate(lines) if SETTLED.match(line)]
    wrong = [number for number in settled if any(CHECK.match(line) for line in before(lines, number))]
    if not settled:
        return ["nothing lands there"]
    stored = ["the function stores the counter itself"] if STORE in text[:text.index("\t.pushsection")] else []
    return stored + [f"{target.name}, line {number + 1}: a check comes before it" for number in wrong]


def cases(place, long):
    del long
    for way in WAYS:
        for bound in BOUNDS:
            yield f"landings {way} bound={bound}", lambda way=way, bound=bound: examine(place, way, bound)
