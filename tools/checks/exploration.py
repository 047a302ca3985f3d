"""`make verify` with built-in errors that it cannot find: each is told, and the rest goes on."""

import contextlib
import io
import os
import pathlib
import sys
import tempfile
from unittest import mock

from . import scripts
from .case import Group, run_functions

NEEDS = ()  # it builds what it runs
CASE = "free_list"
FILE = "kernel/free_list.h"
TEXT = "(((top >> 32) + 1) << 32)"
FOUND = (FILE, TEXT, "((top >> 32) << 32)")
ENDLESS = "#!/bin/sh\nwhile :; do :; done\n"
CRASHING = "#!/bin/sh\necho '# a schedule'\necho 'out of' >&2\necho memory >&2\nkill -SEGV $$\n"


def run(errors, programs=None, limit=600):
    """Explore CASE with these errors; for some of them, scripts stand in the place of the explorer. Returns (status,
    the output from the errors on)."""
    verify, said = scripts.load("tools/verify/run"), io.StringIO()
    build_error = verify.build_error
    programs = programs or {}

    def build(name, error):
        if error not in programs:
            return build_error(name, error)
        path = pathlib.Path(folder, f"{name}-{error}")
        path.write_text(programs[error], encoding="ascii")
        os.chmod(path, 0o755)
        return path

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said), \
         mock.patch.object(sys, "argv", ["run", "--only", CASE]):
        verify.BUILD = verify.coverage.BUILD = pathlib.Path(folder)
        verify.build_error, verify.LIMIT = build, limit
        verify.CASES[CASE] = {**verify.CASES[CASE], "errors": errors}
        status = verify.main()
    lines = said.getvalue().splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("ok 4 "))
    return status, lines[first + 1 :]


def expect(outcome, *wanted):
    status, lines = outcome
    assert status == 1 and len(lines) == len(wanted), f"status {status}: {lines}"
    for line, start in zip(lines, wanted):
        assert line.startswith(start), f"'{start}' was not said, but '{line}'"


def test_a_search_without_end():
    expect(run({"never-found": FOUND, "found": FOUND}, {"never-found": ENDLESS}, limit=1),
           "not ok 5 free_list error never-found is not caught within 1 s",
           "ok 6 free_list error found is caught: free-list.", "1..6")


def test_an_error_that_is_none():
    expect(run({"harmless": (FILE, TEXT, f"({TEXT})"), "found": FOUND}),
           "not ok 5 free_list error harmless is not caught by schedules of up to ",
           "ok 6 free_list error found is caught: free-list.", "1..6")


def test_an_error_whose_text_is_missing():
    expect(run({"outdated": (FILE, "no such text", ""), "found": FOUND}),
           "# 'no such text' must be once in kernel/free_list.h, but is there 0 times",
           "not ok 5 free_list error outdated is not caught: nothing was explored",
           "ok 6 free_list error found is caught: free-list.", "1..6")


def test_an_error_that_is_no_c():
    status, lines = run({"no-c": (FILE, TEXT, "(+)"), "found": FOUND})
    expect((status, [line for line in lines if not line.startswith("# ")]),
           "not ok 5 free_list error no-c is not caught: nothing was explored",
           "ok 6 free_list error found is caught: free-list.", "1..6")
    assert lines[0] == "# gcc failed:" and any("error: " in line for line in lines), lines


def test_an_explorer_that_dies():
    expect(run({"dies": FOUND, "found": FOUND}, {"dies": CRASHING}),
           "# a schedule",
           "not ok 5 free_list error dies is not caught: the explorer ended with status -11: out of memory",
           "ok 6 free_list error found is caught: free-list.", "1..6")


def groups():
    return [Group("verify: built-in errors that are not caught", lambda: run_functions(sys.modules[__name__]),
                  alone=True)]
