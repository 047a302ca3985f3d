"""Delegation locks of the host's threads (user/delegation/): with the archive, and under ThreadSanitizer."""

import glob
import subprocess
import tempfile

from harness import process

from . import hosted
from .case import Case, Group, failed, said, verdict

NEEDS = ("build/hosted/libheddle-delegation.a",)
FOLDER = "tools/checks/delegation"
HEADERS = "user/include/heddle/delegation"
SOURCES = ("user/delegation/*.c", "sync/delegation/queue.c")
WARNINGS = "-Wall -Wextra -Wpedantic -Werror".split()
TSAN = "-O1 -g -fsanitize=thread".split()
TIMEOUT = 120
KINDS = ("tatas", "qd", "mrqd")
# How a program misuses a lock, and what is said.
MISUSES = {
    "relock": "a thread locks what it holds, and would wait for ever",
    "unlock": "a thread unlocks what it does not hold",
    "kind": "there are TATAS_LOCK, QD_LOCK and MRQD_LOCK, and no other kinds of",
    "free": "LL_free() is of locks that LL_create() made",
    "destroy": "what is held, or read, is destroyed",
    "held-buffer": "a buffer was not closed",
    "buffer": "a buffer was not closed",
}


def build(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def follow(program, *words, watched=False):
    before = hosted.watched() if watched else []
    return process.follow([*before, program, *words], TIMEOUT, environment=hosted.SANITIZERS)


def done(title, outcome):
    right = outcome.status == 0 and list(outcome.lines) == ["done"]
    return Case(title) if right else failed(title, said(outcome))


def misused(program, how, sentence):
    outcome = follow(program, "qd", how)
    right = outcome.status == -6 and f"heddle: {sentence}" in outcome.errors
    return verdict(f"misuse: {how}", [] if right else said(outcome))


def cases():
    with tempfile.TemporaryDirectory() as folder:
        plain, cplusplus, watched = (f"{folder}/{name}" for name in ("plain", "cplusplus", "watched"))
        build("gcc", "-std=gnu11", "-O2", *WARNINGS, f"-I{HEADERS}", f"{FOLDER}/threads.c", *NEEDS, "-pthread", "-o",
              plain)
        build("gcc", "-std=gnu17", *TSAN, "-I.", "-Iuser/include", f"-I{HEADERS}", f"{FOLDER}/threads.c",
              *(path for pattern in SOURCES for path in sorted(glob.glob(pattern))), "-pthread", "-o", watched)
        build("g++", "-std=c++11", "-O2", *WARNINGS, f"-I{HEADERS}", f"{FOLDER}/threads.cc", *NEEDS, "-pthread", "-o",
              cplusplus)
        return [
            *(done(kind, follow(plain, kind)) for kind in KINDS),
            *(done(f"{kind}, ThreadSanitizer", follow(watched, kind, watched=True)) for kind in KINDS),
            done("C++11", follow(cplusplus)),
            *(misused(plain, how, sentence) for how, sentence in MISUSES.items()),
        ]


def groups():
    return [Group("delegation: locks of the host's threads", cases)]
