"""With -fsplit-stack: what calls foreign functions, and where jumps lead, in the code that comes out."""

import re

from . import bench, refusals

GROWS = ["-fsplit-stack", "-mno-red-zone"]
FOREIGN = """
#include <ctype.h>
#include <stdio.h>
#include <string.h>
void own(char *);
static __attribute__((noinline)) void here(char *to) { own(to); own(to); }
__attribute__((weak)) void replaced(char *to) { own(to); }
__float128 divide(__float128 one, __float128 other) { return one / other; }
int f(char *to, const char *from, unsigned long size, int (*called)(const char *))
{
	here(to);
	replaced(to);
	memcpy(to, from, size);
	printf("%d %d %d %d %d %d %d\\n", 1, 2, 3, 4, 5, 6, 7);
	return puts(to) + called(from) + (isalpha)(*from);
}
"""
# Whom code calls, or jumps to, and whom not; of a hosted unit, and of the kernel's.
NAMES = ("own", "memcpy", "isalpha", "printf", "puts", "__divtf3")
GROWING = ("own.heddle.grow", "memcpy.heddle", "isalpha.heddle", "printf.heddle.push", "puts.heddle.grow",
           "__divtf3.heddle.grow", "here", "replaced.any.heddle.grow", "*%r10")
COUNTED = ("own.heddle", "memcpy.heddle", "isalpha.heddle", "printf.heddle", "puts.heddle", "__divtf3.heddle", "here",
           "replaced.any.heddle")
