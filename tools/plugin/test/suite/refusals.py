"""What the plugin is given wrongly ends the compilation with one sentence, and with no object."""

import re
import shutil
import struct

from . import bench

LOOP = "int f(const int *a) { int s = 0; for (int i = 0; i < a[0]; i++) s += a[i]; return s; }\n"
# Arguments of the plugin, and what the sentence must hold.
BAD = (
    ("bound=0", r"bound=0"), ("bound=abc", r"bound=abc"), ("bound=", r"bound="), ("bound", r"bound"),
    ("bound=1", r"bound=1\b.*\d\d"), ("bound=12x", r"bound=12x"), ("bound=-5", r"bound=-5"),
    ("bound=32768", r"bound=32768.*32767"),
    ("bound=99999999999999999999", r"bound=9999"), ("omit=nothing", r"omit=nothing"), ("omit=rbx", r"omit=rbx"),
    ("omit", r"omit"), ("off=1", r"off"), ("poll=1", r"poll"), ("nonsense", r"nonsense.*bound"), ("Bound=5", r"Bound"),
)
SWITCHING = """
__attribute__((heddle_may_switch)) void task_yield(void);
void uncooperative_begin(void);
void uncooperative_end(void);
extern int condition;
"""
# What may not switch and does, where the compiler can see it.
UNCOOPERATIVE = (
    ("function", "__attribute__((heddle_uncooperative)) void f(void) { if (condition) task_yield(); }\n"),
    ("region", "void f(void) { uncooperative_begin(); task_yield(); uncooperative_end(); }\n"),
)
COOPERATIVE = (
    ("behind", "void f(void) { uncooperative_begin(); condition = 1; uncooperative_end(); task_yield(); }\n"),
    ("beside", "__attribute__((heddle_uncooperative)) void g(void); void f(void) { g(); task_yield(); }\n"),
)
# Tile registers, and what only looks like one.
TILES = """
#include <immintrin.h>
__attribute__((target("amx-tile,amx-int8")%s)) void f(const void *shape, void *a)
{
	_tile_loadconfig(shape);
	_tile_zero(0);
	_tile_loadd(1, a, 64);
	_tile_loadd(2, a, 64);
	_tile_dpbssd(0, 1, 2);
	_tile_stored(0, a, 64);
	_tile_release();
}
"""
TILE_OF_OPERAND = "void f(void) { __asm__ volatile(\"tilezero %%tmm%c0\" : : \"i\"(0)); }\n"
NO_TILE = "void f(void) { __asm__(\".set atmm0, 0\\n\\t.set tmm01, 1\"); }\n"
# Options, and what the sentence must hold; Heddle's own sanitized builds are compiled so.
SANITIZED = (
    ("-fsanitize=thread", "-fsanitize=thread.*told of each switch"),
    ("-fsanitize=address -fsplit-stack", "-fsanitize=address.*leave out.*-fsplit-stack"),
)
HUGE = "void use(char *); void f(void) { char place[3ul << 30]; use(place); }\n"
VARIABLES = """
void use(int *place);
void f(void) { int place[10]; use(place); }
__attribute__((optimize("O1"))) void g(void) { int place[10]; use(place); }
"""
ERROR = re.compile(r"(?:\berror|ERROR): ")


def compile_text(place, name, text, options, compiler=None):
    """(status, errors, object)"""
    folder = place.folder / "refusals"
    folder.mkdir(parents=True, exist_ok=True)
    source, target = folder / f"{name}.c", folder / f"{name}.o"
    source.write_text(text, encoding="ascii")
    target.unlink(missing_ok=True)
    command = [compiler or place.compiler, "-std=gnu17", "-O2", *options, "-c", source, "-o", target]
    status, _, errors = bench.execute(command, bench.COMPILE_LIMIT)
    return status, errors, target


