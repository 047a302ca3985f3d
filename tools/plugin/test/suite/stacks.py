"""With -fsplit-stack: what calls foreign functions, and where jumps lead, in the code that comes out."""

import re

from . import refusals

GROWS = ["-fsplit-stack", "-mno-red-zone"]
FOREIGN = """
#include <stdio.h>
#include <string.h>
void own(char *);
void task_yield(void);
__float128 divide(__float128 one, __float128 other) { return one / other; }
int f(char *to, const char *from, unsigned long size)
{
	own(to);
	task_yield();
	memcpy(to, from, size);
	printf("%d %d %d %d %d %d %d\\n", 1, 2, 3, 4, 5, 6, 7);
	return puts(to);
}
"""
# Whom code calls, or jumps to, and whom not; of a hosted unit, and of one that is free of a C library.
HOSTED = (("own", "task_yield", "heddle_foreign.memcpy", "heddle_foreign.printf.16", "heddle_foreign.puts.0",
           "heddle_foreign.__divtf3.0"), ("printf", "puts", "memcpy", "__divtf3"))
FREESTANDING = (("own", "memcpy", "printf", "puts"), ("heddle_foreign.printf.16", "heddle_foreign.memcpy"))
WHOLE = (("own", "memcpy", "printf", "puts"), HOSTED[0][2:])
UNITS = (
    ("hosted", [*GROWS, "-fpie"], HOSTED), ("at fixed addresses", [*GROWS, "-fno-pie"], HOSTED),
    ("the kernel", [*GROWS, "-ffreestanding", "-fno-pie"], FREESTANDING), ("whole stacks", ["-fpie"], WHOLE),
)
JUMPS = (
    ("setjmp", "#include <setjmp.h>\njmp_buf b; void g(int);\nint f(void) { int n = setjmp(b); g(n); return n; }\n"),
    ("setjmp in a condition", "#include <setjmp.h>\njmp_buf b; void g(void);\n"
                              "int f(void) { while (setjmp(b) < 5) g(); return 1; }\n"),
    ("__builtin_setjmp", "void *b[5]; void g(void);\n"
                         "int f(void) { if (__builtin_setjmp(b)) return 1; g(); return 2; }\n"),
    ("goto out of an inner function", "void g(void (*)(int));\n"
                                      "int f(void) { __label__ out; void inner(int n) { if (n) goto out; }\n"
                                      "g(inner); return 1; out: return 2; }\n"),
)
REFUSED = (
    ("exceptions", "int f(void) { return 1; }\n", ["-fexceptions"], "exception"),
    ("link-time optimization", "int f(void) { return 1; }\n", ["-flto"], "flto"),
    ("-fno-plt", "int f(void) { return 1; }\n", ["-fno-plt"], "fno-plt"),
    ("a jump that looks whether it goes up", "#include <setjmp.h>\njmp_buf b;\nvoid f(void) { longjmp(b, 1); }\n",
     ["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"], "_FORTIFY_SOURCE"),
)


def assembly(place, name, text, options):
    """The code, as a text for the assembler."""
    folder = place.folder / "stacks"
    folder.mkdir(parents=True, exist_ok=True)
    source, target = folder / f"{name}.c", folder / f"{name}.s"
    source.write_text(text, encoding="ascii")
    place.must([place.compiler, "-std=gnu17", *options, *place.with_plugin(), "-S", source, "-o", target])
    return target.read_text(encoding="ascii")


def called(code):
    return re.findall(r"^\t(?:call|jmp)\t\*?([^.\s@][^\s@(]*)", code, re.MULTILINE)


def foreign(place, name, options, wanted):
    code = assembly(place, name, FOREIGN, ["-O2", *options])
    found = called(re.sub(r"^1:\tjmp\t.*$", "", code, flags=re.MULTILINE))
    sentences = [f"{callee} is not called" for callee in wanted[0] if callee not in found]
    return sentences + [f"{callee} is called" for callee in wanted[1] if callee in found]


def jump(place, name, text):
    for level in ("-O0", "-O2"):
        code = assembly(place, re.sub(r"\W", "-", name) + level, text, [level, *GROWS])
        if "heddle_stack_jumped" not in called(code):
            return [f"with {level} nothing gives back the pieces that were left"]
    return []


def cases(place, long):
    del long
    for name, options, wanted in UNITS:
        yield f"stacks: foreign functions, {name}", lambda name=name, options=options, wanted=wanted: (
            foreign(place, name.replace(" ", "-"), options, wanted))
    for name, text in JUMPS:
        yield f"stacks: {name}", lambda name=name, text=text: jump(place, name, text)
    for name, text, options, pattern in REFUSED:
        yield f"stacks: refuse {name}", lambda text=text, options=options, pattern=pattern: refusals.refused(
            *refusals.compile_text(place, f"stacks-{pattern}", text, [*place.with_plugin(), *GROWS, *options]), pattern)
