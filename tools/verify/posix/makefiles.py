"""What glibc's makefiles say of its tests: which there are, with which options and arguments. Only assignments, and
which tests wait for modules, are read: that suffices."""

import collections
import re

ASSIGNMENT = re.compile(r"([\w.<-]+)\s*[+:]?=\s*(.*)")
NEEDS_MODULE = re.compile(r"\$\(objpfx\)(tst-[\w-]+)(?:\.out)?:.*\.sos?\b")
REFERENCE = re.compile(r"\$\(([\w.-]+)\)")


class Makefiles:
    def __init__(self, *paths):
        self.words = collections.defaultdict(list)  # of each variable, those of all branches
        self.with_modules = set()  # tests
        for path in paths:
            with open(path, encoding="utf-8") as file:
                for line in file.read().replace("\\\n", " ").splitlines():
                    self.read(line.partition(" #")[0].strip())

    def read(self, line):
        needs, assigned = NEEDS_MODULE.match(line), ASSIGNMENT.fullmatch(line)
        if needs:
            self.with_modules.add(needs[1])
        if assigned:
            self.words[assigned[1]] += assigned[2].split()

    def tests(self, *variables):
        return {word for variable in variables for word in self.words[variable] if word.startswith("tst-")}

    def value(self, variable, others):
        """With the values of what it refers to; `others` has those that the makefiles do not assign."""
        def referred(reference):
            return others.get(reference[1]) or self.value(reference[1], others)

        return REFERENCE.sub(referred, " ".join(self.words[variable]))
