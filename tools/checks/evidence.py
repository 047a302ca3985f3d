"""`make report`: small invented results, complete and damaged, and what the page and the summary make of them."""

import html.parser
import json
import os
import re
import sys
import tempfile

from measure.bench import plan, simulated
from measure.report import evidence, quantity, readme, rules, text, verdicts
from measure.report.papers import PAPERS
from measure.report.papers import simulated as places

from .case import Group, run_functions
from .tools import expect, run_tool

NEEDS = ()  # it runs nothing that is built
SUITE = {
    "format": 1, "row": "section", "system": "heddle", "setting": "hosted", "processors": 2, "policy": "local",
    "parameters": {"lock": "exchange", "section": "0"}, "program": "run=section,lock=exchange,section=0",
    "command": "a command", "variant": "exchange", "unit": "ns", "samples": [10.0 + run / 4 for run in range(9)],
    "also": {},
    "versions": {"heddle": "abc", "code": "one"}, "machine": "hosted, 2 processors", "host": "a host",
    "date": "2026-01-01T00:00:00+00:00",
}
PEER = {"row": "yield", "peer": "heddle", "processors": 1, "parameters": {"tasks": 10}, "outcome": "measured",
        "samples_ns": [20.0, 20.5, 20.8, 20.9, 21.0, 21.1, 21.2, 21.5, 22.0], "command": ["a", "command"],
        "versions": {"library": "Heddle abc"}}


def nine(value, spread=0.01):
    """Samples of nine runs around a value."""
    return [value * (1 + spread * (run - 4)) for run in range(9)]


def suite(lock="exchange", section="0", **changed):
    return {**SUITE, "parameters": {"lock": lock, "section": section}, "variant": lock, **changed}


def write(folder, source, lines):
    with open(os.path.join(folder, f"{source}.jsonl"), "w", encoding="utf-8") as file:
        file.write("".join(one if isinstance(one, str) else json.dumps(one) + "\n" for one in lines))


def loaded(**files):
    """The Evidence of files with these lines."""
    with tempfile.TemporaryDirectory() as folder:
        for source, lines in files.items():
            write(folder, source, lines)
        return evidence.load(folder)


def said(found, source):
    return [one.sentence for one in found.troubles if one.source == source]


def only_trouble(sentence, *lines):
    """Of the suite's file with these lines only the first remains, and the trouble has this text."""
    found = loaded(heddle=[suite(), *lines])
    assert len(found.measurements) == 1, found.measurements
    assert len(said(found, "heddle")) == 1 and sentence in said(found, "heddle")[0], said(found, "heddle")


def test_a_file_that_was_cut():
    only_trouble("cut short or damaged", json.dumps(suite("dispatch"))[:80])


def test_a_line_of_other_tools():
    only_trouble("another version of these tools", suite("dispatch", format=2))


def test_a_line_that_is_no_result():
    only_trouble("it names no row", "[1, 2]\n")


def test_samples_that_are_none():
    for samples in ([], [1.0, 0.0], [1.0, -2.0], ["a"], None, 5):
        only_trouble("no samples", suite("dispatch", samples=samples))
    only_trouble("no samples", json.dumps(suite("dispatch")).replace("10.0", "NaN") + "\n")


def test_a_median_that_contradicts_its_samples():
    only_trouble("is not that of its samples", suite("dispatch", median=99.0))


def test_another_version_of_the_code():
    old = suite("dispatch", versions={"heddle": "old", "code": "zero"}, date="2025-01-01T00:00:00+00:00")
    only_trouble("measured with another version, old", old)
    found = loaded(heddle=[suite()], linux=[{**suite(), "system": "linux", "versions": {"heddle": "old"}}])
    assert len(found.measurements) == 1 and "version old, the suite with abc" in said(found, "linux")[0], found.troubles
    same = loaded(heddle=[suite()], linux=[{**suite(), "system": "linux", "versions": {"heddle": "abc-dirty"}}])
    assert len(same.measurements) == 2, same.troubles


