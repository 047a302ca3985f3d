"""Heddle itself, hosted, measured like its peers."""

import os
import re

from harness import explain, process, results

from . import build

BINARY = "build/hosted/heddle"


class Heddle:
    name = "heddle"

    def __init__(self, binary=BINARY):
        self.binary = binary
        self.programs = set()

    def versions(self):
        if not os.access(self.binary, os.X_OK):
            raise build.Missing(f"{self.binary} is not there; `make hosted` builds it")
        listed = "\n".join(build.tool_output([self.binary, "list"]))
        self.programs = set(re.findall(r"^([a-z_0-9]+): ", listed, re.MULTILINE))
        described = process.follow(["git", "describe", "--always", "--dirty"], 20)
        commit = described.lines[0] if described.status == 0 and described.lines else "without a commit"
        try:
            compiler = build.tool_output(["gcc", "--version"])[0]
        except build.Missing:
            compiler = "unknown"
        return {"compiler": compiler, "library": f"Heddle {commit}", "language": "gnu17"}

    def has(self, words):
        """Whether it has the program that "NAME,key=value" asks for."""
        return words.split(",")[0] in self.programs

    def command(self, row, profile):
        """The program runs twice: the first time is its warm-up, as with the peers."""
        settings = "".join(f",{key}={value}" for key, value in row.parameters(profile).items())
        return [self.binary, f"processors={row.processors}", "seed=1", *[f"run={row.heddle}{settings}"] * 2]

    @staticmethod
    def read(row, variant, outcome):
        """(nanoseconds an operation, operations, None), or (None, None, why there is no figure)."""
        sentences = explain.explain_hosted(outcome) + explain.wrong_results(outcome, row.processors)
        if sentences:
            return None, None, " ".join(sentences[0].split())
        wanted = [result for result in results.good(outcome.lines)
                  if result["benchmark"] == row.heddle.split(",")[0] and variant in (None, result["variant"])]
        if len(wanted) != 2 or wanted[1]["operations"] < 1 or wanted[1]["ns_per_operation"] <= 0:
            asked = " ".join([row.heddle, variant or ""]).strip()
            return None, None, f"it printed {len(wanted)} results of {asked} instead of 2, or an empty one"
        return float(wanted[1]["ns_per_operation"]), wanted[1]["operations"], None
