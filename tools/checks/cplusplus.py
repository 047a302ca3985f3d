"""The C++ headers outside the tree: a program that delegates, and what cannot be delegated, refused with a sentence."""

import os
import re
import subprocess
import tempfile

from harness import process

from .building import make
from .case import Group, failed, verdict

LOCKABLE = "tools/checks/lockable.cc"
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

# A call in a function with a lock, and what the compiler must say.
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


def standard():
    """The standard library's locks on ours, with checks and without."""
    success, lines = make("hosted", "plugin")
    if not success:
        return [failed("the library is built", lines)]
    cases = []
    for title, plugin in (("without checks", []), ("with checks", ["-fplugin=build/plugin/heddle.so"])):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            command = ["g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", *plugin, "-Iuser/include", LOCKABLE,
                       "build/hosted/libheddle.a", "-pthread", "-o", program]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                cases.append(failed(title, ["it cannot be built:", *done.stderr.splitlines()]))
                continue
            outcome = process.follow([program], 60)
        good = outcome.status == 0 and list(outcome.lines) == ["done"]
        cases.append(verdict(title, [] if good else [f"it ended with status {outcome.status}", outcome.errors]))
    return cases


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
            Group("C++: what cannot be delegated", refused)]
