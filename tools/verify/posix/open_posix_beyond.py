"""What else of the Open POSIX Test Suite concerns threads: its tests of signals, timers, queues of messages and of
scheduling, those that have threads of other functions, its functional tests, and its stress tests for a while."""

import glob
import os
import re
import signal

from harness import sources

from .open_posix import COMPILER, PACKAGE, PROGRAM, SOURCES, STATUS, OpenPosix
from .ways import GUARDED, complaints_of, outcome_of

ROOT = f"build/sources/{PACKAGE}"
# All of their tests; of other functions, those that use pthread_... or sem_...
WHOLE = re.compile(
    r"raise|kill|signal|sig(hold|ignore|relse|set|pause|pending|procmask|queue|suspend|timedwait|wait|waitinfo)"
    r"|sched_yield|(clock_)?nanosleep|timer_\w+|mq_(notify|timedsend|timedreceive|send|receive)")
OF_BASE = re.compile(r"(pthread|sem)_")
THREADS = re.compile(r"\b(pthread|sem)_\w+ *\(")
INCLUDED = re.compile(r"testfrmw|threads_scenarii|helper|s-c\d?")  # included by others, or measures how times grow
SETS_CLOCK = re.compile(r"\b(clock_settime|settimeofday) *\(")  # of the machine: not here
STRESS_SECONDS = 5  # until a stress test is told to end


def natural(name):
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


class OpenPosixBeyond(OpenPosix):
    name, title = "open-posix-beyond", "the Open POSIX Test Suite, what else concerns threads"
    known = "tools/verify/posix/known_beyond.txt"

    def owns(self, name):
        return name == self.name or bool(re.match(
            r"(functional|stress)/[mst]|sig|sched_|mq_|timer_|aio_|shm_|raise|kill|nanosleep|clock_|fork|getpid", name))

    def programs(self):
        """Names as sigwait/1-1, functional/semaphores/sem_lock, stress/threads/pthread_cancel/stress."""
        sources.fetch(PACKAGE)
        found = []
        for path in glob.glob(f"{SOURCES}/**/*.c", recursive=True):
            name = os.path.relpath(path, SOURCES)[:-len(".c")]
            function = name.partition("/")[0]
            if PROGRAM.fullmatch(os.path.basename(path)) and not OF_BASE.match(function) and (
                    WHOLE.fullmatch(function) or THREADS.search(read(path))) and not SETS_CLOCK.search(read(path)):
                found.append(name)
        for folder in ("functional", "stress"):
            for path in glob.glob(f"{ROOT}/{folder}/**/*.c", recursive=True):
                if not INCLUDED.fullmatch(os.path.basename(path)[:-len(".c")]) and not SETS_CLOCK.search(read(path)):
                    found.append(os.path.relpath(path, ROOT)[:-len(".c")])
        return sorted(found, key=natural)

    def build(self, name, way, target):
        path = f"{ROOT}/{name}.c" if name.startswith(("functional/", "stress/")) else f"{SOURCES}/{name}.c"
        own = [f"-I{ROOT}/functional/threads/include"] if "threads/" in name else []
        return complaints_of([*COMPILER, *own, *way.compiled(), "-c", path, "-o", f"{target}.o"],
                             ["gcc", f"{target}.o", *way.linked(), "-pthread", "-lrt", "-lm", "-o", target])

    def run(self, name, way, target, folder):
        """A stress test runs until SIGUSR1 tells it to end."""
        command = [*GUARDED, target]
        if name.startswith("stress/threads/"):
            command = [*GUARDED, "timeout", "--foreground", "--signal=USR1", "--kill-after", str(way.limit),
                       "--preserve-status", str(STRESS_SECONDS), target]
        followed = way.follow(command, folder, {})
        return outcome_of(followed, "hangs" if followed.timed_out or followed.status in (-signal.SIGKILL, 137)
                          else STATUS.get(followed.status, "dies"))
