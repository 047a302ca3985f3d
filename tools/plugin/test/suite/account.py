"""What a simulated machine is told of reads: those of arrays need not wait for earlier reads; those of lists must."""

import re

# What each function reads in a turn of its loop, and in which order: `early` for a read whose address is known ahead.
# The loop may be unrolled, and a few turns may stand before it.
READS = {
    "array": (["early"], "double array(const double *numbers, long n)",
              "double sum = 0; for (long i = 0; i < n; i++) sum += numbers[3 * i]; return sum;"),
    "column": (["early", "early"], "double column(const double *one, const double *other, long n, long step)",
               "double sum = 0; for (long i = 0; i < n; i++) sum += one[i] * other[i * step]; return sum;"),
    "list": (["late"], "long list(const struct node *node)",
             "long count = 0; while ((node = node->next)) count++; return count;"),
    "table": (["early", "late"], "long table(const int *places, const long *numbers, long n)",
              "long sum = 0; for (long i = 0; i < n; i++) sum += numbers[places[i]]; return sum;"),
    "word": (["late"], "void word(const volatile int *same)", "while (*same == 0) ;"),
    "calls": (["late"], "long calls(const long *numbers, long n)",
              "long sum = 0; for (long i = 0; i < n; i++) sum += numbers[place_of(i)]; return sum;"),
}
HEADING = "struct node { struct node *next; };\nlong place_of(long);\n"
READ = re.compile(r"call\theddle_account_read(_early)?(?:_flags)?\b")
ADDRESS = re.compile(r"leaq\t([^\n]*), %rax\n\tcall\theddle_account_read")
ON_STACK = re.compile(r"\((%rsp|%rbp)")


def reads(code, name):
    """Those of a function that are not of its stack, in the order of the code."""
    text = code[code.index(f"\n{name}.heddle:"):code.index(f"\t.size\t{name},")]
    kinds = ["early" if early else "late" for early in READ.findall(text)]
    return [kind for kind, address in zip(kinds, ADDRESS.findall(text)) if not ON_STACK.search(address)]


def compiled(place, level):
    folder = place.folder / "account"
    folder.mkdir(parents=True, exist_ok=True)
    source, target = folder / f"account{level}.c", folder / f"account{level}.s"
    source.write_text(HEADING + "".join(f"{head}\n{{\n\t{body}\n}}\n" for _, head, body in READS.values()),
                      encoding="ascii")
    options = [f"-O{level}", "-fno-unroll-loops", "-fno-tree-vectorize"]
    place.must([place.compiler, "-std=gnu17", *options, *place.with_plugin("account"), "-S", source, "-o", target])
    return target.read_text(encoding="ascii")


def cases(place, long):
    del long
    for level in (1, 2):

        def run(level=level):
            code = compiled(place, level)
            found = {name: reads(code, name) for name in READS}
            return [f"{name}() reads {', '.join(found[name])}, and not {', '.join(wanted)} in the end"
                    for name, (wanted, _, _) in READS.items()
                    if found[name][-len(wanted):] != wanted or "early" in found[name] and "early" not in wanted]

        yield f"account -O{level}", run
