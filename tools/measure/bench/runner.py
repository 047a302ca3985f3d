"""One run of some points of a group: start the machine, take its result lines apart, say what went wrong."""

import os
import re
import shutil
import subprocess

from harness import emulator, explain, process, results

from . import plan

KERNEL_PROGRAM = "build/kernel/heddle.elf"
HOSTED_PROGRAM = "build/hosted/heddle"
SIMULATED_PROGRAM = "build/simulated/heddle"
PROGRAMS = {plan.KERNEL: KERNEL_PROGRAM, plan.HOSTED: HOSTED_PROGRAM, plan.SIMULATED: SIMULATED_PROGRAM}
WORDS_MAXIMUM = 3000  # characters; the kernel's command line has 4,096
BATCH_TIMEOUT, POINT_TIMEOUT = 60.0, 5.0  # seconds for a start, and as many more for each point
SIMULATED_TIMEOUT = 3600.0
REAL_TIME = ["chrt", "-f", "10"]
SUFFIXES = {"k": 1000, "M": 1000000, "G": 1000000000}


def real_time():
    """The words that keep the host's other work away from a hosted program; none where that is not allowed."""
    if shutil.which(REAL_TIME[0]) is None:
        return []
    done = subprocess.run([*REAL_TIME, "true"], capture_output=True, check=False)
    return REAL_TIME if done.returncode == 0 else []


def plain(text):
    """A parameter as a result line has it: "10k" is 10000."""
    if text and text[-1] in SUFFIXES and text[:-1].isdecimal():
        return str(int(text[:-1]) * SUFFIXES[text[-1]])
    return text


def belongs(result, point):
    """Whether a result line is one of a point's. A lock may be the line's variant instead of a field of its own."""
    if result["benchmark"] != point.program:
        return False
    for key, value in point.parameters:
        found = result.get(key, result["variant"] if key == "lock" else None)
        if found is not None and str(found) != plain(value):
            return False
    return True


class Runner:
    """Runs batches of points on the machine of a group."""

    def __init__(self, machine, hosted_prefix=(), kernel=KERNEL_PROGRAM, program=HOSTED_PROGRAM,
                 timeouts=(BATCH_TIMEOUT, POINT_TIMEOUT)):
        self.machine, self.prefix = machine, list(hosted_prefix)
        self.kernel, self.program, self.timeouts = kernel, program, timeouts

    def hosted(self):
        return self.machine.setting == plan.HOSTED

    def alone(self):
        """Whether each point is a process of its own."""
        return self.machine.setting != plan.KERNEL

    def command(self, batch):
        words = [f"sched={self.machine.policy}", *batch[0].setting_words(), *(point.word() for point in batch)]
        if self.machine.setting == plan.SIMULATED:
            return [SIMULATED_PROGRAM, f"processors={self.machine.processors}", f"memory={self.machine.memory}",
                    "log=warning", *words]
        if self.hosted():
            options = [f"processors={self.machine.processors}", f"memory={self.machine.memory}"]
            return [*self.prefix, self.program, *options, *words]
        return emulator.command(emulator.Machine(
            processors=str(self.machine.processors), memory=f"{self.machine.memory}M", firmware="direct",
            kernel=self.kernel, words=["log=warning", *words],
        ))

    def patience(self, count):
        """Seconds for so many points. What is simulated takes what it takes, and says when it hangs."""
        simulated = self.machine.setting == plan.SIMULATED
        return SIMULATED_TIMEOUT if simulated else self.timeouts[0] + self.timeouts[1] * count

    def batches(self, points):
        """The points in portions: one for each start of a program of the host; for each boot as many as the kernel's
        command line takes, all with the same settings."""
        if self.alone():
            return [[point] for point in points]
        found, length = [[]], 0
        for point in points:
            length += len(point.word()) + 1
            if length > WORDS_MAXIMUM or (found[-1] and found[-1][0].settings != point.settings):
                found.append([])
                length = len(point.word()) + 1
            found[-1].append(point)
        return [batch for batch in found if batch]

    def run(self, batch):
        """For each point of the batch, in order: (point, command, result lines, sentence on what went wrong or "").
        What a failure has kept from running is run again without it."""
        rest = list(batch)
        while rest:
            command = self.command(rest)
            follow, explained = (process.follow, explain.explain_hosted) if self.alone() else (
                emulator.follow, explain.explain_emulator)
            outcome = follow(command, self.patience(len(rest)))
            explained = explained(outcome)
            if outcome.timed_out:
                explained = [f"it was not finished after {outcome.seconds:.0f} s"]
            done, rest = self.judge(rest, outcome, explained)
            for point, lines, sentence in done:
                yield point, command, lines, sentence

    def judge(self, batch, outcome, explained):
        """What each point came to: (point, lines, sentence) for those up to the one that ended the machine, and the
        points after that one."""
        whole, damage = [], []
        for line in outcome.lines:
            if results.is_result(line):
                try:
                    whole.append(results.parse(line))
                except results.DamagedResult as damaged:
                    damage.append(str(damaged))
        done = []
        for place, point in enumerate(batch):
            lines = [result for result in whole if belongs(result, point)]
            if not lines:
                sentence = " ".join((damage or explained or ["it printed no result line"])[:2])
                done.append((point, [], sentence))
                # A machine that ended well, or that went on to a later point, has run all of them.
                later = any(belongs(result, other) for result in whole for other in batch[place + 1 :])
                if explained and not later and not damage:
                    return done, batch[place + 1 :]
                continue
            bad = [result["variant"] for result in lines if result["ok"] is not True]
            done.append((point, lines, f"it failed its own check ({', '.join(bad)})" if bad else ""))
        return done, []


def programs(choices=(HOSTED_PROGRAM, SIMULATED_PROGRAM)):
    """The names of the programs that the first of these has that is there; with the kernel's they are the same."""
    program = next((path for path in choices if os.path.exists(path)), None)
    if program is None:
        return set()
    outcome = process.follow([program, "list"], 20)
    listing = "\n".join([*outcome.lines, *outcome.errors.splitlines()])
    return set(re.findall(r"^([a-z_0-9]+): ", listing, re.MULTILINE))
