"""A program of POSIX's threads as a guest: signals that end it, children that it makes, waits in libraries."""

import signal
import subprocess
import tempfile
import time

from .building import make
from .case import Group, failed, verdict
from .posix import NEEDS, WAYS, build, compared, follow
from verify.posix.ways import ARCHIVE, Way

__all__ = ["NEEDS", "groups"]
PATIENCE = 20  # seconds
WAITS = 0.2  # seconds, after which the program has come to its wait
COUNTS = (1, 2, 4)


def ended_by(program, words, number, output=subprocess.DEVNULL):
    """How it ends after the signal; None: it goes on."""
    with subprocess.Popen(program, env={"HEDDLE": words}, stdout=output) as process:
        if number:
            time.sleep(WAITS)
            process.send_signal(number)
        else:
            process.stdout.readline()
            process.stdout.close()
        try:
            return process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            return None


def signals_end(program, words):
    wrong = []
    for case in ("read", "pause"):
        for number in (signal.SIGTERM, signal.SIGINT):
            end = ended_by([program, case], words, number)
            if end != -number:
                wrong.append(f"{case}, {number.name}: it ends with {end}")
    for case in ("yes", "thread"):
        end = ended_by([program, case], words, None, subprocess.PIPE)
        if end != -signal.SIGPIPE:
            wrong.append(f"{case}, with no reader: it ends with {end}")
    return wrong


def libraries_share(program, count):
    """On one processor nobody else can write."""
    way = Way("whole", f"processors={count}", PATIENCE)
    return [f"{case}: it ends with {outcome.status}" for case in ("now", "later") if count > 1
            for outcome in [follow(program, way, case)] if outcome.status != 0]


def cases():
    success, lines = make("plugin", ARCHIVE)
    if not success:
        return [failed("the plugin and the archive are built", lines)]
    with tempfile.TemporaryDirectory() as folder:
        program = build("waits.c", WAYS[0], folder)
        return [compared("children.c", way, folder) for way in WAYS] + [
            verdict(f"waits and signals, {count} processors",
                    signals_end(program, f"processors={count}") + libraries_share(program, count))
            for count in COUNTS]


def groups():
    return [Group("posix: a guest of the host", cases)]
