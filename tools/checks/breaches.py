"""The rules of the code: what breaks one is found, what is allowed passes."""

from checks.rules import explored, identities, names, rules

from .case import Group, run_functions

NEEDS = ()  # it runs nothing that is built

BREACHES = (
    ("sched/a.c", 'void f(void)\n{\n\tasm("nop");\n}\n', "arch/"),
    ("user/posix/a.c", '__asm__(".globl a");\n', "arch/"),
    ("kernel/a.c", "#ifdef __x86_64__\n#endif\n", "arch/"),
    ("kernel/a.c", "int f = rdtsc();\n", "arch/"),
    ("sched/a.c", "#include <stdio.h>\n", "freestanding"),
    *((path, f'#include "{header}"\n', "may not use") for path, header in (
        ("kernel/a.c", "sched/task.h"), ("sched/a.c", "arch/bare/a.h"), ("sched/a.c", "sync/mutex.h"),
        ("sync/a.c", "arch/instruction_set.h"),
        ("user/a.c", "arch/x86_64/a.h"), ("arch/arch.h", "arch/x86_64/a.h"), ("arch/bare/a.c", "sched/ready.h"),
        ("arch/x86_64/a.c", "arch/bare/a.h"), ("arch/x86_64/foreign/a.c", "arch/hosted/a.h"),
        ("arch/bare/a.c", "arch/hosted/a.h"), ("arch/hosted/a.c", "arch/bare/a.h"), ("arch/hosted/a.c", "sched/a.h"),
        ("user/posix/a.c", "sched/a.h"), ("user/posix/a.c", "user/shell/a.h"),
    )),
    ("arch/x86_64/a.asm", '%include "arch/bare/a.inc"\n', "may not use"),
    ("arch/x86_64/a.c", "#include <pthread.h>\n", "freestanding"),
    ("arch/x86_64/a.asm", "extern quantum_spent\nextern ready_publish\n", "\"ready_publish\" is not among the calls"),
    ("sched/a.c", "void f(void)\n{\n\twhile (atomic_load(&a))\n\t\t;\n}\n", "only waits"),
    ("sched/a.c", "void f(void)\n{\n\twhile (atomic_load(&a)) {\n\t\tarch_pause();\n\t}\n}\n", "only waits"),
    ("sched/a.c", "void f(void)\n{\n\tdo {\n\t} while (atomic_load_explicit(&a, b) != 1);\n}\n", "only waits"),
    ("sched/a.c", "void f(void)\n{\n\tfor (;;)\n\t\tpause();\n}\n", "only waits"),
    ("sched/a.c", "void f(void)\n{\n" + "\tg();\n" * 61 + "}\n", "fit a screen"),
    ("tools/a.py", "def f():\n" + "    g()\n" * 61, "fit a screen"),
    ("sched/a.c", "int a;\n" * 401, "at most 400"),
    ("README.md", "a\n" * 151, "at most 150"),
    ("user/a.c", "/* TO" + "DO: later */\n", "leave it out"),
    ("user/a.c", "int cpu_count;\n", "processor"),
    ("tools/a.py", "path = '/wo" + "rk/main'\n", "one machine"),
    ("sched/a.h", "\t/* " + "a" * 113 + " */\n", "wider than 120"),
    ("tools/a.py", "a = 1 \n", "blanks at the end"),
    ("tools/a.py", "a = 1", "no end"),
)
PUBLIC = "user/include/heddle/a.h"
UNPREFIXED = (
    "#define LIMIT 8\n", "#\tdefine LIMIT(a) 8\n", "enum heddle_a { HEDDLE_A, LIMIT };\n",
    "enum heddle_a {\n\tLIMIT, /* the first */\n\tHEDDLE_B = 2,\n};\n",
)
PREFIXED = (
    "#define HEDDLE_LIMIT 8\n", "/* #define LIMIT */\n", "enum heddle_a { HEDDLE_A, HEDDLE_B };\n",
    "#define task_create(a) task_create(a)\n", "enum heddle_a f(enum heddle_b c, struct d *e)\n{\n\tLIMIT;\n}\n",
)
ONE = "static bool take(struct mutex *mutex)\n{\n}\n"
OTHERS = (
    "static void take(void)\n{\n}\n", "__attribute__((noinline)) static struct a *take(int a,\n  int b)\n{\n}\n",
    "__attribute__((always_inline)) static inline bool take(void)\n{\n}\n", "_Noreturn static void take(void)\n{\n}\n",
    "static _Atomic(uint64_t) *take(void)\n{\n}\n",
)
BY_ADDRESS = (
    "struct a {\n\tint b;\n\t_Atomic(struct task *) holder; /* it */\n};\n",
    "struct a {\n\tunion {\n\t\tint b;\n\t} c;\n\tconst struct task *last_writer;\n};\n",
    "struct a {\n\tHEDDLE_ATOMIC(struct task *) owner;\n};\n",
    "bool f(struct a *a)\n{\n\treturn a->owner == task_current();\n}\n",
    "bool f(struct a *a)\n{\n\treturn atomic_load_explicit(&a->b.writer, memory_order_relaxed) != task;\n}\n",
)
BY_LIST = (
    "struct a {\n\tuint64_t holder;\n\tstruct task *waiting;\n};\n",
    "void f(void)\n{\n\tstruct task *holder;\n\tif (a->owner == NULL || a->owner != 0)\n\t\tg(holder);\n}\n",
    "struct task *holder_of(void);\n/* a->owner == task */\n",
)
ALLOWED = (
    ("user/include/heddle/a.hpp", "enum class state { waits, goes };\n"),
    ("sched/a.h", "\t/* " + "a" * 110 + " */\n"),
    ("arch/x86_64/a.c", 'void f(void)\n{\n\tasm("hlt");\n}\n'),
    ("arch/hosted/a.c", '#include <pthread.h>\n#include "arch/arch.h"\n#include "arch/x86_64/inline.h"\n'),
    ("user/posix/a.c", '#include <errno.h>\n#include "heddle/host.h"\n#include "user/posix/thread.h"\n'),
    ("arch/x86_64/a.asm", '%include "arch/x86_64/processor.inc"\nextern quantum_spent, heddle_processor_base:weak\n'),
    ("kernel/a.c", '/* asm, rdtsc, the rest */\nconst char *a = "rdtsc";\n'),
    ("kernel/main.c", '#include "sched/task.h"\n'),
    ("sched/a.c", "void f(void)\n{\n\tdo {\n\t\tn = g(a);\n\t} while (!atomic_compare_exchange_weak(&a, &o, n));\n}\n"),
    ("sched/a.c", "void f(void)\n{\n\twhile (atomic_load(&a) && arch_clock() < deadline)\n\t\tarch_pause();\n}\n"),
    ("sched/a.c", "void f(void)\n{\n\twhile (atomic_load(&a))\n\t\ttask_suspend();\n}\n"),
)