def test_a_failure_is_named_and_not_plotted():
    failure = {**suite(), "failure": "it failed its own check"}
    del failure["samples"]
    found = loaded(heddle=[suite(), suite("dispatch"), failure])
    assert [one.variant for one in found.measurements] == ["dispatch"], found.measurements
    assert "run=section,lock=exchange,section=0: it failed its own check" in said(found, "heddle")[0]
    again = loaded(heddle=[failure, suite()])
    assert len(again.measurements) == 1 and not said(again, "heddle"), again.troubles


def test_a_peer_that_crashed():
    crashed = {"row": "yield", "peer": "go", "outcome": "failed", "reason": "it was ended by SIGSEGV", "samples_ns": []}
    found = loaded(peers=[PEER, crashed])
    assert [one.who for one in found.measurements] == ["heddle"], found.measurements
    assert "SIGSEGV" in said(found, "peers")[0] and found.troubles_of({("peers", "yield")}), found.troubles


def test_files_that_are_missing_or_empty():
    found = loaded(linux=[], peers=["\n"])
    assert not found.measurements
    assert "make bench-linux" in said(found, "linux")[0] and "empty" in said(found, "linux")[0]
    assert "empty" in said(found, "peers")[0] and "not measured" in said(found, "heddle")[0]


def test_the_newest_line_counts():
    found = loaded(heddle=[suite(), suite(samples=[20.0])])
    assert [one.samples for one in found.measurements] == [(20.0,)], found.measurements


def test_counts_of_cache_lines():
    counts = {"coherence": "section", "lock": "exchange", "lines": 4, "length": "4", "processors": 64, "transfers": 5.5,
              "instructions": 100.0, "a_section": {"data": {"transfers": 0.0, "transfers_between_sockets": 0.0}}}
    found = loaded(coherence=[counts, {**counts, "lock": "mcs", "a_section": {"data": {"transfers": "many"}}}])
    assert [one.also["data"] for one in found.measurements] == [(0.0,)], found.measurements
    assert "no numbers" in said(found, "coherence")[0], found.troubles


def test_what_is_simulated_holds_in_all_or_cannot_be_told():
    def decided(*slower):
        lines = [suite(lock, setting="simulated", processors=256, samples=[time], parameters={
            "lock": lock, "section": "0", "machine": "epyc-2s", "costs": costs})
            for costs in places.COSTS
            for lock, time in (("exchange", 30.0 if costs in slower else 10.0), ("dispatch", 20.0))]
        found = verdicts.decide(PAPERS, loaded(heddle=lines))
        return [verdict.outcome for one in found if one.claim.text == "Exchange has a higher throughput than dispatch."
                for where, verdict in one.verdicts if where == "simulated"]

    assert decided() == [rules.HOLDS], decided()
    assert decided(*places.COSTS) == [rules.SHORT], decided(*places.COSTS)
    assert decided("200") == decided("50") == decided("100") == [rules.UNTOLD], decided("200")


class Known:
    """A rule whose outcome is known."""

    def __init__(self, outcome):
        self.outcome = outcome

    def judge(self, _):
        return rules.Verdict(self.outcome, "A sentence.")


def test_what_holds_in_some_and_in_part_in_others_holds_in_part():
    def decided(*outcomes):
        rule = rules.InAll(tuple((str(place), Known(outcome)) for place, outcome in enumerate(outcomes)))
        return rule.judge(None).outcome

    assert decided(rules.HOLDS, rules.PART, rules.HOLDS) == decided(rules.PART, rules.HOLDS) == rules.PART
    assert decided(rules.HOLDS, rules.PART, rules.FAILS) == decided(rules.PART, rules.UNTOLD) == rules.UNTOLD
    assert decided(rules.PART, rules.PART) == rules.PART and decided(rules.HOLDS, rules.HOLDS) == rules.HOLDS


def test_the_spread_of_many_runs_leaves_outliers_out():
    one = quantity.of_samples([10.0, 10.0, 10.0, 11.0, 500.0], "a")
    assert (one.low, one.value, one.high) == (10.0, 10.0, 11.0), one


