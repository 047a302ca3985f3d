"""The runner of the peers: a peer that crashes, hangs or prints nonsense, a journal cut short, a run that resumes."""

import functools
import json
import os
import subprocess
import sys
import tempfile

from harness import json_lines, process
from measure.peers import build, heddle, languages, measure, native, outcome, rows, store, table

from .case import Group, run_functions

NEEDS = ()  # it runs nothing that is built
ROW = rows.Row("yield", "a yield", "yield", "switch", 1, {"tasks": 10})
TIMEOUT = 1.0
GOOD = "echo result yield peer=NAME ns=12.5 operations=10"


def quiet(text, stays=False):
    del text, stays


def entry(peer, script, command=None, read=None):
    """A peer that is one line of shell."""
    command = command or ["sh", "-c", script.replace("NAME", peer)]
    read = read or functools.partial(outcome.read, "yield", peer)
    return measure.Entry(ROW, peer, command, {"tasks": 10}, {"compiler": "sh"}, "0", read)


def measured(entries, wanted=2, sampled=quiet):
    measure.run(entries, wanted, TIMEOUT, sampled, quiet)
    return {line["peer"]: line for line in store.results(entries, [], wanted, rows.QUICK, {})}


def expect_failure(script, *words, command=None):
    """A peer that fails has no figure, and others keep theirs."""
    lines = measured([entry("heddle", GOOD), entry("odd", script, command)])
    assert lines["heddle"]["outcome"] == "measured" and lines["heddle"]["complete"], lines["heddle"]
    assert lines["odd"]["outcome"] == "failed", lines["odd"]
    assert not [key for key in lines["odd"] if key.endswith("_ns") or "ratio" in key], "a figure that was not measured"
    for word in words:
        assert word in lines["odd"]["reason"], f"\"{word}\" was not said: {lines['odd']['reason']}"
        assert word in table.text(list(lines.values())), f"\"{word}\" is not in the table"


def test_figures_are_medians_with_spread_and_ratio():
    lines = measured([entry("heddle", GOOD), entry("fast", GOOD.replace("12.5", "5"))], 3)
    assert lines["fast"]["samples_ns"] == [5.0] * 3 and lines["fast"]["median_ns"] == 5.0, lines["fast"]
    assert lines["fast"]["ratio_to_heddle"] == 0.4 and lines["heddle"]["ratio_to_heddle"] == 1.0, lines
    found = store.figures([1.0, 2.0, 3.0, 4.0, 100.0])
    assert (found["minimum_ns"], found["lower_quartile_ns"], found["median_ns"], found["upper_quartile_ns"]) == (
        1.0, 2.0, 3.0, 4.0), found


def test_the_last_line_of_a_row_is_the_best_peer():
    def last(*peers):
        entries = [entry(peer, GOOD.replace("12.5", cost)) for peer, cost in peers]
        measured(entries)
        return table.text(store.results(entries, [], 2, rows.QUICK, {})).splitlines()[-1].split()

    slow, fast = ("slow", "25"), ("fast", "5")
    assert last(("heddle", "10"), slow, fast, ("heddle-other", "1")) == ["best", "peer:", "fast", "5.00", "0.50"]
    assert last(("heddle", "10"), slow)[2:] == ["slow", "25.00", "2.50"], "the best one may be behind Heddle"
    assert last(("heddle", "10"))[0] == "heddle", "there is no peer"


def test_a_peer_that_crashes_is_named():
    expect_failure("echo last words >&2; kill -SEGV $$", "SIGSEGV", "last words")


def test_a_peer_that_hangs_is_ended():
    expect_failure("sleep 100", "the time was over")


def test_a_peer_that_finds_its_result_wrong_is_named():
    expect_failure("echo yield: the result is wrong >&2; exit 1", "exit code 1", "the result is wrong")


def test_a_peer_that_crashes_behind_its_result_has_no_figure():
    expect_failure(f"{GOOD}; kill -ABRT $$", "SIGABRT")


