"""Programs outside the tree are built with only the public headers and the library, and run."""

import os
import re
import shutil
import subprocess
import tempfile

from harness import explain, process

from .case import Case, Group, failed, verdict

NEEDS = ("build/hosted/libheddle.a",)
# A program, and its output.
PROGRAMS = (
    ("user/demo/embedding/main.c", (r"divisible by 3: 1000000 ", r"divisible by 7: 1000001 ", r"left behind: 0")),
    ("tools/checks/restart.c", (r"below 100: 328350", r"below 100: 328350")),
    ("tools/checks/stop.c", (r"60 stops, 0 with work undone",)),
    ("tools/checks/outside.c", (r"the game is over: 0",)),
    ("tools/checks/run_with.c", (r"^1 1 1 1; an argument",)),
)


def build_and_run(program, patterns):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree("user/include", os.path.join(folder, "include"))
        shutil.copy(program, os.path.join(folder, "program.c"))
        shutil.copy("build/hosted/libheddle.a", folder)
        command = "gcc -std=gnu11 -Wall -Wextra -Werror -Iinclude program.c libheddle.a -pthread -o program".split()
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return failed(program, ["it cannot be built:", *done.stderr.splitlines()])
        outcome = process.follow([os.path.join(folder, "program")], 30)
    said = [line for line in outcome.lines if line]
    as_wanted = len(said) == len(patterns) and all(map(re.search, patterns, said))
    if outcome.status == 0 and as_wanted:
        return verdict(program, [])
    end = "it was not done in time" if outcome.timed_out else f"it ended with status {outcome.status}"
    return failed(program, [f"{end}; it printed:", *explain.last_lines(outcome), *outcome.errors.splitlines()])


CPLUSPLUS = """#include <heddle/barrier.h>
#include <heddle/channel.h>
#include <heddle/condition.h>
#include <heddle/event.h>
#include <heddle/host.h>
#include <heddle/latch.h>
#include <heddle/mutex.h>
#include <heddle/program.h>
#include <heddle/reader_writer_lock.h>
#include <heddle/semaphore.h>
#include <heddle/system.h>
#include <heddle/task.h>
using namespace heddle;
static mutex locked = HEDDLE_MUTEX_INITIALIZER;
static semaphore permits = HEDDLE_SEMAPHORE_INITIALIZER(1);
static reader_writer_lock shared = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
static condition changed = HEDDLE_CONDITION_INITIALIZER;
static barrier met = HEDDLE_BARRIER_INITIALIZER(1);
static latch done = HEDDLE_LATCH_INITIALIZER(1);
static event happened = HEDDLE_EVENT_INITIALIZER;
static intptr_t wrong()
{
    return mutex_lock(&locked) || condition_notify_all(&changed) || mutex_unlock(&locked) ||
           semaphore_acquire(&permits, 1) || semaphore_release(&permits, 1) || reader_writer_lock_write(&shared) ||
           reader_writer_lock_write_unlock(&shared) || barrier_wait(&met, nullptr) ||
           latch_count_down(&done, 1) || latch_wait(&done) || event_set(&happened) || event_wait(&happened);
}
static intptr_t run(void *) { return wrong() ? 0 : heddle_processors(); }
int main() { intptr_t count = 0; heddle_start("processors=2"); heddle_run(run, nullptr, &count);
return heddle_stop() || count != 2; }
"""


def from_cplusplus():
    """The public headers are also valid C++, and what they declare links."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        with open(program + ".cpp", "w", encoding="utf-8") as file:
            file.write(CPLUSPLUS)
        command = f"g++ -std=c++17 -Wall -Wextra -Werror -Iuser/include {program}.cpp build/hosted/libheddle.a -pthread"
        done = subprocess.run([*command.split(), "-o", program], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return failed("C++17", ["it cannot be built:", *done.stderr.splitlines()])
        outcome = process.follow([program], 30)
    return verdict("C++17", [] if outcome.status == 0 else [f"it ended with status {outcome.status}"])


EXAMPLE = "tools/plugin/example"
EXAMPLE_COMMANDS = (
    "gcc -O2 -Wall -Wextra -Werror -fplugin=./heddle.so -Iinclude -c tasks.c",
    "gcc -O2 -Wall -Wextra -Werror -Iinclude -c main.c",
    "gcc main.o tasks.o libheddle.a -pthread -o race",
)


def with_plugin():
    """A task outside the tree, compiled with one more option."""
    with tempfile.TemporaryDirectory() as parent:
        folder = os.path.join(parent, "example")
        shutil.copytree(EXAMPLE, folder)
        shutil.copytree("user/include", os.path.join(folder, "include"))
        for file in ("build/plugin/heddle.so", "build/hosted/libheddle.a"):
            shutil.copy(file, folder)
        for command in EXAMPLE_COMMANDS:
            done = subprocess.run(command.split(), cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                return failed(EXAMPLE, [f"{command}:", *done.stderr.splitlines()])
        outcome = process.follow([os.path.join(folder, "race")], 30)
        if outcome.status != 0 or not re.search("10 runners finished .* again and again", "".join(outcome.lines)):
            return failed(EXAMPLE, [f"it ended with status {outcome.status}:", *explain.last_lines(outcome)])
        return refuses_without_note(folder)


def refuses_without_note(folder):
    """What `make` does before it links: main.o has no note."""
    objects = [os.path.join(folder, name) for name in ("tasks.o", "main.o")]
    done = subprocess.run(["tools/plugin/notes", *objects], capture_output=True, text=True, check=False)
    said = done.stderr.splitlines()
    right = done.returncode != 0 and len(said) == 1 and "main.o: it was compiled without the plugin" in said[0]
    return verdict(EXAMPLE, [] if right else ["an object without a note was not refused:", *said])


GROWING = "-U_FORTIFY_SOURCE -fplugin=build/plugin/heddle.so -fsplit-stack -mno-red-zone -DHEDDLE_STACKS_GROW"
# When the dynamic linker resolves calls late, or each again, it needs much stack.
GROWN = [("tools/checks/recursion.c", "", ["env", "LD_BIND_NOT=1"], "40000 levels"),
         ("tools/checks/foreign.c", "-Wl,-z,lazy", [], "50 of 50 tasks")]


def with_stacks_that_grow(name, linked, environment, line):
    """As described in the README."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        for command in (
            f"gcc -O2 -Wall -Wextra -Werror {GROWING} -Iuser/include -c {name} -o {program}.o",
            f"gcc {program}.o build/hosted/libheddle.a -pthread {linked} -o {program}",
        ):
            done = subprocess.run(command.split(), capture_output=True, text=True, check=False)
            if "currently only supported on" in done.stderr:
                return Case(name, "skipped", ["the compiler has no -fsplit-stack"])
            if done.returncode != 0:
                return failed(name, [f"{command}:", *done.stderr.splitlines()])
        outcome = process.follow([*environment, program], 60)
    if outcome.status == 0 and line in "".join(outcome.lines):
        return verdict(name, [])
    said = [*explain.last_lines(outcome), *outcome.errors.splitlines()]
    return failed(name, [f"it ended with status {outcome.status}:", *said])


def groups():
    def cases():
        outside = [build_and_run(program, patterns) for program, patterns in PROGRAMS]
        return outside + [from_cplusplus(), with_plugin()] + [with_stacks_that_grow(*each) for each in GROWN]

    return [Group("hosted: the library in programs outside the tree", cases)]