def refused(status, errors, target, pattern):
    """Sentences on a refusal that is none, or that says too little."""
    sentences = []
    if status == 0:
        sentences.append("it was accepted")
    if target.exists():
        sentences.append("an object was made all the same")
    if not re.search(rf"heddle: .*{pattern}", errors):
        sentences.append(f"no sentence of the plugin matches \"{pattern}\"")
    if len(re.findall("heddle: ", errors)) > 1 or "internal compiler error" in errors:
        sentences.append("that is not one sentence")
    return [*sentences, *errors.splitlines()[: bench.LINES_SHOWN]] if sentences else []


def wrong_option(place, number):
    word, pattern = BAD[number]
    options = [f"-fplugin={place.plugin}", f"-fplugin-arg-heddle-{word}"]
    return refused(*compile_text(place, f"option-{number}", LOOP, options), pattern)


def wrong_version(place):
    """The plugin of another GCC: the version that it was built for is changed in the file."""
    _, version, _ = bench.execute([place.compiler, "-dumpfullversion"], bench.RUN_LIMIT)
    version = version.strip().encode()
    data = place.plugin.read_bytes()
    other = b"1" * version.index(b".") + version[version.index(b".") :]
    if b"\0" + version + b"\0" not in data:
        raise bench.Broken("the plugin does not hold the version of its compiler; adapt this test")
    folder = place.folder / "version"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "heddle.so").write_bytes(data.replace(b"\0" + version + b"\0", b"\0" + other + b"\0"))
    answer = compile_text(place, "version", LOOP, [f"-fplugin={folder}/heddle.so"])
    return refused(*answer, re.escape(other.decode()))


def other_compiler(place, name):
    """Any other GCC refuses the plugin; what cannot be loaded at all it says itself."""
    status, errors, target = compile_text(place, f"other-{name}", LOOP, [f"-fplugin={place.plugin}"], name)
    if status == 0 or target.exists():
        return [f"{name} takes the plugin of {place.compiler}"]
    return [] if re.search(r"heddle", errors) else ["no sentence names the plugin", *errors.splitlines()]


def accepted(place, name, text, options=None):
    _, errors, target = compile_text(place, name, text, options or place.with_plugin())
    return [] if target.exists() and not errors else errors.splitlines()


def variables_stay(place):
    """Not in memory of the thread's, where the address sanitizer would find uses after a return."""
    options = ["-fsanitize=address", "--param=asan-use-after-return=1"]
    found = []
    for more in ([], place.with_plugin()):
        status, errors, target = compile_text(place, "variables", VARIABLES, [*options, *more])
        if status != 0:
            return errors.splitlines()
        _, said, _ = bench.execute(["objdump", "-r", target], bench.RUN_LIMIT)
        found.append("__asan_stack_malloc" in said)
    return [] if found == [True, False] else [f"without the plugin and with it, they are elsewhere: {found}"]


def without_plugin_at_link(place):
    """Objects of LTO are compiled at the link: without the plugin there would be no checks."""
    main = LOOP + "int main(int count, char **words) { (void)words; return f(&count); }\n"
    _, errors, target = compile_text(place, "lto", main, ["-flto", *place.with_plugin()])
    if not target.exists():
        return errors.splitlines()
    program = target.with_suffix("")
    program.unlink(missing_ok=True)
    status, _, errors = bench.execute([place.compiler, "-O2", "-flto", target, "-o", program], bench.COMPILE_LIMIT)
    # The linker says it, by the name of what it misses.
    return [] if status and not program.exists() and "heddle_plugin_missing" in errors else ["it was linked"]


def note_of(target):
    """The words of an object's note: version, bound, functions, checks, ...; None: it has none."""
    section = target.with_suffix(".note")
    section.unlink(missing_ok=True)
    bench.execute(["objcopy", "-O", "binary", "--only-section=.note.heddle",
                   "--set-section-flags=.note.heddle=alloc", target, section], bench.RUN_LIMIT)
    data = section.read_bytes() if section.exists() else b""
    if not data:
        return None
    name_size, size, _ = struct.unpack_from("<III", data)
    start = 12 + (name_size + 3) // 4 * 4
    return struct.unpack_from(f"<{size // 4}I", data, start)


