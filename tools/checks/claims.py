"""The rules that decide the papers' claims (`make report`), on small invented results."""

import sys

from measure.report import figures, quantity, rules, verdicts
from measure.report.papers import PAPERS

from .case import Group, run_functions
from .evidence import loaded, nine, suite

NEEDS = ()  # it runs nothing that is built


def outcome(*points, failed=()):
    """The outcome for pairs of samples, of which the first should be below."""
    made = [("1 task", quantity.of_samples(left, "l"), quantity.of_samples(right, "r")) for left, right in points]
    return rules.decide(made, quantity.BELOW, ("this", "that"), "ns", failed).outcome


LOW, HIGH, WIDE = nine(10.0), nine(20.0), nine(15.0, 0.2)
GOOD, BAD, LEVEL = (LOW, HIGH), (HIGH, LOW), (LOW, WIDE)


def test_the_rule_of_claims():
    assert outcome(GOOD) == outcome(GOOD, GOOD) == rules.HOLDS
    assert outcome(BAD) == outcome(BAD, LEVEL) == rules.FAILS
    assert outcome(LEVEL) == rules.UNTOLD
    assert outcome(GOOD, LEVEL) == outcome(GOOD, GOOD, BAD) == rules.PART
    assert outcome() == rules.ABSENT
    assert outcome((nine(100.0, 1e-4), nine(101.0, 1e-4))) == rules.UNTOLD, "a difference of 1 % is none"


def test_one_good_point_among_many_is_no_part():
    assert outcome(GOOD, BAD) == outcome(GOOD, BAD, BAD, LEVEL) == rules.FAILS
    assert outcome(GOOD, LEVEL, LEVEL) == rules.UNTOLD


def test_too_few_runs_tell_nothing():
    few = [LOW[:5], HIGH[:5]]
    assert outcome(few) == rules.UNTOLD and outcome([LOW[:7], HIGH[:7]]) == rules.HOLDS
    assert outcome(*[GOOD] * 20) == rules.HOLDS, "chance would have to decide each of them"
    assert outcome(*[BAD] * 6) == rules.FAILS and outcome(*[BAD] * 7) == rules.UNTOLD, "the points share the error"
    assert outcome(*[GOOD] * 5, LEVEL) == rules.PART and outcome(*[GOOD] * 6, LEVEL) == rules.UNTOLD
    exact = [quantity.of_samples([value], "a", True) for value in (10.0, 20.0)]
    assert quantity.compare(*exact) == quantity.BELOW, "what is exact needs one run"


def test_the_interval_of_a_median():
    ordered = [float(place) for place in range(1, 10)]
    assert quantity.median_interval(ordered, 0.004) == (1.0, 9.0)
    assert quantity.median_interval(ordered, 0.05) == (2.0, 8.0)
    assert quantity.median_interval(ordered, 0.003) == quantity.NO_INTERVAL
    ratio = quantity.of_samples(ordered, "a").over(quantity.of_samples(ordered, "b"))
    assert ratio.medians == 2 and ratio.within(0.008) == (1 / 9, 9.0), ratio.within(0.008)


TURNS = [f"turn {number}" for number in range(9)]
DRIFT = [10.0 * (1 + number) for number in range(9)]  # each turn is slower than the last


def quantities(left, right, left_turns=tuple(TURNS), right_turns=tuple(TURNS)):
    return quantity.of_samples(left, "l", turns=left_turns), quantity.of_samples(right, "r", turns=right_turns)


def test_what_is_measured_in_turns_is_compared_by_turns():
    slower = [1.2 * time for time in DRIFT]
    assert quantity.compare(*quantities(DRIFT, slower)) == quantity.BELOW
    assert quantity.compare(*quantities(slower, DRIFT)) == quantity.ABOVE
    assert quantity.compare(*quantities(DRIFT, slower, right_turns=())) == quantity.LEVEL, "no turns are known"
    assert quantity.compare(*quantities(DRIFT, slower, right_turns=TURNS[::-1])) == quantity.LEVEL, "the wrong ones"
    assert quantity.compare(*quantities(DRIFT, [1.04 * time for time in DRIFT])) == quantity.LEVEL, "within 5 %"
    few = quantities(DRIFT[:5], slower[:5], TURNS[:5], TURNS[:5])
    assert quantity.compare(*few) == quantity.LEVEL, "five runs tell nothing"
    others = TURNS[:4] + [f"another day's {turn}" for turn in TURNS[4:]]
    assert quantity.side_by_side(*quantities(DRIFT, slower, TURNS, others)) == [], "most were not side by side"
    assert quantity.side_by_side(*quantities(DRIFT, slower, TURNS, TURNS[:8] + ["another"])) == TURNS[:8]