def test_a_sentence_has_the_figures():
    found = loaded(heddle=[suite(samples=nine(1000.0)), suite("dispatch", samples=nine(2000.0)),
                           suite(section="250", samples=nine(3000.0)), suite("dispatch", "250", samples=nine(3000.0))])
    left, right = (rules.pick("section", source="heddle", lock=lock) for lock in ("exchange", "dispatch"))
    verdict = rules.Compare(left, right, "section", quantity.BELOW, ("exchange", "dispatch")).judge(found)
    assert verdict.outcome == rules.PART and "at 1 of 2 points; it cannot be told at 1" in verdict.sentence, verdict
    assert "0 ns more: 1,000 against 2,000 ns" in verdict.sentence, verdict
    assert verdict.anchors == ("heddle-1", "heddle-2", "heddle-3", "heddle-4"), verdict


VARIANTS = {"yield": ("lean", "usual"), "client": ("http", "rpc")}


def planned(profile):
    """Invented results of everything in the plan, as the suite would write them."""
    extra = {name: [5.0] * 3 for name in ("median_ns", "p95_ns", "same_of_10000")}
    for group in simulated.groups(profile):
        for point in group.points:
            for variant in VARIANTS.get(point.program, (SUITE["variant"],)):
                yield {**SUITE, "row": point.program, "setting": group.machine.setting, "variant": variant,
                       "processors": group.machine.processors, "policy": group.machine.policy,
                       "parameters": dict(point.settings + point.parameters), "program": point.describe(),
                       "also": extra}


def test_the_plan_has_what_the_claims_need():
    assert places.COSTS == plan.COSTS
    found = loaded(heddle=list(planned("full")))
    for one in verdicts.decide(PAPERS, found):
        sources = {source for _, rule in one.claim.cases for source, _ in rule.about()}
        if sources == {"heddle"}:
            lacking = [where for where, verdict in one.verdicts if verdict.outcome == rules.ABSENT]
            assert not lacking, f"{one.paper.name}, {one.figure.number}, {one.claim.text}: nothing measured: {lacking}"


class Page(html.parser.HTMLParser):
    """Checks the page: nesting, links, no external content."""

    VOID = {"meta", "br", "link"}

    def __init__(self, source):
        super().__init__()
        self.open, self.ids, self.links, self.wrong, self.words = [], set(), set(), [], []
        self.feed(source)
        self.wrong += [f"{tag} is not closed" for tag in self.open]
        self.wrong += [f"#{link} leads nowhere" for link in self.links - self.ids]

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.wrong += [f"two have the name {value}"] if value in self.ids else []
                self.ids.add(value)
            if name in ("href", "src"):
                self.wrong += [] if value.startswith("#") else [f"{value} is elsewhere"]
                self.links.add(value[1:])
        self.wrong += ["a script"] if tag == "script" else []

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"{tag} closes something else")

    def handle_data(self, data):
        self.words.append(data)


def page(folder, *options):
    """(status, output, Page or None) of the tool on a folder of results."""
    path = os.path.join(folder, "index.html")
    status, output = run_tool("tools/measure/report/write", "--results", folder, "--page", path, *options, timeout=120)
    if not os.path.exists(path):
        return status, output, None
    with open(path, encoding="utf-8") as file:
        source = file.read()
    outside = re.findall(r"url\((?!#)|@import|https?://", source)
    assert not outside, f"the page needs something from elsewhere: {outside}"
    return status, output, Page(source)


def test_the_page_stands_by_itself():
    lines = [suite(lock, length, samples=[place * 10.0, place * 11.0]) for length in ("0", "250", "7500")
             for place, lock in enumerate(("exchange", "dispatch", "inline"), 1)]
    crashed = {"row": "yield", "peer": "<b>go", "outcome": "failed", "reason": "ended & <gone>", "samples_ns": []}
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "heddle", [*lines, json.dumps(suite())[:50]])
        write(folder, "peers", [PEER, {**PEER, "peer": "tokio", "samples_ns": nine(40.0)}, crashed])
        status, output, found = page(folder)
        expect(status, output, 0, "exchange is above dispatch".capitalize(), "cut short or damaged", "Claims:")
        assert not found.wrong, found.wrong[:5]
        words = " ".join(found.words)
        for wanted in ("ended & <gone>", "make bench-linux", "a command", "In 1 comparisons Heddle is ahead in 1"):
            assert wanted in words, f"\"{wanted}\" is not on the page"
        assert {"heddle-1", "peers-2", "exchange-figure10", "left-out"} <= found.ids, sorted(found.ids)[:20]