UNITS = (
    ("hosted", [*GROWS, "-fpie"], GROWING, NAMES), ("without a PLT", [*GROWS, "-fpie", "-fno-plt"], GROWING, NAMES),
    ("at fixed addresses", [*GROWS, "-fno-pie"], GROWING, NAMES),
    ("the kernel", [*GROWS, "-ffreestanding", "-fno-pie"], (*NAMES, "here"), (*GROWING[:6], *COUNTED[:6])),
    ("whole stacks", ["-fpie"], COUNTED, (*NAMES, *GROWING[3:6])),
)
# Programs, and whether the first return of a function that returns twice is told apart: nothing was left by then.
JUMPS = (
    ("setjmp", "#include <setjmp.h>\njmp_buf b; void g(int);\nint f(void) { int n = setjmp(b); g(n); return n; }\n",
     True),
    ("setjmp in a condition", "#include <setjmp.h>\njmp_buf b; void g(void);\n"
                              "int f(void) { while (setjmp(b) < 5) g(); return 1; }\n", True),
    ("setjmp without a result", "#include <setjmp.h>\njmp_buf b; void g(void);\n"
                                "int f(void) { setjmp(b); g(); return 1; }\n", False),
    ("__builtin_setjmp", "void *b[5]; void g(void);\n"
                         "int f(void) { if (__builtin_setjmp(b)) return 1; g(); return 2; }\n", False),
    ("goto out of an inner function", "void g(void (*)(int));\n"
                                      "int f(void) { __label__ out; void inner(int n) { if (n) goto out; }\n"
                                      "g(inner); return 1; out: return 2; }\n", False),
)
# Calls by address, from a register, from memory, and as a function's end.
POINTERS = """
struct table { long first[3]; int (*called)(long); void (*last)(long); };
int f(const struct table *table, long n) { return table->called(n) + 1; }
int g(const struct table *table, long n) { return n ? table[n].called(n) : 0; }
void h(const struct table *table, long n) { if (table) table->last(n); }
"""
# What an exception comes to on its way, in both kinds of units, and not in the kernel's.
LANDING = """
void g(void);
void clean(int *);
void f(void) { __attribute__((cleanup(clean))) int n = 1; g(); }
"""
LANDINGS = (
    ("stacks that grow", GROWS, True), ("whole stacks", [], True),
    ("the kernel", ["-ffreestanding", "-fno-pie"], False),
)
# Bytes that each function compares at least: its frame, what it pushes, and what the kernel's functions need.
FRAMES = """
__attribute__((heddle_deep)) void deep(void);
struct some { char bytes[1500]; } value;
int take(int, struct some);
int pushes(int n) { return take(n, value) + 1; }
void small(void) { volatile char frame[100]; frame[0] = 1; deep(); frame[1] = frame[0]; }
void large(void) { volatile char frame[400]; frame[0] = 1; deep(); frame[1] = frame[0]; }
"""
ROOM = (("pushes", 1500), ("small", 100 + 704), ("large", 400 + 704))
# Which of these functions compare the limit: those that call, have a check, take memory or have a large frame.
LEAVES = """
int leaf(const int *a, int b) { volatile int frame[8]; frame[b & 7] = a[b]; return frame[b & 7] + a[b + 1]; }
int large(int b) { volatile char frame[200]; frame[b] = 1; return frame[b]; }
int checked(const int *a) { int sum = 0; for (int i = 0; i < a[0]; i++) sum += a[i]; return sum; }
int calls(const int *a) { return large(a[0]) + large(a[1]); }
int takes(int n) { volatile char *memory = __builtin_alloca(n); memory[n / 2] = 1; return memory[n / 2]; }
"""
COMPARING = {"leaf": False, "large": True, "checked": True, "calls": True, "takes": True}
# What callers compare for: alone() is called in this unit only; shared() may be called by others as well; again() calls
# itself, and must compare then; and needs_much() needs more than callers leave.
CALLEES = """
int other(int);
static int alone(int n) { volatile int frame[8]; frame[n & 7] = other(n); return frame[n & 7] + 1; }
int shared(int n) { volatile int frame[8]; frame[n & 7] = other(n); return frame[n & 7] + 2; }
static int again(int n) { return n > 0 ? again(n - 1) + other(n) : 0; }
static int needs_much(int n) { volatile int frame[90]; frame[n] = other(n); return frame[n]; }
int calls(int n) { return alone(n) + alone(n + 1) + shared(n) + again(n) + needs_much(n); }
void call(void (*)(int));
int has_inner(int a)
{
	void inner(int n) { volatile char frame[40]; frame[n] = 1; a += other(n); }
	call(inner);
	return a;
}
"""
CALLED = {"alone": False, "shared": True, "again": True, "needs_much": True, "calls": True}
CALLED_ROOM = 40  # bytes that alone() and shared() need at least, with the return address
BEHIND = {"calls": {"shared", "again"}, "again": set()}  # what each calls behind its comparison
# Inline functions whose code is another object's, as the compiler is told: add() is too large to be inlined, and grow()
# has no body here.
COPIES = """
template <typename T> struct box {
	T *first, *last, *end, sum, least, most;
	void grow(T value);
	void add(T value)
	{
		if (last == end) grow(value);
		*last++ = value;
		sum += value * value;
		least = least < value ? least : value;
		most = most > value ? most : value;
	}
	void put(T value) { add(value); }
};
template <typename T> void box<T>::grow(T) { first = nullptr; }
extern template struct box<int>;
void use(box<int> *some, int value) { some->put(value); some->add(2 * value); some->add(-value); some->grow(1); }
"""
HARDLY_INLINED = ["--param=max-inline-insns-single=1", "--param=max-inline-insns-auto=1"]
# Which of these are called as foreign functions or may be, and by which name.
FOREIGN_OF_BOX = (("grow", GROWS, {"grow.heddle.grow"}), ("whole", [], {"add.heddle", "grow.heddle"}))
# Two units of a program: for growing stacks its functions are to call __morestack, though the link is not told so.
LINKED = ("int f(const char *); int main(void) { volatile char frame[400]; frame[0] = 0; return f((char *)frame); }\n",
          "int f(const char *s) { volatile char frame[400]; frame[0] = *s; return frame[0]; }\n")


def assembly(place, name, text, options, bound=bench.BOUND_SMALL, suffix="c"):
    """The code, as a text for the assembler."""
    folder = place.folder / "stacks"
    folder.mkdir(parents=True, exist_ok=True)
    source, target = folder / f"{name}.{suffix}", folder / f"{name}.s"
    source.write_text(text, encoding="ascii")
    place.must([*place.language(source), *bench.PLAIN, *options, *place.with_plugin(bound=bound), "-S", source, "-o",
                target])
    return target.read_text(encoding="ascii")


def called(code):
    return re.findall(r"^\t(?:call|jmp)\t([^.\s@][^\s@(]*)", code, re.MULTILINE)


def foreign(place, name, options, wanted, unwanted):
    code = assembly(place, name, FOREIGN, ["-O2", *options])
    found = called(code[: code.index(".comdat") if ".comdat" in code else code.index(".pushsection")])
    sentences = [f"{callee} is not called" for callee in wanted if callee not in found]
    return sentences + [f"{callee} is called" for callee in unwanted if callee in found]