def test_what_is_calculated_has_turns():
    slower, constant = [1.2 * time for time in DRIFT], quantity.constant(1.15)
    ratio = (lambda left, right: right.over(left))(*quantities(DRIFT, slower))
    assert abs(ratio.value - 1.2) < 1e-9 and ratio.medians == 1 and ratio.anchors == ("r", "l"), ratio
    assert quantity.compare(ratio, constant, margin=0.0) == quantity.ABOVE
    assert quantity.compare(ratio.times(0.5), constant) == quantity.compare(ratio.inverse(), constant) == quantity.BELOW
    assert abs(quantity.mean([ratio, ratio.inverse()]).value - 1) < 1e-9
    apart = (lambda left, right: right.over(left))(*quantities(DRIFT, slower, right_turns=()))
    assert apart.medians == 2 and quantity.side_by_side(apart, ratio) == [], apart
    assert quantity.keeps(ratio, quantity.constant(1.0), quantity.ABOVE)
    assert not quantity.keeps(apart, quantity.constant(1.0), quantity.ABOVE)


def test_turns_come_from_the_lines():
    def decided(turns):
        lines = [suite(samples=DRIFT, turns=TURNS),
                 suite("dispatch", samples=[1.2 * time for time in DRIFT], turns=turns)]
        left, right = (rules.pick("section", source="heddle", lock=lock) for lock in ("exchange", "dispatch"))
        return rules.Compare(left, right, "section", quantity.BELOW, ("exchange", "dispatch")).judge(
            loaded(heddle=lines)).outcome

    assert decided(TURNS) == rules.HOLDS
    for damaged in (TURNS[:8], TURNS[:8] + TURNS[:1], 5, [1] * 9, None):
        assert decided(damaged) == rules.UNTOLD, damaged


def bounded(value, relation, bound):
    found = loaded(heddle=[suite(samples=nine(value, 0.0))])
    rule = rules.Constant(rules.pick("section", source="heddle"), "section", relation, bound, "it")
    return rule.judge(found).outcome


def test_a_bound_is_a_bound():
    assert bounded(10.0, quantity.ABOVE, 10.0) == bounded(10.0, quantity.BELOW, 10.0) == rules.HOLDS
    assert bounded(10.0, quantity.ABOVE, 10.1) == bounded(10.0, quantity.BELOW, 9.9) == rules.FAILS
    found = loaded(heddle=[suite(samples=nine(10.0, 0.0)), suite(section="250", samples=nine(20.1, 0.0))])
    trend = rules.Trend(rules.pick("section", source="heddle"), "section", quantity.BELOW, 0, 250, 2)
    assert trend.judge(found).outcome == rules.FAILS, "at most twice is no more than twice"


def test_a_point_that_failed_is_not_dropped():
    assert outcome(GOOD, failed=("2 tasks",)) == rules.PART
    assert outcome(failed=("2 tasks",)) == rules.UNTOLD
    failure = {**suite("dispatch", "250"), "failure": "it hung", "variant": ""}
    del failure["samples"]
    lines = [suite(samples=LOW), suite("dispatch", samples=HIGH), suite(section="250", samples=LOW)]
    left, right = (rules.pick("section", source="heddle", lock=lock) for lock in ("exchange", "dispatch"))
    rule = rules.Compare(left, right, "section", quantity.BELOW, ("exchange", "dispatch"))
    assert rule.judge(loaded(heddle=lines)).outcome == rules.HOLDS
    verdict = rule.judge(loaded(heddle=[*lines, failure]))
    assert verdict.outcome == rules.PART and "Measuring failed: 250 ns more." in verdict.sentence, verdict
    trend = rules.Trend(right, "section", quantity.BELOW, 0, 250).judge(loaded(heddle=[*lines, failure]))
    assert trend.outcome == rules.UNTOLD and "250 ns more" in trend.sentence, trend
    again = rule.judge(loaded(heddle=[*lines, failure, suite("dispatch", "250", samples=HIGH)]))
    assert again.outcome == rules.HOLDS, "the newest counts"


def test_what_it_means_that_a_claim_does_not_hold():
    failing = rules.Verdict(rules.FAILS, "")
    meant = {says: verdicts.meant(figures.Claim("a claim", (), says), failing).outcome
             for says in (figures.MERIT, figures.WEAKNESS, figures.OTHER)}
    assert meant == {figures.MERIT: rules.SHORT, figures.WEAKNESS: rules.BETTER, figures.OTHER: rules.FAILS}, meant
    news = [{**suite(), "row": "news", "system": system, "samples": samples, "parameters": {}}
            for system, samples in (("heddle", LOW), ("linux", HIGH))]
    found = verdicts.decide(PAPERS, loaded(native=news))
    assert [verdict.outcome for one in found if one.claim.text.startswith("News") for _, verdict in one.verdicts] == [
        rules.BETTER]


def test_an_emulators_clock_decides_nothing():
    for one in (claim for paper in PAPERS for figure in paper.figures for claim in figure.claims):
        for where, _ in one.cases:
            counted = "on 4 sockets" in where
            assert counted or "QEMU" not in where, f"{one.text}: {where}"


def groups():
    return [Group("evidence: the rules of claims", lambda: run_functions(sys.modules[__name__]))]
