"""The C++ headers outside the tree: a program that delegates, and code that the compiler must refuse with a
sentence."""

import os
import re
import subprocess
import tempfile

from harness import process

from .building import make
from .case import Group, failed, verdict

LOCKABLE = "tools/checks/lockable.cc"
EXCEPTIONS = "tools/checks/exceptions.cc"
BESIDE_STD = "tools/checks/beside_std.cc"
# They give the system's names new meanings, which those of the C++ library cannot have: it is built on the others.
INSTEAD = {"pthread.h", "pthread_names.h", "pthread_types.h", "threads.h"}
FLAGS = "-std=c++17 -O2 -fno-exceptions -fno-rtti -Wall -Wextra -Werror".split()

PROGRAM = """#include <heddle/host.h>
#include <heddle/qd.hpp>
static heddle::mrqdlock lock;
static heddle::qdlock other;
static int value = 2;
static void multiply(int *a, int b) { *a *= b; }
static intptr_t task(void *)
{
    int seen = 0;
    lock.delegate_n<&multiply>(&value, 3);
    auto future = lock.delegate_f([](int *a) { return ++*a; }, &value);
    other.delegate_wait([&] { seen = value; });
    heddle::mrqd_read_guard guard(lock.native());
    return guard && future.get() == 7 && seen == 7;
}
int main() { intptr_t right = 0; heddle_start("processors=2"); heddle_run(task, nullptr, &right);
return heddle_stop() || right != 1; }
"""

# A call in a function that has a lock, and the compiler's error.
REFUSED = (
    ("lock.delegate_n([](int &a) { a = 1; }, number);", r"parameter that is a reference must be const"),
    ("lock.delegate_n([](int) {}, name);", r"cannot be called with copies of these arguments"),
    ("lock.delegate_n([](single) {}, only);", r"must be copyable, or be moved"),
    ("single section; lock.delegate_n(section);", r"the section is copied into the message"),
    ("lock.delegate_n([](large) {}, large());", r"can never fit into this lock's queue"),
    ("lock.delegate_n([](wide) {}, wide());", r"no argument may need more"),
    ("lock.delegate_n(&large::size, large());", r"a pointer to a member is no section"),
    ("lock.delegate_f([] { return large(); });", r"room for HEDDLE_FUTURE_ROOM"),
    ("lock.delegate_f([&]() -> int & { return number; });", r"has no reference"),
    ("lock.delegate_wait([](int) {});", r"without parameters"),
    ("heddle::sized_qdlock<3> odd;", r"power of two of slots"),
)

AROUND = """#include <heddle/qd.hpp>
struct single { single(); single(const single &) = delete; void operator()() const; };
struct large { char bytes[9000]; int size() const; };
struct alignas(32) wide { int number; };
void function(heddle::qdlock &lock, int number, const char *name, single &only)
{
    (void)lock, (void)number, (void)name, (void)only;
    %s
}
"""


def compiled(text, folder, *arguments):
    source = os.path.join(folder, "program.cc")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    command = ["g++", *FLAGS, "-Iuser/include", source, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def outside():
    success, lines = make("hosted")
    if not success:
        return [failed("the library is built", lines)]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        done = compiled(PROGRAM, folder, "build/hosted/libheddle.a", "-pthread", "-o", program)
        if done.returncode != 0:
            return [failed("a C++ program", ["it cannot be built:", *done.stderr.splitlines()])]
        outcome = process.follow([program], 30)
    return [verdict("a C++ program", [f"it ended with status {outcome.status}"] if outcome.status else [])]


PLUGIN = "-fplugin=build/plugin/heddle.so"
GROWING = f"{PLUGIN} -fsplit-stack -mno-red-zone -DHEDDLE_STACKS_GROW"


def built(source, options, program):
    """What the compiler says; nothing: the program was built."""
    command = ["g++", "-O2", "-Wall", "-Wextra", "-Werror", *options.split(), "-Iuser/include", source,
               "build/hosted/libheddle.a", "-pthread", "-o", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return ["it cannot be built:", *done.stderr.splitlines()] if done.returncode != 0 else []


def built_and_run(title, source, options, said):
    """Whether a program builds with these options, ends with 0 and prints these lines."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        wrong = built(source, options, program)
        if wrong:
            return failed(title, wrong)
        outcome = process.follow([program], 60)
    good = outcome.status == 0 and list(outcome.lines) == said
    return verdict(title, [] if good else [f"it ended with status {outcome.status}", outcome.errors])


def of_each(source, variants, said):
    success, lines = make("hosted", "plugin")
    if not success:
        return [failed("the library is built", lines)]
    return [built_and_run(title, source, options, said) for title, options in variants]


def standard():
    """The standard library's locks on ours, with and without checks."""
    return of_each(LOCKABLE, [("without checks", "-std=c++17"), ("with checks", f"-std=c++17 {PLUGIN}")], ["done"])


# Cases of EXCEPTIONS, and what is said where no caller is left and the process ends.
THROWN = {"waited-for": None, "another": None, "promise": None, "arguments": None, "guard": None,
          "alone": "heddle: a section of delegate_n() has thrown, and no task waits for it",
          "c": "terminate called after throwing",
          "generator": "heddle: an exception has left the function of a generator"}


def thrown_in(variant, options):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        wrong = built(EXCEPTIONS, options, program)
        if wrong:
            return [failed(variant, wrong)]
        for name, sentence in THROWN.items():
            outcome = process.follow([program, name], 60)
            lines = list(outcome.lines)
            good = outcome.status == -6 and not lines and sentence in outcome.errors if sentence else \
                outcome.status == 0 and lines == ["done"]
            yield verdict(f"{variant}: {name}", [] if good else [
                "it hangs" if outcome.timed_out else f"it ended with status {outcome.status}", *lines, outcome.errors])


def exceptions():
    success, lines = make("hosted", "plugin")
    if not success:
        return [failed("the library is built", lines)]
    return [case for variant, options in (
        ("without checks", "-std=c++17"), ("with checks", f"-std=c++20 {PLUGIN}"),
        ("on stacks that grow", f"-std=c++17 {GROWING}")) for case in thrown_in(variant, options)]


def beside_std():
    """All headers below `using namespace std`, in each available standard."""
    with open(BESIDE_STD, encoding="utf-8") as file:
        included = set(re.findall(r"#\s*include <heddle/([\w.]+)>", file.read()))
    own = {name for name in os.listdir("user/include/heddle") if "." in name}
    there = own - INSTEAD
    missing = [f"it does not include {name}" for name in sorted(there - included)]
    return [verdict("every header", missing), *of_each(BESIDE_STD, [
        ("C++17", "-std=c++17"), ("C++20, with checks", f"-std=c++20 {PLUGIN}"),
        ("C++23, on stacks that grow", f"-std=c++23 {GROWING}")], [])]


def refused():
    cases = []
    for call, pattern in REFUSED:
        with tempfile.TemporaryDirectory() as folder:
            done = compiled(AROUND % call, folder, "-fsyntax-only")
        sentences = [] if re.search(f"static assertion failed: .*{pattern}", done.stderr) else [
            f"the compiler did not say \"{pattern}\":", *done.stderr.splitlines()[:12]]
        cases.append(verdict(call, sentences))
    return cases


def groups():
    return [Group("C++: the library", outside), Group("C++: the standard library's locks on ours", standard),
            Group("C++: what exceptions may cross", exceptions),
            Group("C++: beside the standard library's names", beside_std),
            Group("C++: what cannot be delegated", refused)]
