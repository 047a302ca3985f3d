"""The papers' locks in other runtimes: mutual exclusion, no lost waiter, the right hand-over; and the tool that
measures them."""

import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from harness import parallel, process
from measure.peers import build
from measure.runtimes import plan, systems

from .building import make
from .case import Group, Skipped, failed, run_functions, verdict
from .library import GROWING

NEEDS = ()  # it builds what it runs
SOURCES = "tools/checks/runtimes"
# On one thread, which runs ready tasks one by one.
BY_HAND = ("coroutine_order", "coroutine_ends", "coroutine_leaving", "coroutine_depth")
ON_MANY = ("coroutines", "coroutine_cancellation")
# How they are built for tasks, and the machines that they run on. "inside": a task makes the executor, which can go on
# without memory; a stack that grows cannot.
MACHINES = ("processors=1", "processors=3 quantum=1")
WAYS = (("without checks", "", (*MACHINES, "inside+processors=2 fail=40+")), ("on stacks that grow", GROWING, MACHINES))
MISUSE = (
    ("unlock", "a mutex is unlocked that is not locked"),
    ("shared", "a shared mutex is unlocked that is not locked so"),
    ("locked", "a mutex is destroyed that is locked"),
    ("awaited", "an object is destroyed while a coroutine waits for it"),
    ("latch", "a latch is counted below 0"), ("twice", "a task is awaited twice"),
    ("shared-locked", "a shared mutex is destroyed that is locked"),
    ("channel", "a channel is destroyed while a coroutine waits for it"),
    ("held", "a mutex is unlocked that was given up before"),
    ("permits", "a semaphore has more permits than can be counted"), ("barrier", "a barrier is made for no coroutine"),
    ("ready", "a coroutine is destroyed that is ready to run"), ("executor", "a coroutine has no executor"),
    ("operation", "an operation is awaited twice"), ("stranger", "a coroutine was resumed by a stranger"),
    ("scope", "a mutex is unlocked that a `held` holds"), ("result", "a task's result is taken before it has ended"),
)
# What must not compile, and the sentence that says why.
UNCOMPILABLE = (
    ("cancellable, a result that is never empty", "co::cancellable one(by, number());",
     "whose result can be empty or false"),
    ("cancellable, a task", "co::cancellable one(by, task());", "takes an operation of an object"),
)
AROUND = """#include <heddle/coroutine.hpp>
namespace co = heddle::coroutine;
struct number { void cancel(co::line &) noexcept; int await_resume(); };
co::task<> task();
void f(co::cancellation &by) { %s }
"""
# At these GCC would resume each coroutine of a chain on the stack of the one before it.
UNOPTIMIZED = ("-O0", "-O1")
WARNINGS = "-Wall -Wextra -Werror -pthread -Itools/measure -Itools/measure/peers -Iuser/include".split()
TIMEOUT = 60


def compiled(folder, name, command):
    """(path, sentences if the compiler printed something)."""
    program = os.path.join(folder, name)
    done = subprocess.run([*command, "-o", program], capture_output=True, text=True, check=False)
    said = done.stderr.splitlines()
    return program, [f"it cannot be built: {' '.join(command)}", *said[:20]] if done.returncode else []


def ran(command):
    """Sentences on a run that did not end well."""
    outcome = process.follow(command, TIMEOUT)
    if outcome.status == 0:
        return []
    how = "it hangs" if outcome.timed_out else f"it ended with status {outcome.status}"
    return [f"{' '.join(command[1:])}: {how}", *outcome.errors.splitlines()[-20:], *list(outcome.lines)[-5:]]


def fibers():
    """Without NDEBUG: the library's headers check how they are used."""
    try:
        systems.Fibers().versions()
    except build.Missing as missing:
        raise Skipped(str(missing)) from None
    with tempfile.TemporaryDirectory() as folder:
        program, wrong = compiled(folder, "fibers", [
            "g++", "-std=c++17", "-O2", *WARNINGS, f"{SOURCES}/fibers.cc", "-lboost_fiber", "-lboost_context"])
        if wrong:
            return [failed("the locks for fibers", wrong)]
        return [verdict(f"the locks for fibers, {count} threads", ran([program, f"processors={count}"]))
                for count in (1, 2)]


def compilers():
    """The compilers of the header, with clang if it is installed, and how much of the test each can do."""
    yield "g++", ["g++", "-O2"]
    yield "g++ -O0", ["g++", "-O0", "-DFEW"]
    yield "g++, TSan", ["g++", "-O2", "-fsanitize=thread", "-DFEW"]
    yield "g++, ASan", ["g++", "-O2", "-fsanitize=address", "-DFEW"]
    if shutil.which("clang++"):
        yield "clang++", ["clang++", "-O2"]
        yield "clang++, ASan and UBSan", ["clang++", "-O1", "-fsanitize=address,undefined",
                                          "-fno-sanitize-recover=all", "-DFEW"]


def without_heddle():
    """The one file to copy, where there is nothing else of Heddle."""
    success, lines = make("coroutine-header")
    if not success:
        return [failed("the headers are joined", lines)]
    with tempfile.TemporaryDirectory() as folder:
        alone = os.path.join(folder, "heddle")
        os.mkdir(alone)
        for name in ("build/single/heddle/coroutine.hpp", "user/include/heddle/thread_executor.hpp"):
            shutil.copy(name, alone)

        def build_one(item):
            (title, compiler), source = item
            return compiled(folder, f"{source} {title}", [
                *compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-pthread", f"-I{folder}",
                f"{SOURCES}/{source}.cc"])

        items = [((title, compiler), source) for title, compiler in compilers() for source in (*BY_HAND, *ON_MANY)
                 if source in ON_MANY or "TSan" not in title]
        built = parallel.results([lambda item=item: build_one(item) for item in items])
        cases = [verdict(f"{source}, {title}", wrong or ran([program]))
                 for ((title, _), source), (program, wrong) in zip(items, built)]
        ends = os.path.join(folder, "coroutine_ends g++")
        return cases + stealing(folder) + uncompilable(folder) + [
            verdict(f"misuse: {name}", refused([ends, "misuse", name], sentence)) for name, sentence in MISUSE]


