"""`make compare`: what it reads, what it reports of a difference, and what it refuses."""

import csv
import io
import itertools
import json
import os
import subprocess
import tempfile

from measure.compare import samples, significance

from .case import Group, verdict

TOOL = "tools/measure/compare/compare"
NEEDS = ("build/hosted/heddle",)


def by_hand(first, second):
    """The probability, from all ways to divide the samples."""
    both = [*first, *second]

    def distance(places):
        own = [both[place] for place in places]
        others = [both[place] for place in range(len(both)) if place not in places]
        wins = sum(1.0 if one < other else 0.5 if one == other else 0.0 for one in own for other in others)
        return abs(wins - len(own) * len(others) / 2)

    found = [distance(places) for places in itertools.combinations(range(len(both)), len(first))]
    return sum(one >= found[0] - 1e-9 for one in found) / len(found)


def probabilities():
    sets = (([1, 2, 3, 4], [5, 6, 7, 8]), ([1, 5, 2, 8, 3], [4, 7, 9, 10, 6]), ([3, 1, 2], [2.5, 4, 5, 6]),
            (list(range(9)), list(range(9, 18))), ([5], [1, 2, 3]))
    wrong = [f"{first} and {second}: {significance.probability(first, second)}, and should be {by_hand(first, second)}"
             for first, second in sets
             if abs(significance.probability(first, second) - by_hand(first, second)) > 1e-9]
    if significance.probability([1, 1, 1], [1, 1, 1]) != 1.0:
        wrong.append("what is all the same differs")
    apart = significance.probability([1] * 10 + [2] * 20, [2] * 10 + [3] * 20)
    if not 0 < apart < 0.001:
        wrong.append(f"many equal samples, clearly apart: {apart}")
    if significance.corrected([0.01, 0.04, 0.03]) != [0.03, 0.06, 0.06]:
        wrong.append(f"Holm: {significance.corrected([0.01, 0.04, 0.03])}")
    return verdict("probabilities are those counted by hand", wrong)


def line_of_bench(samples_ns, name="switch"):
    return {"row": name, "system": "heddle", "variant": "", "setting": "hosted", "processors": 1, "policy": "local",
            "parameters": {"tasks": 100}, "samples": samples_ns}


SLOW, FAST = [10.0, 11.0, 12.0, 13.0, 14.0], [5.0, 5.1, 5.2, 5.3, 5.4]
RUN = [{"run": {"command": "heddle run=switch,tasks=10 run=switch,tasks=20"}},
       *({"benchmark": "switch", "variant": "", "processors": 1, "tasks": tasks, "also": tasks * 7.5, "operations": 1,
          "seconds": 1.0, "ns_per_operation": tasks * 1.5, "ok": True} for tasks in (10, 20))]
FILES = {
    "slow": [line_of_bench(SLOW)],
    "fast": [line_of_bench(FAST), line_of_bench([1.0], "other")],
    "peers": [{"row": "yield", "peer": "go", "samples_ns": SLOW}, {"row": "yield", "peer": "none"}],
    "few answers": [{"benchmark": "echo", "server": "go", "connections": 1, "processors": 2, "answers_a_second": FAST}],
    "many answers": [{"benchmark": "echo", "server": "go", "connections": 1, "processors": 2,
                      "answers_a_second": [None, *SLOW]}],
    "run": RUN,
    "nothing": [{"format": 1}],
    "damaged": [{"row": "switch", "samples": SLOW}],
}


def write(folder):
    for name, lines in FILES.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
            file.write('{"row": "cut')


def call(*arguments):
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True, check=False)


def says(title, arguments, *sentences, status=0):
    done = call(*arguments)
    said = done.stdout + done.stderr
    wrong = [f"it ended with {done.returncode}"] if done.returncode != status else []
    wrong += [f"it does not say: {sentence}" for sentence in sentences if sentence not in said]
    return verdict(title, [*wrong, *said.splitlines()[-10:]] if wrong else [])


def reads_back(path):
    done = call(path("slow"), path("fast"), "--json")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    good = len(found) == 1 and found[0]["verdict"] == "faster" and abs(found[0]["ratio"] - 5.2 / 12) < 1e-9
    table = list(csv.DictReader(io.StringIO(call(path("run"), "--csv").stdout)))
    wrong = [] if good else [done.stdout, done.stderr]
    if [row["a_median"] for row in table] != ["15.0", "30.0"]:
        wrong.append(f"two runs of one program are not told apart: {table}")
    if len(samples.read(path("peers"))) != 1:
        wrong.append("a peer without figures is a row")
    return verdict("JSON and CSV are read back", wrong)


def cases():
    with tempfile.TemporaryDirectory() as folder:
        write(folder)

        def path(name):
            return os.path.join(folder, name)

        return [
            probabilities(),
            reads_back(path),
            says("less time is faster", [path("slow"), path("fast")], "0.433", "B is faster in 1, slower in 0",
                 "only in", "other"),
            says("more answers are faster", [path("few answers"), path("many answers")], "B is faster in 1"),
            says("fewer answers are slower", [path("many answers"), path("few answers")], "slower in 1"),
            says("the same is not told apart", [path("slow"), path("slow")], "not told apart",
                 "faster in 0, slower in 0"),
            says("few samples", [path("run"), path("run")], "1 samples at the least: too few"),
            says("two programs in turn", [".", ".", "--runs", "2", "--run", "switch,tasks=10,rounds=1000"],
                 "switch", "2 samples at the least"),
            says("nothing in common", [path("slow"), path("peers")], "nothing is measured in both", status=1),
            says("no results", [path("nothing"), path("slow")], "no results are in it, and 1 lines are damaged",
                 status=1),
            says("a damaged line", [path("damaged"), path("slow")], "is missing or of another kind", status=1),
            says("neither file nor commit", ["no-such-thing", "."], "neither a file nor a commit", status=1),
            says("a file and a commit", [path("slow"), "."], "two of a kind", status=1),
            says("a program that is not there", [".", ".", "--run", "nonsense"], "ended with 1", status=1),
            says("not a number", [".", ".", "--runs", "many"], "a whole number from 1", status=2),
        ]


def groups():
    return [Group("tools: two runs compared", cases)]
