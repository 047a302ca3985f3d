"""The advice on critical sections (../../delegable.h): one function for each way and each reason, in C and C++."""

import re

from . import bench

C = """
#include <errno.h>
struct lock;
void lock(struct lock *), unlock(struct lock *), spin_lock(struct lock *), spin_unlock(struct lock *);
int fallible_lock(struct lock *), fallible_unlock(struct lock *);
int other_lock(struct lock *), other_unlock(struct lock *);
void task_yield(void) __attribute__((heddle_may_switch));
void unseen(int);
struct shared { struct lock *lock; int value; int *other; };
extern __thread int mine;
extern struct lock *global;
extern int number;
static void helper(struct shared *s) { s->value++; }
static void helper_of_all(struct shared *s) { s->value++; task_yield(); }
static void endless(struct shared *s) { if (s->value--) endless(s); }
"""
# By name: the body of a function of (struct shared *s, int n, int *result, void (*pointer)(void)), and what is said of
# its first section.
DETACHED, AWAITED, CANNOT = "can be delegated detached", "can be delegated and awaited: ", "cannot be delegated: "
IN_C = (
    ("detached", "lock(s->lock); s->value *= n; unlock(s->lock); return 0;", DETACHED),
    ("any name", "spin_lock(s->lock); s->value *= n; spin_unlock(s->lock); return 0;", DETACHED),
    ("global", "lock(global); number++; unlock(global); return 0;", DETACHED),
    ("branch", "lock(s->lock); if (n) s->value = 3; else s->other = 0; unlock(s->lock); return 0;", DETACHED),
    ("loop", "for (int i = 0; i < n; i++) { lock(s->lock); for (int j = 0; j < n; j++) s->value += j;"
             " unlock(s->lock); } return 0;", DETACHED),
    ("calls", "lock(s->lock); helper(s); unlock(s->lock); return 0;", DETACHED),
    ("calls itself", "lock(s->lock); endless(s); unlock(s->lock); return 0;", DETACHED),
    ("copies", "volatile int a[4] = {n}; lock(s->lock); s->value = a[1]; unlock(s->lock); return 0;", DETACHED),
    ("own variable", "lock(s->lock); volatile int a[4] = {n}; s->value = a[1]; unlock(s->lock); return 0;", DETACHED),
    ("unseen", "lock(s->lock); unseen(n); unlock(s->lock); return 0;", DETACHED + r"\n.*if .unseen. does not switch"),
    ("pointer", "lock(s->lock); pointer(); unlock(s->lock); return 0;",
     DETACHED + r"\n.*if what it calls through a pointer does not switch"),
    ("result", "lock(s->lock); int r = s->value; unlock(s->lock); return r;", AWAITED + "its result .r. is used"),
    ("frame", "int a[4] = {0}; lock(s->lock); a[n] = s->value; unlock(s->lock); return a[1];",
     AWAITED + "its result .a. is used"),
    ("way", "lock(s->lock); if (s->value) { unlock(s->lock); return 1; } unlock(s->lock); return 0;",
     AWAITED + "what follows depends on where it ends"),
    ("through a pointer", "lock(s->lock); *result = s->value; unlock(s->lock); return 0;",
     AWAITED + "it may change what .result. leads to"),
    ("switches", "lock(s->lock); task_yield(); unlock(s->lock); return 0;", CANNOT + "it switches, in .task_yield."),
    ("switches below", "lock(s->lock); helper_of_all(s); unlock(s->lock); return 0;",
     CANNOT + "it switches, in .task_yield."),
    ("second lock", "lock(s->lock); other_lock(global); number++; other_unlock(global); unlock(s->lock); return 0;",
     CANNOT + "it switches, in .other_lock."),
    ("hand over hand", "lock(s->lock); lock(global); unlock(s->lock); number++; unlock(global); return 0;",
     CANNOT + "it switches, in .lock."),
    ("leaves", "lock(s->lock); s->value++; return 0;", CANNOT + "it leaves the function with the lock held"),
    ("leaves early", "lock(s->lock); if (s->value) return 1; unlock(s->lock); return 0;",
     CANNOT + "it leaves the function with the lock held"),
    ("another lock's end", "lock(s->lock); s->value++; unlock(global); return 0;",
     CANNOT + "it leaves the function with the lock held"),
    ("again", "lock(s->lock); s->value++; lock(s->lock); unlock(s->lock); return 0;",
     CANNOT + "its lock is taken again before it is given up"),
    ("endless", "lock(s->lock); for (;;) s->value++;", CANNOT + "it has no end"),
    ("without the lock", "if (n) { lock(s->lock); number = 1; } s->value++; unlock(s->lock); return 0;",
     CANNOT + "a part of it also runs without the lock"),
    ("may fail", "if (fallible_lock(s->lock)) return 1; s->value++; fallible_unlock(s->lock); return 0;",
     CANNOT + "its lock may fail"),
    ("thread's own", "lock(s->lock); s->value += mine; unlock(s->lock); return 0;",
     CANNOT + "it uses what each thread has of its own"),
    ("errno", "lock(s->lock); s->value = errno; unlock(s->lock); return 0;",
     CANNOT + "it uses what each thread has of its own"),
)
CXX = """
struct mutex { void Lock(); void Unlock(); };
struct MutexLock { explicit MutexLock(mutex *m) : m(m) { m->Lock(); } ~MutexLock() { m->Unlock(); } mutex *m; };
struct text { text(); text(const text &); ~text(); void append(int); int length; };
struct shared {
	mutex m;
	int value;
	text said;
	int f(int n, int *result);
};
"""
IN_CXX = (
    ("guard", "{ MutexLock hold(&m); value *= n; } return 0;", DETACHED),
    ("methods", "m.Lock(); value *= n; m.Unlock(); return 0;", DETACHED),
    ("guard, result", "MutexLock hold(&m); return value * n;", AWAITED),
    ("guard, ways", "MutexLock hold(&m); if (n) { value = 1; return 1; } return 0;", AWAITED),
    ("temporary", "{ MutexLock hold(&m); text copy(said); copy.append(n); value = copy.length; } return 0;",
     DETACHED + r"\n.*if .*text.* does not switch"),
    ("through a pointer", "{ MutexLock hold(&m); *result = n; } return 0;", AWAITED + "it may change what .result."),
)
NOTE = re.compile(r"note: heddle: (.*)")