def stealing(folder):
    """Not inlined: the program looks at calls inside the executor."""
    program, wrong = compiled(folder, "stealing", [
        "g++", "-std=c++20", "-O0", "-finstrument-functions", "-rdynamic", "-Wall", "-Wextra", "-Werror", "-pthread",
        f"-I{folder}", f"{SOURCES}/coroutine_stealing.cc"])
    return [verdict("a thief wakes others", wrong or ran([program]))]


def uncompilable(folder):
    cases = []
    for title, line, sentence in UNCOMPILABLE:
        source = os.path.join(folder, "uncompilable.cc")
        with open(source, "w", encoding="utf-8") as file:
            file.write(AROUND % line)
        done = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", f"-I{folder}", source], capture_output=True,
                              text=True, check=False)
        said = f"not \"{sentence}\", but status {done.returncode}:"
        right = done.returncode != 0 and sentence in done.stderr
        cases.append(verdict(title, [] if right else [said, *done.stderr.splitlines()[:10]]))
    return cases


def refused(command, sentence):
    """Sentences, unless the program ended with that sentence."""
    outcome = process.follow(command, TIMEOUT)
    if outcome.status == -signal.SIGABRT and sentence in outcome.errors:
        return []
    return [f"it ended with status {outcome.status}, and said: {outcome.errors.strip()}"]


def on_heddle():
    """As tasks: compiled without checks, or with them and for stacks that grow; switched at each; without memory."""
    success, lines = make("hosted", "plugin")
    if not success:
        return [failed("the library is built", lines)]
    with tempfile.TemporaryDirectory() as folder:
        def build_one(item):
            (title, options, _), source = item
            name = f"{source} {title}"
            _, wrong = compiled(folder, f"{name}.o", [
                "g++", "-std=c++20", "-O2", "-DFEW", "-DON_HEDDLE", *options.split(), *WARNINGS, "-c",
                f"{SOURCES}/{source}.cc"])
            return (name, wrong) if wrong else compiled(folder, name, [
                "g++", os.path.join(folder, f"{name}.o"), "build/hosted/libheddle.a", "-pthread"])

        items = [*itertools.product(WAYS, ON_MANY), *(
            ((f"at {level}", level, MACHINES[:1]), "coroutine_depth") for level in ("-O2", *UNOPTIMIZED))]
        built = parallel.results([lambda item=item: build_one(item) for item in items])
        return [verdict(f"{source}, {title}",
                        wrong or [one for words in machines for one in ran([program, *words.split("+", 1)])])
                for ((title, _, machines), source), (program, wrong) in zip(items, built)]


def java():
    """The mutex in Java hands over as it should, and its program finds nothing wrong from inside."""
    system = systems.Java()
    try:
        system.versions()
    except build.Missing as missing:
        raise Skipped(str(missing)) from None
    command, _, _ = system.prepare("section", "exchange")
    *before, classes, _, _, _ = command
    with tempfile.TemporaryDirectory() as folder:
        compiler = process.follow(["javac", "--release", "17", "-cp", classes, "-d", folder,
                                   f"{SOURCES}/HandOver.java"], TIMEOUT)
        if compiler.status != 0:
            return [failed("it is compiled", compiler.errors.splitlines()[-10:])]
        cases = [verdict(f"order by {lock}", printed([*before, f"{classes}:{folder}", "HandOver", lock], order))
                 for lock, order in (("exchange", "0122'0'1'"), ("dispatch", "00'11'22'"))]
    small = ("tasks=300", "rounds=4", "size=10k", "primes=100")
    return cases + [verdict(f"section, {lock}, {count} carriers",
                            ran([*system.prepare("section", lock)[0], *small, f"processors={count}"]))
                    for lock, count in (("exchange", 1), ("exchange", 2), ("dispatch", 2), ("library", 2))]


def printed(command, expected):
    outcome = process.follow(command, TIMEOUT)
    if outcome.status == 0 and list(outcome.lines) == [expected]:
        return []
    return [f"not {expected}, but {list(outcome.lines)}", *outcome.errors.splitlines()[-5:]]


def tool(*words):
    return subprocess.run([sys.executable, "tools/measure/runtimes/measure", *words], capture_output=True, text=True,
                          check=False, timeout=TIMEOUT)


def test_the_tool_refuses_bad_words():
    for words, said in ((["--profile", "slow"], "PROFILE=slow: it is quick or full"),
                        (["--only", "Figure 99"], "ONLY=Figure 99: no scene's name holds that")):
        done = tool(*words)
        assert done.returncode != 0 and said in done.stderr and "Traceback" not in done.stderr, done


def test_each_point_is_one_of_a_system():
    names = {system.name for system in systems.SYSTEMS}
    for profile in plan.PROFILES:
        for scene in plan.scenes(profile):
            assert {one.system for one in scene.contenders} <= names, scene
            assert len(set(scene.contenders)) == len(scene.contenders), scene


def groups():
    return [Group("runtimes: the locks in Boost.Fiber", fibers),
            Group("runtimes: coroutines without Heddle", without_heddle),
            Group("runtimes: coroutines as tasks", on_heddle),
            Group("runtimes: the mutex in Java", java),
            Group("runtimes: what is measured", lambda: run_functions(sys.modules[__name__]))]