def test_a_peer_that_prints_nonsense_is_named():
    expect_failure("echo hello", "0 result lines")
    expect_failure(f"{GOOD}; {GOOD}", "2 result lines")
    expect_failure("printf 'result yield peer=odd n'", "cut or damaged")
    expect_failure("echo result yield peer=odd ns=nan operations=10", "cut or damaged")
    expect_failure("echo result yield peer=odd ns=0.0 operations=10", "cannot be")
    expect_failure("echo result yield peer=odd ns=1.2.3 operations=10", "cannot be")
    expect_failure("echo result create peer=odd ns=5 operations=10", "another program")
    expect_failure("printf '\\377\\000result\\n'", "0 result lines")


def test_a_peer_that_does_other_work_has_no_figure():
    expect_failure(GOOD.replace("operations=10", "operations=5"), "5 operations where Heddle did 10")


def test_a_peer_that_cannot_be_started_is_named():
    expect_failure("", "could not be started", command=["/no/such/program"])


def test_a_failure_later_takes_the_figure_back():
    with tempfile.TemporaryDirectory() as folder:
        expect_failure(f"{GOOD}; [ ! -e {folder}/second ] && touch {folder}/second || exit 7", "exit code 7")


def test_a_wrong_result_of_heddle_is_no_figure():
    good = ('{"benchmark":"switch","variant":"local","processors":1,"operations":10,"seconds":0.5,'
            '"ns_per_operation":12.5,"ok":true}')
    read = functools.partial(heddle.Heddle.read, ROW, None)
    for text, words in ((f"{good}\n{good.replace('true', 'false')}", "its own check"), (good, "instead of 2"),
                        (good[:50], "cut or damaged"), ("", "no result line")):
        lines = measured([entry("heddle", "", ["printf", "%s\n", text], read)])
        assert words in lines["heddle"].get("reason", "no reason"), lines["heddle"]
    lines = measured([entry("heddle", "", ["printf", "%s\n", f"{good}\n{good}"], read)])
    assert lines["heddle"]["median_ns"] == 12.5, lines["heddle"]


def counted(folder, peer):
    """A peer that leaves a line for each of its runs."""
    return entry(peer, f"echo >> {folder}/{peer}; {GOOD}")


def runs_of(folder, peer):
    with open(f"{folder}/{peer}", encoding="ascii") as file:
        return len(file.readlines())


def test_a_run_that_was_ended_resumes():
    with tempfile.TemporaryDirectory() as folder:
        journal = store.Journal(f"{folder}/journal")
        samples = []

        def end_after_three(measured_entry):
            journal.add(measured_entry)
            samples.append(measured_entry)
            if len(samples) == 3:
                raise SystemExit(1)

        first = [counted(folder, "heddle"), counted(folder, "other")]
        try:
            measured(first, 2, end_after_three)
            raise AssertionError("it was not ended")
        except SystemExit:
            journal.close(remove=False)
        cut = store.results(first, [], 2, rows.QUICK, {})
        assert sum(line["complete"] for line in cut) == 1, cut
        assert "heddle (1 of 2 runs)" in table.text(cut), table.text(cut)
        again = [counted(folder, "heddle"), counted(folder, "other")]
        assert journal.resume(again, 2) == (3, 0, 0)
        lines = measured(again, 2, journal.add)
        journal.close(remove=True)
        assert all(line["complete"] for line in lines.values()), lines
        assert runs_of(folder, "heddle") == runs_of(folder, "other") == 2
        assert not os.path.exists(journal.path)


def test_a_journal_cut_short_keeps_what_is_whole():
    with tempfile.TemporaryDirectory() as folder:
        journal = store.Journal(f"{folder}/journal")
        measured([entry("heddle", GOOD)], 3, journal.add)
        journal.close(remove=False)
        with open(journal.path, "r+b") as file:
            file.truncate(os.path.getsize(journal.path) - 20)
        again = entry("heddle", GOOD)
        assert journal.resume([again], 3) == (2, 0, 1)
        measured([again], 3, journal.add)
        journal.close(remove=False)
        assert journal.resume([entry("heddle", GOOD)], 3) == (3, 0, 1), "the new sample ran into the line that was cut"
        with open(journal.path, "ab") as file:
            file.write(b'\xff\n[]\n7\n{"identity": {}, "ns": 1e999, "operations": 1, "seconds": 1}\n' + b"[" * 9999)
        assert journal.resume([entry("heddle", GOOD)], 3)[0] == 3


