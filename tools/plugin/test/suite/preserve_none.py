"""Functions that preserve no register: they save none, their callers keep what they need, and what cannot be one is
refused or stays ordinary."""

import re

from . import bench, generated, refusals

WAYS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-O2 -fno-omit-frame-pointer", "-O2 -fipa-ra",
        "-O2 -fsplit-stack -mno-red-zone -DHEDDLE_STACKS_GROW")
CHOICES = ("preserve-none=LIST", "preserve-none-auto", "preserve-none-auto preserve-none=LIST")
LEVELS = ("-O1", "-O2", "-Os", "-O3")  # of generated programs, where a callee that is inlined would show nothing
FEW, MANY = 8, 100  # generated programs
CSMITH = "\n".join(f"func_{number}" for number in range(1, 100))
SAVES = re.compile(r"\tpushq\t%(?:rbx|r12|r13|r14)\b")
TEXT = """
__attribute__((heddle_may_switch, heddle_switches_by("heddle_yield"))) void task_yield(void);
#define NOINLINE __attribute__((noinline, noclone))
int other(int);
static NOINLINE int yields(int a)
{
	int b = other(a), c = other(b), d = other(c), e = other(d);
	task_yield();
	return other(a) + other(b) + other(c) + other(d) + e;
}
static NOINLINE int calls(int a)
{
	int b = other(a), c = other(b), d = other(c), e = other(d);
	return yields(other(a) + other(b) + other(c) + other(d) + e) + b;
}
static NOINLINE int ordinary(int a)
{
	int b = other(a), c = other(b), d = other(c), e = other(d);
	return other(a) + other(b) + other(c) + other(d) + e;
}
static NOINLINE int by_address(int a)
{
	int b = other(a);
	task_yield();
	return other(b) + b;
}
int exported(int a)
{
	int b = other(a);
	return calls(b) + ordinary(b) + b;
}
int jumps(int a)
{
	return calls(a);
}
int (*pointer(void))(int)
{
	return by_address;
}
"""
# Which functions save registers.
INFERRED = {"yields": False, "calls": False, "ordinary": True, "by_address": True, "exported": True, "jumps": True}
# A list, a program, and what the sentence must hold.
REFUSED = (
    ("f g", "", "line 1 of .*f g"), ("\n# one\n7up", "", "line 3 of .*7up"),
    ("f", "int f(void) { return 1; } int (*p)(void) = f;", "'?f.*its address"),
    ("f", "extern int f(void); int (*p(void))(void) { return f; }", "'?f.*its address"),
    ("main", "int main(void) { return 0; }", "main.*C library"),
    ("f", "__attribute__((constructor)) void f(void) { extern int x; x = 1; }", "f.*C library"),
    ("f", "int f(void) { return 1; } __attribute__((alias(\"f\"))) int g(void);", "f.*another name"),
    ("f", "__attribute__((ms_abi)) int f(void) { return 1; }", "f.*another kind of call"),
)
ACCEPTED = "# none of these two is here\nh # one\n\n _ZN1a1bEv\t\nf\n"


def listed(place, name, text):
    target = place.folder / "preserve-none" / f"{name}.list"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="ascii")
    return target


def compare(place, way, choice):
    """The program gives the number that it gives without the plugin."""
    source = bench.HERE / "lossy.cc"
    names = listed(place, "lossy", "listed_leaf\n")
    folder = place.folder / "preserve-none" / f"{way}{choice}".replace(" ", "").replace("=", "")
    folder.mkdir(parents=True, exist_ok=True)
    options = [word.replace("LIST", str(names)) for word in choice.split()]
    answers = []
    for name, flags in (("plain", ["-O1"]), ("lossy", [*way.split(), *place.with_plugin(*options)])):
        target = place.compile(source, folder / f"{name}.o", flags)
        program = place.link(folder / name, [target], flags)
        answers.append(bench.execute([program], bench.RUN_LIMIT))
    return [] if answers[0] == answers[1] and answers[0][0] == 0 else [f"{answers[1]} instead of {answers[0]}"]


def saving(place, options):
    """{function: whether it saves registers}"""
    folder = place.folder / "preserve-none"
    source = folder / f"{abs(hash(tuple(options)))}.c"
    source.write_text(TEXT, encoding="ascii")
    target = source.with_suffix(".s")
    place.must([place.compiler, "-std=gnu17", "-O2", *place.with_plugin(*options), "-S", source, "-o", target])
    parts = re.split(r"^([a-z_]+):\n", target.read_text(encoding="ascii"), flags=re.MULTILINE)
    return {name: bool(SAVES.search(body)) for name, body in zip(parts[1::2], parts[2::2])}


def examine(place, options, expected):
    found = saving(place, options)
    return [f"{name} {'saves' if found.get(name) else 'does not save'} registers" for name, saves in expected.items()
            if found.get(name) != saves]


def refuse(place, number):
    names, text, pattern = REFUSED[number]
    options = place.with_plugin(f"preserve-none={listed(place, f'refused-{number}', names)}")
    return refusals.refused(*refusals.compile_text(place, f"preserve-none-{number}", text, options), pattern)


def refuse_option(place, name, pattern, word, *more):
    return refusals.refused(*refusals.compile_text(
        place, f"preserve-none-{name}", refusals.LOOP, [*more, *place.with_plugin(word)]), pattern)


def cases(place, long):
    for way in WAYS:
        for choice in CHOICES:
            yield f"preserve-none {way} {choice}", lambda way=way, choice=choice: compare(place, way, choice)
    yield "preserve-none-auto -flto", lambda: compare(place, "-O2 -flto", "preserve-none-auto")
    names = listed(place, "named", "ordinary\n")
    yield "preserve-none inferred functions", lambda: examine(place, ["preserve-none-auto"], INFERRED)
    yield "preserve-none named functions", lambda: examine(place, [f"preserve-none={names}"], {
        "ordinary": False, "calls": True, "exported": True})
    for number, (_, _, pattern) in enumerate(REFUSED):
        yield f"preserve-none refuse {pattern}", lambda number=number: refuse(place, number)
    yield "preserve-none refuse a list that is not there", lambda: refuse_option(
        place, "missing", "preserve-none=/none/there.*No such", "preserve-none=/none/there")
    yield "preserve-none refuse a folder", lambda: refuse_option(
        place, "folder", "preserve-none=/.*directory", "preserve-none=/")
    yield "preserve-none refuse no list", lambda: refuse_option(place, "empty", "preserve-none", "preserve-none")
    yield "preserve-none refuse -flto", lambda: refuse_option(
        place, "flto", "-flto", f"preserve-none={names}", "-flto")
    accepted = listed(place, "accepted", ACCEPTED)
    yield "preserve-none accept comments and blanks", lambda: refusals.accepted(
        place, "preserve-none-accepted", refusals.LOOP, place.with_plugin(f"preserve-none={accepted}"))
    if generated.is_there():
        functions = listed(place, "csmith", CSMITH)
        for seed in range(generated.FIRST, generated.FIRST + (MANY if long else FEW)):
            words = f"{LEVELS[seed % len(LEVELS)]} -fno-inline"
            yield f"preserve-none generated seed {seed} {words}", lambda seed=seed, words=words: (
                generated.compare(place, seed, words, generated.SHAPE, f"preserve-none={functions}"))
