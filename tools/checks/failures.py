"""Each allocation in turn fails (run=fail): the caller reports it, and nothing is lost."""

import re
from concurrent.futures import ThreadPoolExecutor

from harness import emulator, explain, results

from . import hosted
from .case import Group, verdict

PARTS = re.compile(r"\] parts: (.*)$")
ATTEMPT = re.compile(r"\] part (\w+), allocation (\d+)$")
WRONG = re.compile(r"error: fail: part (\w+), allocation (\d+) (.*)$")
TIMEOUT = 120
AT_A_TIME = 2  # machines of one processor
ENOUGH = 3  # machines that die or hang; after that many the rest is not tried
WAYS = {"one": "after=0", "one and all after it": "after=1"}
MACHINES = (("hosted", 1), ("hosted", 2), ("hosted", 3), ("hosted-asan", 1), ("hosted-asan", 2), ("hosted-tsan", 2))


def words_of(processors, way, part=0, first=1, last=None):
    """The words for this part."""
    chosen = f"run=fail,{way},part={part},from={first}" + (f",to={last}" if last else "")
    return [f"processors={processors}", "fail=0", chosen]


def lines_of(outcome):
    return [*outcome.lines, *outcome.errors.splitlines()]


def attempts_in(lines):
    return [(found[1], int(found[2])) for found in map(ATTEMPT.search, lines) if found]


class Course:
    """Every failure in one machine of `build` with that many processors, while it runs."""

    def __init__(self, build, processors, way):
        self.build, self.processors, self.way = build, processors, way
        self.parts, self.attempts, self.deaths, self.sentences = [], 0, 0, []

    def replay(self, part, number):
        words = words_of(self.processors, self.way, self.parts.index(part) + 1, number, number)
        return f"build/{self.build}/heddle {' '.join(words)}"

    def run(self):
        """If a run dies, the next continues after the allocation that it died of, unless enough have died."""
        self.run_from(0, 1)
        return self

    def run_from(self, part, first):
        words = words_of(self.processors, self.way, part, first)
        outcome = hosted.run(self.build, *words, timeout=TIMEOUT)
        lines = lines_of(outcome)
        self.parts = self.parts or next((found[1].split(", ") for found in map(PARTS.search, lines) if found), [])
        tried = attempts_in(lines)
        self.attempts += sum(number > 0 for _, number in tried)
        for found in filter(None, map(WRONG.search, lines)):
            self.sentences += [found[0].split("error: ", 1)[1], f"    again: {self.replay(found[1], found[2])}"]
        if results.good(outcome.lines):
            return
        explained = explain.explain_hosted(outcome)
        if not tried or not self.parts:
            self.sentences += explained or ["it said nothing"]
            return
        name, number = tried[-1]
        self.sentences += [f"part {name}, allocation {number}: the machine does not go on:", *explained,
                           f"    again: {self.replay(name, number)}"]
        self.deaths += 1
        place = self.parts.index(name) + 1
        if number > 0 and self.deaths < ENOUGH:
            self.run_from(place, number + 1)
        for later in range(place + 1, len(self.parts) + 1) if part == 0 else ():
            if self.deaths < ENOUGH:
                self.run_from(later, 1)


def one_from_the_start(number):
    """(how many allocations there were, what went wrong) if that allocation fails in a machine that has made nothing
    yet."""
    words = ["processors=1", f"fail={number}", "run=fail,once=1"]
    outcome = hosted.run("hosted", *words, timeout=TIMEOUT)
    found = results.good(outcome.lines)
    sentences = explain.explain_hosted(outcome)
    if sentences:
        sentences.append(f"    again: build/hosted/heddle {' '.join(words)}")
    return (found[0]["allocations"] if found else 0), sentences


def from_the_start():
    """All allocations, each in a separate machine: so the allocations of a pool's own memory fail as well."""
    count, sentences = one_from_the_start(0)
    wrong = [sentences] if sentences else []

    def try_one(number):
        more = one_from_the_start(number)[1] if len(wrong) < ENOUGH else []
        if more:
            wrong.append(more)

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        list(pool.map(try_one, range(1, count + 1)))
    return count, [sentence for more in wrong for sentence in more]


def judged(name, attempts, sentences):
    return verdict(f"{name}: {attempts} allocations", sentences or ([] if attempts > 0 else ["not one was tried"]))


def while_running(build, processors):
    cases = []
    for name, way in WAYS.items():
        course = Course(build, processors, way).run()
        cases.append(judged(name, course.attempts, course.sentences))
    return cases


def in_kernel():
    cases = []
    for name, way in WAYS.items():
        machine = emulator.Machine(processors="2", memory="512M", firmware="direct",
                                   kernel="build/kernel/heddle.elf", words=["fail=0", f"run=fail,{way}"])
        outcome = emulator.follow(emulator.command(machine), TIMEOUT)
        tried = sum(number > 0 for _, number in attempts_in(outcome.lines))
        cases.append(judged(name, tried, explain.explain_emulator(outcome)))
    return cases


def groups():
    def start():
        return [judged("one, from the start of the machine", *from_the_start())]

    made = [Group("failures: from the start, hosted, 1 processors", start)]
    for build, processors in MACHINES:
        name = f"failures: one after the other, {build}, {processors} processors"
        made.append(Group(name, lambda build=build, processors=processors: while_running(build, processors)))
    made.append(Group("failures: one after the other, kernel, 2 processors", in_kernel))
    return made