def jump(place, name, text, told_apart):
    for level in ("-O0", "-O2"):
        code = assembly(place, re.sub(r"\W", "-", name) + level, text, [level, *GROWS])
        if "heddle_stack_jumped" not in called(code):
            return [f"with {level} nothing gives back the pieces that were left"]
        for before in code.split("\tcall\theddle_stack_jumped")[:-1]:
            if re.search(r"\tsubw\t\$\d+, %r15w", re.split(r"\t(?:call|jmp|ret)", before)[-1]):
                return [f"with {level} there is a check on the way there"]
        tested = re.search(r"\tcall\t_setjmp\b(?:.*\n)+?\ttestl\t(%\w+), \1\n\tj(?:ne|e)\t", code)
        if bool(tested) != told_apart:
            return [f"with {level} the first return is {'not ' if told_apart else ''}told apart"]
    return []


def landing(place, name, options, wanted):
    for level in ("-O0", "-O2"):
        code = assembly(place, name.replace(" ", "-") + level, LANDING, [level, "-fexceptions", *options])
        if ("heddle_stack_landed" in called(code)) != wanted:
            return [f"with {level} {'nothing is' if wanted else 'something is'} settled where an exception comes to"]
    return []


def link_by_lto(place, name, options):
    """(status, errors, object) of a link of LINKED, each compiled with its options."""
    folder = place.folder / "stacks"
    folder.mkdir(parents=True, exist_ok=True)
    objects = []
    for number, (text, more) in enumerate(zip(LINKED, options)):
        source = folder / f"lto-{name}{number}.c"
        source.write_text(text, encoding="ascii")
        objects.append(source.with_suffix(".o"))
        place.must([place.compiler, "-O2", "-flto", *more, *place.with_plugin(), "-c", source, "-o", objects[-1]])
    target = folder / f"lto-{name}.o"
    target.unlink(missing_ok=True)
    status, _, errors = bench.execute(
        [place.compiler, "-O2", "-flto", "-flinker-output=nolto-rel", "-r", "-nostdlib", *place.with_plugin(), *objects,
         "-o", target], bench.COMPILE_LIMIT)
    return status, errors, target


def kept_by_lto(place):
    for name, options, wanted in (("grows", GROWS, True), ("whole", [], False)):
        status, errors, target = link_by_lto(place, name, [options, options])
        if status:
            return errors.splitlines()
        _, code, _ = bench.execute(["objdump", "-dr", target], bench.RUN_LIMIT)
        if ("__morestack" in code) != wanted:
            return [f"{name}: a function {'does not compare' if wanted else 'compares'} the limit"]
    return []


def mixed_by_lto(place):
    status, errors, target = link_by_lto(place, "mixed", [GROWS, []])
    return refusals.refused(status, errors, target, "either all is compiled with .-fsplit-stack. or nothing")


def frames(place, level):
    code = assembly(place, f"frames{level}", FRAMES, [level, *GROWS])
    sentences = []
    for name, least in ROOM:
        body = code[code.index(f"\n{name}:"):]
        compared = re.search(r"leaq\t-(\d+)\(%rsp\), %r11\n\tcmpq\t%fs:", body)
        asked = re.search(r"call\theddle_grow\.(\d+)\.", body)
        for found, what in ((compared, "compares"), (asked, "asks for")):
            if not found or int(found[1]) < least:
                sentences.append(f"{name}() {what} {found[1] if found else 'no'} bytes, and needs {least}")
    return sentences


def leaves(place, level):
    code = assembly(place, f"leaves{level}", LEAVES, [level, *GROWS, "-fno-inline"], bound=1000)
    sentences = []
    for name, wanted in COMPARING.items():
        body = body_of(code, name)
        if (re.search(r"\tcmpq\t%fs:", body) is not None) != wanted or ("heddle_grow." in body) != wanted:
            sentences.append(f"{name}() {'does not compare' if wanted else 'compares'} the limit")
    return sentences


def body_of(code, name):
    return code[code.index(f"\n{name}:"):code.index(f"\t.size\t{name},")]