def test_broken_rules_are_found():
    for path, text, sentence in BREACHES:
        said = [said for _, said in rules.check_file(path, text)]
        assert any(sentence in line for line in said), f"{path}: {text!r}: nothing says \"{sentence}\", but {said}"
    assert list(rules.each_folder_explained(["sched/a.c"])), "a folder without README.md went unseen"
    for path in ("platform.info", "tools/a.py", "more/a.c"):
        assert list(rules.nothing_else_stands(["Makefile", "tools/run", path])), f"{path} went unseen"
    assert not list(rules.nothing_else_stands(["Makefile", "tools/run"]))


def test_public_names_are_prefixed():
    for text in UNPREFIXED:
        said = [sentence for _, sentence in names.public_names_are_prefixed(PUBLIC, text)]
        assert len(said) == 1 and said[0].startswith("LIMIT "), f"{text!r}: {said}"
        assert not list(names.public_names_are_prefixed("sched/a.h", text)), f"{text!r} in sched/a.h is not public"
    for path, text in [*((PUBLIC, text) for text in PREFIXED), (names.OF_POSIX[0], "#define PTHREAD_A 1\n")]:
        assert not list(names.public_names_are_prefixed(path, text)), f"{text!r} was found"


def test_holders_are_not_known_by_address():
    for text in BY_ADDRESS:
        assert list(identities.no_identity_by_address("sync/a.h", text)), f"{text!r} went unseen"
        assert not list(identities.no_identity_by_address("user/test/a.h", text)), f"{text!r} in a test was found"
    for text in BY_LIST:
        assert not list(identities.no_identity_by_address("sync/a.h", text)), f"{text!r} was found"