def counted(place):
    """The note tells the bound, and as many checks as there are."""
    target = place.folder / "refusals" / "frames.o"
    target.parent.mkdir(parents=True, exist_ok=True)
    place.compile(bench.HERE / "programs/frames.c", target, ["-O2", *place.with_plugin(bound=321)])
    _, said, _ = bench.execute(["objdump", "-r", target], bench.RUN_LIMIT)
    calls = len(re.findall(r"\sheddle_quantum_spent\.heddle", said))
    note = note_of(target)
    if not note:
        return ["the object has no note"]
    sentences = [] if note[1] == 321 else [f"the note says bound {note[1]} instead of 321"]
    return sentences + ([] if note[3] == calls > 0 else [f"the note says {note[3]} checks; there are {calls}"])


def switched_off(place):
    status, errors, target = compile_text(
        place, "off", LOOP, [f"-fplugin={place.plugin}", "-fplugin-arg-heddle-off"])
    if status != 0:
        return errors.splitlines()
    _, said, _ = bench.execute(["objdump", "-r", target], bench.RUN_LIMIT)
    sentences = ["there are checks"] if re.search(r"R_X86_64\S* +\S*heddle", said) else []
    return sentences + (["there is a note"] if note_of(target) else [])


def cases(place, long):
    del long
    for number, (word, _) in enumerate(BAD):
        yield f"refuse {word}", lambda number=number: wrong_option(place, number)
    yield "refuse another version", lambda: wrong_version(place)
    for name in (f"gcc-{number}" for number in range(9, 20)):
        _, version, _ = bench.execute([place.compiler, "-dumpversion"], bench.RUN_LIMIT)
        if shutil.which(name) and name != f"gcc-{version.strip()}":
            yield f"refuse {name}", lambda name=name: other_compiler(place, name)
    options = ["-ffreestanding", "-fno-pie", *place.with_plugin("poll")]
    yield "refuse checks that poll on a bare machine", lambda: refused(
        *compile_text(place, "bare", LOOP, options), "poll.*bare machine")
    for words, sentence in SANITIZED:
        text = [place, words.replace(" ", ""), LOOP]
        own, watched = ([*words.split(), *place.with_plugin(*more)] for more in ((), ("watched",)))
        yield f"refuse {words}", lambda text=text, own=own, sentence=sentence: refused(
            *compile_text(*text, own), sentence)
        yield f"accept {words} where it is told of switches", lambda text=text, watched=watched: (
            accepted(*text, watched))
    yield "refuse a frame of 3 GiB on a stack that grows", lambda: refused(
        *compile_text(place, "huge", HUGE, ["-O2", "-fsplit-stack", "-mno-red-zone", *place.with_plugin()]), "2 GiB")
    yield "keep variables on the stack with -fsanitize=address", lambda: variables_stay(place)
    yield "refuse a link without the plugin", lambda: without_plugin_at_link(place)
    for name, text in UNCOOPERATIVE:
        yield f"refuse a switch in an uncooperative {name}", lambda name=name, text=text: refused(
            *compile_text(place, f"switch-{name}", SWITCHING + text, place.with_plugin()), "task_yield")
    for name, text in COOPERATIVE:
        yield f"accept a switch {name} uncooperative code", lambda name=name, text=text: accepted(
            place, f"switch-{name}", SWITCHING + text)
    yield "refuse tile registers where a check may be", lambda: refused(
        *compile_text(place, "tiles", TILES % "", place.with_plugin()), "tile register .AMX.")
    yield "refuse a tile register by an operand", lambda: refused(
        *compile_text(place, "tile-operand", TILE_OF_OPERAND, place.with_plugin()), "tile register .AMX.")
    yield "accept tile registers in an uncooperative function", lambda: accepted(
        place, "tiles-uncooperative", TILES % ", heddle_uncooperative")
    yield "accept what is only named like one", lambda: accepted(place, "no-tiles", NO_TILE)
    yield "note of an object", lambda: counted(place)
    yield "no note and no check when off", lambda: switched_off(place)