def test_the_simulated_machine_beside_what_is_real():
    lines = [{"validation": "time", "name": "yield, 1", "real": 8.0, "simulated": was, "goal": 0.25}
             for was in (4.0, 9.0)]
    lines += [{**lines[0], "name": "create, 1"}, {"validation": "lines", "name": "write", "real": 0, "simulated": 0}]
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "heddle", [suite()])
        assert "make validate" in " ".join(page(folder)[2].words)
        write(folder, "validation", [*lines, {"validation": "time"}, "cut"])
        found = page(folder)[2]
        assert not found.wrong, found.wrong[:5]
        words = " ".join(found.words)
        for wanted in ("+12%", "-50%", "1 of 2 are within 25%; the farthest is 50% off", "2 lines are cut short"):
            assert wanted in words, f"\"{wanted}\" is not on the page"


def test_no_results_are_said():
    with tempfile.TemporaryDirectory() as folder:
        status, output, found = page(folder)
        expect(status, output, 1, "there is no result in", "make bench")
        assert found is None
        write(folder, "heddle", [json.dumps(suite())[:50]])
        expect(*page(folder)[:2], 1, "cut short or damaged", "there is no result in")


def test_the_block_of_the_readme():
    found = loaded(heddle=[suite(), suite("dispatch")], peers=[PEER, {**PEER, "peer": "go"}])
    lines = readme.block(verdicts.decide(PAPERS, found), found)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "README.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"before\n{readme.BEGIN}\nyesterday\n{readme.END}\nafter\n")
        for _ in range(2):  # the second time must change nothing
            readme.update(path, lines)
        with open(path, encoding="utf-8") as file:
            whole = file.read()
        assert whole.startswith(f"before\n{readme.BEGIN}\n") and whole.endswith(f"{readme.END}\nafter\n"), whole
        assert "yesterday" not in whole and "a host" in whole and "| Go |" in whole, whole
        write(folder, "heddle", [suite()])
        for broken in ("none", f"{readme.END}\n{readme.BEGIN}\n"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(broken)
            status, output, _ = page(folder, "--readme", "--readme-file", path)
            expect(status, output, 1, "no place for the results")


def test_the_page_of_all_figures():
    slow = {**PEER, "peer": "cpp20", "samples_ns": nine(51.0)}
    others = [{**PEER, "row": "sequence"}, {**slow, "row": "sequence"}]
    found = loaded(heddle=[suite(), suite("dispatch")], peers=[PEER, {**PEER, "peer": "go"}, *others])
    decided = verdicts.decide(PAPERS, found)
    whole = "\n".join(readme.page(PAPERS, decided, found))
    assert "| yield | 21.0 ns | – | (1.00) |" in whole and "| sequence | 21.0 ns | 2.43 | – |" in whole, whole
    assert "| Exchange, Figure 10 | Hosted, 2 processors |" in whole, whole
    short = "\n".join(readme.block(decided, found))
    assert "| yield | 21.0 ns | (1.00) |" in short and "sequence" not in short and "2.43" not in short, short
    assert f"[{readme.RESULTS}]" in short, short


def test_both_are_written_at_once():
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "heddle", [suite()])
        write(folder, "peers", [PEER, {**PEER, "peer": "go"}])
        paths = [os.path.join(folder, name) for name in ("README.md", "RESULTS.md")]
        with open(paths[0], "w", encoding="utf-8") as file:
            file.write(f"{readme.BEGIN}\n{readme.END}\n")
        expect(*page(folder, "--readme", "--readme-file", paths[0], "--results-file", paths[1])[:2], 0, *paths)
        for path in paths:
            with open(path, encoding="utf-8") as file:
                assert "| Go |" in file.read(), path


def test_the_summary_on_the_terminal():
    found = loaded(heddle=[suite(), suite("dispatch")])
    lines = text.summary(verdicts.decide(PAPERS, found), found)
    assert any("It cannot be told whether exchange is above dispatch" in line for line in lines), lines
    assert lines[-1].startswith("Claims: 0 holds"), lines[-1]


def groups():
    return [Group("evidence: make report", lambda: run_functions(sys.modules[__name__]))]