def test_static_functions_are_told_apart():
    for text in OTHERS:
        assert list(names.static_names_are_apart([("sync/a.c", ONE), ("kernel/b.c", text)])), f"{text!r} went unseen"
    apart = [("sync/a.c", ONE), ("user/b.c", ONE), ("sync/a.c", ONE),
             ("kernel/b.c", "bool take(void)\n{\n}\nstatic bool taken(void)\n{\n}\n"),
             ("kernel/c.c", "static bool take(void);\n/* static bool take(void)\n{\n} */\n")]
    assert not list(names.static_names_are_apart(apart)), "functions that are apart were found"


def test_what_is_explored_is_there():
    texts = {"sched/a.c": "void f(void)\n{\n\ta = 1;\n\tb = 1;\n}\n"}
    case = {"changes": ["-DA", ("sched/a.c", "b = 1", "b = 2")],
            "errors": {"kept": ("sched/a.c", "b = 2", ""), "flag": "-DB"}}
    assert not list(explored.texts_are_there({"one": case}, texts))
    for error in (("sched/a.c", "b = 1", ""), ("sched/a.c", "= ", ""), ("sched/b.c", "a", "")):
        found = [name for name, _ in explored.texts_are_there({"one": {**case, "errors": {"lost": error}}}, texts)]
        assert found == ["one.lost"], f"{error}: {found}"
    assert [name for name, _ in explored.texts_are_there({"one": {"changes": [("sched/a.c", "c", "")], "errors": {}}},
                                                         texts)] == ["one"]
    assert not list(explored.unexplored_are_there(["sched/a.c:f", "sched/a.c", "sched/"], texts))
    for place in ("sched/a.c:g", "sched/b.c", "sync/"):
        assert list(explored.unexplored_are_there([place], texts)), f"{place} went unseen"


OBJECT = """#include "heddle/lock.h"
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error door_pass(struct door *door);
HEDDLE_MAY_WAKE enum heddle_error
door_open(struct door *door);
enum heddle_error door_destroy(struct door *door);
"""
CASES = """#define LOCK(operation, ...) door_##operation(&door, ##__VA_ARGS__)
#include "leaving.h"
#define MEN(name)                          \\
	static intptr_t name##_open(void *unused) \\
	{                                          \\
		door_open(&door);                         \\
	}
MEN(man)
    CASE("freed", 0, man_open, leave),
    CASE("kept", 0, man_open, leave),
"""
LEAVING = "static intptr_t leave(void *unused)\n{\n\tLOCK(pass);\n\texplore_free(&door);\n}\n"


def test_what_may_be_freed_has_a_case():
    texts = {"user/include/heddle/lock.h": "", "user/include/heddle/door.h": OBJECT,
             "tools/verify/cases/door.c": CASES, "tools/verify/model/leaving.h": LEAVING}
    freed, others = {"door_open": "door.freed", "door_pass": "door.freed"}, {}
    assert not list(explored.freed_are_explored(freed, others, texts))
    assert not list(explored.freed_are_explored({"door_open": "door.freed"}, {"door_pass": "takes it"}, texts))
    for broken in ({"door_open": "door.freed"}, {**freed, "door_pass": "door.kept"},
                   {**freed, "door_pass": "gate.freed"}, {**freed, "door_shut": "door.freed"},
                   {**freed, "door_pass": "door.freed-late"}):
        assert list(explored.freed_are_explored(broken, others, texts)), f"{broken} went unseen"
    for path, old in (("tools/verify/cases/door.c", "man_open, "), ("tools/verify/model/leaving.h", "explore_free")):
        without = {**texts, path: texts[path].replace(old, "")}
        assert list(explored.freed_are_explored(freed, others, without)), f"without {old} nothing was seen"


def test_what_is_allowed_is_let_pass():
    for path, text in ALLOWED:
        assert rules.check_file(path, text) == [], f"{path}: {text!r}: {rules.check_file(path, text)}"


def groups():
    return [Group("rules: what breaks them is found", lambda: run_functions(__import__(__name__, fromlist=["x"])))]
