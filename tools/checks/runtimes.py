"""The papers' locks in other runtimes: they exclude, lose nobody, hand over as they should; and what measures them."""

import os
import subprocess
import sys
import tempfile

from harness import process
from measure.peers import build
from measure.runtimes import plan, systems

from .case import Group, Skipped, failed, run_functions, verdict

NEEDS = ()  # it builds what it runs
SOURCES = "tools/checks/runtimes"
WARNINGS = "-Wall -Wextra -Werror -pthread -Itools/measure -Itools/measure/peers -Iuser/include".split()
TIMEOUT = 60


def compiled(folder, name, command):
    """(path, sentences if the compiler had something to say)."""
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
    return [f"{' '.join(command[1:])}: {how}", *outcome.errors.splitlines()[-20:], *outcome.lines[-5:]]


def fibers():
    """Without NDEBUG: the library's headers look at what they are asked to do."""
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
            Group("runtimes: what is measured", lambda: run_functions(sys.modules[__name__]))]
