"""Checks stand where they cost least: on the rare ways to a return alone, in a loop where its last turn has left, or in
the jumps at the ends of its turns."""

import re

CHECK = re.compile(r"\tsubw\t\$\d+, %r15w")
TEXT = """
int other(int);
int turns(int n)
{
	int sum = other(n);
	for (int i = 0; i < n; i++)
		sum += other(i) * sum;
	return sum;
}
struct buffer { char *next, *end; int lines; };
struct node { struct node *next; int key; };
void enlarge(struct buffer *);
int put(struct buffer *buffer, int c)
{
	if (__builtin_expect(buffer->next == buffer->end, 0))
		enlarge(buffer);
	*buffer->next++ = c;
	if (c == '\\n')
		buffer->lines++;
	return c;
}
int sum(const struct node *node)
{
	for (int all = 0;; node = node->next) {
		int key = node->key;
		if (key < 0)
			return all;
		all += key;
	}
}
const char *skip(const char *at, const unsigned char *types, long *counts)
{
	for (;;)
		switch (types[(unsigned char)*at]) {
		case 0:
			return at;
		case 1:
			at += 1;
			counts[0]++;
			break;
		case 2:
			at += 2;
			counts[1]--;
			break;
		default:
			at += 3;
			counts[2] *= 3;
		}
}
"""
IN_JUMP = re.compile(r"\tsubw\t\$\d+, %r15w\n\tjno\t")
CALL = "\tcall\theddle_quantum_spent.heddle."
ENDS_OF_CHECKS = re.compile(r"\tsubw\t\$\d+, %r15w\n\tj(\w+)\t")
# From each function's start to the first or second of these there is no check.
ENDS = {"put": ("\tret", 1), "sum": ("\tjs\t", 2)}


def text_of(code, name):
    return code[code.index(f"\n{name}.heddle:"):code.index(f"\t.size\t{name},")]


def examine(place):
    folder = place.folder / "rarest"
    folder.mkdir(parents=True, exist_ok=True)
    source, target = folder / "rarest.c", folder / "rarest.s"
    source.write_text(TEXT, encoding="ascii")
    options = ["-O2", "-fno-shrink-wrap", "-fno-optimize-sibling-calls"]
    place.must([place.compiler, "-std=gnu17", *options, *place.with_plugin(bound=1000), "-S", source, "-o", target])
    code = target.read_text(encoding="ascii")
    sentences = []
    for name, (end, count) in ENDS.items():
        text = text_of(code, name)
        if not CHECK.search(text):
            sentences.append(f"{name}() has no check")
        if any(CHECK.search(part) for part in text.split(end)[:count]):
            sentences.append(f"{name}() has a check where it need not run")
    ends = ENDS_OF_CHECKS.findall(text_of(code, "turns"))
    if len(ends) < 2 or ends[0] != "l" or not set(ends[1:]) <= {"o", "no"}:
        sentences.append("turns() has a check at its entry that does not look at the sign, or another that does")
    text = text_of(code, "skip")
    if len(IN_JUMP.findall(text)) < 2:
        sentences.append("skip() has branches of their own for its checks")
    if text.count(CALL) >= len(CHECK.findall(text)):
        sentences.append("skip() has a call for each of its checks")
    return sentences


def cases(place, long):
    del long
    yield "rarest", lambda: examine(place)
