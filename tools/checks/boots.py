"""`make boots`: a boot that other programs delayed is not a failure, but one that hangs is."""

import contextlib
import io
import json
import os
import tempfile
from types import SimpleNamespace

from harness import emulator, process

from . import scripts
from .case import Group, run_functions

NEEDS = ()  # it runs nothing that is built
LIMIT = 100  # seconds on two processors
GOOD = SimpleNamespace(timed_out=False, seconds=2.0)
HUNG = SimpleNamespace(timed_out=True, seconds=float(LIMIT))


def run(*tries):
    """Boot once, with given outcomes of the tries: how each ended, and the processor seconds that it and others had.
    Returns (status of the verdict, output, the journal's line, whether the log is kept)."""
    boots, left = scripts.load("tools/verify/boots"), list(tries)
    clocks = SimpleNamespace(own=0.0, busy=0.0)

    def follow(command, limit, on_line):
        end, used, others = left.pop(0)
        on_line(f"a try of {limit} s")
        clocks.own, clocks.busy = clocks.own + used, clocks.busy + used + others
        return process.Outcome(command, status=emulator.EXIT_SUCCESS, timed_out=end.timed_out, seconds=end.seconds)

    boots.emulator = SimpleNamespace(**{**vars(emulator), "follow": follow, "command": lambda machine: ["qemu"]})
    boots.explain = SimpleNamespace(explain_emulator=lambda outcome: ["the time was over"] if outcome.timed_out else [],
                                    wrong_results=lambda outcome, count: [])
    boots.own_seconds, boots.busy_seconds, boots.PROCESSORS = lambda: clocks.own, lambda: clocks.busy, 2
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as boots.FOLDER, contextlib.redirect_stdout(said):
        journal, boot = boots.Journal("kernel", True), boots.Boot(64, 0)
        journal.add(boot, boots.boot_fed(boot, "kernel"))
        status = boots.verdict(journal.done)
        with open(journal.path, encoding="utf-8") as file:
            line = json.loads(file.read())
        kept = os.path.exists(boot.log())
    assert not left, f"{len(left)} tries were not made"
    return status, said.getvalue(), line, kept


def test_a_starved_boot_is_booted_again():
    status, said, line, kept = run((HUNG, 3.0, 2 * LIMIT - 3.0), (GOOD, 3.0, 1.0))
    assert status == 0 and not line["failed"], f"status {status}: {said}"
    assert "try 1 of 3, was starved: in 100 s it had 3.0 s of the host's processors, others 197.0 s" in said, said
    assert "tries that were starved: 1; logs: " in said and "1 boots: 0 failed, 0 slow" in said, said
    assert line["starved"] == [{"seconds": LIMIT, "used": 3.0, "others": 197.0}], line
    assert line["seconds"] == GOOD.seconds, f"the times of a starved try were kept: {line}"
    assert kept, "the log of the starved try is gone"


def test_a_boot_that_is_always_starved_has_failed():
    status, said, line, _ = run(*[(HUNG, 3.0, 2 * LIMIT - 3.0)] * 3)
    assert status == 1 and line["failed"] and len(line["starved"]) == 3, f"status {status}: {line}"
    assert "try 3 of 3, was starved" in said and "1 boots: 1 failed" in said, said


def test_a_boot_that_hangs_has_failed_at_once():
    for name, used, others in (
        ("in a loop, beside others that take what they can get", LIMIT, LIMIT),
        ("halted, on a host that is idle", 3.0, 1.0),
        ("halted, beside others that leave a processor idle", 3.0, LIMIT),
    ):
        status, said, line, kept = run((HUNG, used, others))
        assert status == 1 and line["failed"] and line["starved"] == [] and kept, f"{name}: status {status}: {said}"
        assert "starved" not in said, f"{name}: {said}"


def test_a_good_boot_is_booted_once():
    status, said, line, kept = run((GOOD, 0.1, 3.9))
    assert status == 0 and line["starved"] == [] and not kept, f"status {status}: {said}"


def groups():
    module = __import__(__name__, fromlist=["x"])
    return [Group("boots: a boot that others kept from running", lambda: run_functions(module), alone=True)]