def test_samples_of_another_program_command_or_version_do_not_count():
    with tempfile.TemporaryDirectory() as folder:
        journal = store.Journal(f"{folder}/journal")
        measured([entry("heddle", GOOD)], 2, journal.add)
        journal.close(remove=False)
        for change in ({"program": "1"}, {"versions": {"compiler": "other"}}, {"command": ["true"]}, {"peer": "x"}):
            other = entry("heddle", GOOD)
            for name, value in change.items():
                setattr(other, name, value)
            assert journal.resume([other], 2) == (0, 2, 0), change


def test_results_are_whole_lines():
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/new/results.jsonl"
        entries = [entry("heddle", GOOD), entry("odd", "exit 3")]
        measured(entries, 1)
        skipped = [measure.Skipped("*", "gone", "it is not installed (package gone)")]
        json_lines.write(path, store.results(entries, skipped, 1, rows.QUICK, store.machine()))
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        assert [line["outcome"] for line in lines] == ["measured", "failed", "skipped"], lines
        assert all(line["machine"]["processor"] and line["date"] for line in lines), lines
        assert "skipped: gone: it is not installed" in table.text(lines)


def missing(action):
    try:
        action()
    except build.Missing as sentence:
        return str(sentence)
    raise AssertionError("it is not said to be missing")


def test_what_is_missing_is_named_with_its_package():
    assert "no-such-compiler is not installed (package its-package)" in missing(
        lambda: build.need("no-such-compiler", "its-package"))
    gone = native.Native("gone", "threads", "c++17", "no/such/header.hpp", "libgone-dev")
    assert "<no/such/header.hpp> is not installed (package libgone-dev)" in missing(gone.versions)
    assert "is not there; `make hosted`" in missing(heddle.Heddle("/no/heddle").versions)
    assert "ended with 1" in missing(lambda: build.tool_output(["false"]))


def test_each_peer_in_rust_has_its_rows_and_a_pinned_crate():
    for peer in languages.PEERS:
        if isinstance(peer, languages.Rust):
            assert peer.pinned().count(".") == 2, peer.name
            assert [row.name for row in rows.ROWS if peer.takes_part(row)], f"{peer.name} takes part in no row"


def test_a_program_of_a_peer_refuses_bad_words():
    peer = next(peer for peer in native.PEERS if peer.name == "pthread")
    command, _ = peer.prepare("yield")
    for word in ("tasks=0", "tasks=", "tasks=x", "tasks=1m", "tasks=99999999999999999999", "rounds", "size=1"):
        ended = process.follow([*command, word], 20)
        assert ended.status == 1 and word in ended.errors and not ended.lines, (word, ended)
    nanoseconds, operations, failure = outcome.read(
        "yield", "pthread", process.follow([*command, "tasks=2", "rounds=1k"], 20))
    assert failure is None and nanoseconds > 0 and operations == 2000, failure


def test_rows_of_several_processors_run_on_as_many_as_are_asked_for():
    found = {row.name: row for row in rows.on_processors(rows.ROWS, 16)}
    contended = found["mutex-contended"]
    assert "yield" not in found and all(row.processors == 16 for row in found.values()), found
    assert contended.title.endswith("16 processors"), contended
    assert "processors=16" in heddle.Heddle().command(contended, rows.QUICK), contended
    assert rows.on_processors(rows.ROWS, None) == rows.ROWS


def test_the_tool_refuses_bad_words():
    for words, said in ((["--profile", "slow"], "PROFILE=slow is not understood"), (["nonsense"], "no row nonsense"),
                        (["--runs", "0"], "a whole number from 1 on"), (["--peers", "cobol"], "no peer cobol"),
                        (["--processors", "1"], "PROCESSORS=1: processors, a whole number from 2"),
                        (["--processors", "x"], "PROCESSORS=x: processors, a whole number from 2"),
                        (["--processors", "2", "yield"], "none of these rows")):
        done = subprocess.run([sys.executable, "tools/measure/peers/run", *words], capture_output=True, text=True,
                              check=False, timeout=30)
        assert done.returncode != 0 and said in done.stderr and "Traceback" not in done.stderr, done


def groups():
    return [Group("peers: crash, hang, nonsense, a journal cut short", lambda: run_functions(sys.modules[__name__]))]