def callees(place, level):
    code = assembly(place, f"callees{level}", CALLEES, [level, *GROWS, "-fno-inline"], bound=1000)
    sentences = []
    for name, wanted in CALLED.items():
        if (re.search(r"\tcmpq\t%fs:", body_of(code, name)) is not None) != wanted:
            sentences.append(f"{name}() {'does not compare' if wanted else 'compares'} the limit")
    for name, wanted in BEHIND.items():
        behind = set(re.findall(r"\tcall\t[.L]*(\w+)\.heddle\.room", body_of(code, name)))
        if behind != wanted:
            sentences.append(f"{name}() calls behind their comparison: {' '.join(sorted(behind)) or 'none'}")
    compared = re.search(r"leaq\t-(\d+)\(%rsp\), %r11\n\tcmpq\t%fs:", body_of(code, "calls"))
    if not compared or int(compared[1]) < CALLED_ROOM:
        sentences.append(f"calls() compares {compared[1] if compared else 'no'} bytes")
    return sentences


def begins_again(place, level):
    """What a function needs more of stack lies in front of it, so that no jump leads back."""
    code = assembly(place, f"again{level}", CALLEES, [level, *GROWS, "-fno-inline"], bound=1000)
    more = re.search(r"\tjmp\t1f\n(\S+):\n\tcall\theddle_grow\.\d+\.0\n\tret\n1:\n", body_of(code, "calls"))
    sentences = [] if more and f"\tjb\t{more[1]}\n" in body_of(code, "calls") else ["calls() gets more in another way"]
    inner = code[code.index("\ninner.0:"):]
    if not re.search(r"\tmovq\t%r10, %rax\n(?:\t.*\n)*?\tcall\t__morestack", inner[:inner.index(".cfi_endproc")]):
        sentences.append("inner() loses what leads to its outer function's variables")
    return sentences


def ways(place):
    """Lean functions need not know where they are called."""
    code = assembly(place, "ways", FOREIGN, ["-O2"])
    sentences = []
    for name, knows in (("memcpy", False), ("isalpha", False), ("puts", True)):
        way = code[code.index(f"\n{name}.heddle:"):]
        if ("%r11" in way[:way.index(".cfi_endproc")]) != knows:
            sentences.append(f"{name}() is {'not ' if knows else ''}told where it is called")
    return sentences


def copies(place, name, options, wanted):
    code = assembly(place, f"copies-{name}", COPIES, ["-O2", *HARDLY_INLINED, *options], suffix="cc")
    found = {f"{function}.{entry}" for function, entry in re.findall(
        r"\t(?:call|jmp)\t_ZN3boxIiE\d([a-z]+)\w*\.(heddle(?:\.grow)?)\s", code)}
    return [f"called as foreign functions: {' '.join(sorted(found))}"] if found != wanted else []


def pointers(place, level):
    """Each of the three calls goes by a register that tells foreign code from ours."""
    code = assembly(place, f"pointers{level}", POINTERS, [level, *GROWS])
    looks = re.findall(r"\tcmpl\t\$0x[0-9a-f]+, \(%r10\)", code)
    return [] if len(looks) == 3 else [f"{len(looks)} of 3 calls look"]


def cases(place, long):
    del long
    for level in ("-O0", "-O2", "-Os"):
        yield f"stacks: calls by address {level}", lambda level=level: pointers(place, level)
    for level in ("-O0", "-O2"):
        yield f"stacks: frames {level}", lambda level=level: frames(place, level)
    for level in ("-O2", "-O3"):
        yield f"stacks: leaves {level}", lambda level=level: leaves(place, level)
    for level in ("-O2", "-O3"):
        yield f"stacks: callees {level}", lambda level=level: callees(place, level)
    for level in ("-O2", "-O3"):
        yield f"stacks: functions begin again {level}", lambda level=level: begins_again(place, level)
    yield "stacks: ways to lean functions", lambda: ways(place)
    for name, options, wanted in FOREIGN_OF_BOX:
        yield f"stacks: copies of inline functions, {name}", lambda name=name, options=options, wanted=wanted: (
            copies(place, name, options, wanted))
    for name, options, *names in UNITS:
        yield f"stacks: foreign functions, {name}", lambda name=name, options=options, names=names: (
            foreign(place, name.replace(" ", "-"), options, *names))
    for name, text, told_apart in JUMPS:
        yield f"stacks: {name}", lambda name=name, text=text, apart=told_apart: jump(
            place, name, text, apart)
    for name, options, wanted in LANDINGS:
        yield f"stacks: exceptions, {name}", lambda name=name, options=options, wanted=wanted: (
            landing(place, name, options, wanted))
    yield "stacks: -flto keeps what kind they are", lambda: kept_by_lto(place)
    yield "stacks: refuse -flto for both kinds at once", lambda: mixed_by_lto(place)
