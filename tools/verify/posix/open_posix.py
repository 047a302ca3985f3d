"""The Open POSIX Test Suite's tests of threads and semaphores."""

import glob
import os
import re

from harness import sources

from .suite import Suite
from .ways import complaints_of, outcome_of

PACKAGE = "posixtestsuite"
SOURCES = f"build/sources/{PACKAGE}/conformance/interfaces"
FOLDERS = ("pthread_*", "sem_*")
PROGRAM = re.compile(r"\d+(-\d+)?\.c")
COMPILER = ["gcc", "-std=gnu99", "-O2", "-w", "-D_POSIX_C_SOURCE=200112L", f"-I{SOURCES}/../../include"]
STATUS = {0: "passed", 1: "failed", 2: "unresolved", 4: "unsupported", 5: "untested"}  # include/posixtest.h


class OpenPosix(Suite):
    name, title = "open-posix", "the Open POSIX Test Suite"
    known = "tools/verify/posix/known.txt"

    def owns(self, name):
        return name == self.name or re.match(r"(pthread|sem)_", name)

    def programs(self):
        """Names as pthread_create/1-1."""
        sources.fetch(PACKAGE)
        found = []
        for folder in FOLDERS:
            for path in glob.glob(f"{SOURCES}/{folder}/**/*.c", recursive=True):
                if PROGRAM.fullmatch(os.path.basename(path)):
                    found.append(os.path.relpath(path, SOURCES)[:-len(".c")])
        return sorted(found, key=lambda name: [int(part) if part.isdigit() else part
                                               for part in re.split(r"(\d+)", name)])

    def part(self, name):
        return os.path.dirname(name)

    def strand(self, name):
        """A function's tests share names of the host's, of semaphores and of memory."""
        return self.part(name)

    def build(self, name, way, target):
        return complaints_of([*COMPILER, *way.compiled(), "-c", f"{SOURCES}/{name}.c", "-o", f"{target}.o"],
                             ["gcc", f"{target}.o", *way.linked(), "-pthread", "-lrt", "-lm", "-o", target])

    def run(self, name, way, target, folder):
        followed = way.follow([target], folder, {})
        return outcome_of(followed, "hangs" if followed.timed_out else STATUS.get(followed.status, "dies"))
