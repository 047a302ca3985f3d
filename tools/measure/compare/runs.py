"""The hosted programs of two commits, built in separate folders and run in turn."""

import os
import subprocess
import sys

from harness import process

from . import samples

FOLDER = "build/compare"
HERE = "."  # the sources as they are here
TIMEOUT = 300


def output_of(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise samples.Unreadable(f"`{' '.join(command)}`: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    return done.stdout.strip()


def is_commit(text):
    done = subprocess.run(["git", "rev-parse", "--verify", "--quiet", f"{text}^{{commit}}"], capture_output=True,
                          check=False)
    return done.returncode == 0


def build(text):
    """The program of a commit; HERE: the present build."""
    if text == HERE:
        return "build/hosted/heddle"
    commit = output_of(["git", "rev-parse", "--short=12", f"{text}^{{commit}}"])
    tree = f"{FOLDER}/{commit}"
    program = f"{tree}/build/hosted/heddle"
    if not os.path.exists(program):
        print(f"compare: builds {text} ({commit}) in {tree}", file=sys.stderr)
        if not os.path.exists(f"{tree}/Makefile"):
            os.makedirs(tree, exist_ok=True)
            archive = subprocess.run(["git", "archive", commit], capture_output=True, check=True).stdout
            subprocess.run(["tar", "-x", "-C", tree], input=archive, check=True)
        output_of(["make", "-C", tree, f"-j{os.cpu_count()}", "build/hosted/heddle"])
    return program


def run(program, words):
    outcome = process.follow([program, *words], TIMEOUT)
    if outcome.status != 0:
        end = "took too long" if outcome.timed_out else f"ended with {outcome.status}"
        said = outcome.errors.splitlines() or ["it said nothing"]
        raise samples.Unreadable(f"`{program} {' '.join(words)}` {end}: {said[-1]}")
    return list(outcome.lines)


def measure(commits, words, times):
    """The rows of both; they take turns at going first."""
    programs = [build(text) for text in commits]
    named = samples.named_in([{"run": {"command": " ".join(words)}}])
    lines = [[], []]
    for turn in range(times):
        for side in (0, 1) if turn % 2 == 0 else (1, 0):
            print(f"compare: run {turn + 1} of {times}: {commits[side]}", file=sys.stderr)
            lines[side] += run(programs[side], words)
    return [samples.from_output(said, named) for said in lines]