def advice(place, name, text, language):
    """What the compiler says, a line each."""
    folder = place.folder / "delegable"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{re.sub('[^a-z]', '-', name)}.{language}"
    source.write_text(text, encoding="ascii")
    said = []
    for more in ((), ("-fplugin-arg-heddle-off",)):
        status, _, errors = bench.execute([
            *place.language(source), "-O2", *place.with_plugin("delegable"), *more, "-S", source,
            "-o", source.with_suffix(".s")], bench.COMPILE_LIMIT)
        if status:
            raise bench.Broken(errors)
        said.append("\n".join(NOTE.findall(errors)))
    return said


def judge(place, name, text, expected, language):
    with_checks, without = advice(place, name, text, language)
    if with_checks != without:
        return [f"with checks it says: {with_checks}", f"without: {without}"]
    if re.match(f"this section {expected}", with_checks):
        return []
    return [f"expected: {expected}", f"it says: {with_checks}"]


def nothing(place):
    """No lock, no advice; nor for readers and trials."""
    text = C + ("int read_lock(struct lock *), read_unlock(struct lock *), try_lock(struct lock *);\n"
                "int heddle_clock(void);\n"
                "int f(struct shared *s) { int n = heddle_clock(); read_lock(s->lock); n += s->value;"
                " read_unlock(s->lock); if (try_lock(s->lock)) unlock(s->lock); return n; }\n")
    said = advice(place, "nothing", text, "c")
    return [f"it says: {said[0]}"] if any(said) else []


def cases(place, long):
    del long
    for name, body, expected in IN_C:
        text = C + f"int f(struct shared *s, int n, int *result, void (*pointer)(void))\n{{ {body} }}\n"
        yield f"delegable: {name}", lambda name=name, text=text, expected=expected: judge(
            place, name, text, expected, "c")
    for name, body, expected in IN_CXX:
        text = CXX + f"int shared::f(int n, int *result)\n{{ {body} }}\n"
        yield f"delegable, C++: {name}", lambda name=name, text=text, expected=expected: judge(
            place, f"cxx {name}", text, expected, "cc")
    yield "delegable: nothing to say", lambda: nothing(place)
