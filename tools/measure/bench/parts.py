"""The measurements of other tools in this tree, each with its own file in build/bench/."""

import re
import subprocess
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    target: str  # of make
    file: str  # in build/bench/
    what: str
    slow: bool = False  # too slow for the profile quick


PARTS = (
    Part("bench-linux", "linux.jsonl", "Linux in the same machine"),
    Part("bench-native", "native.jsonl", "Linux itself, beside the hosted program"),
    Part("bench-peers", "peers.jsonl", "the peers on the host"),
    Part("bench-runtimes", "runtimes.jsonl", "the papers' locks in other runtimes"),
    Part("leveldb", "leveldb.jsonl", "LevelDB"),
    Part("coherence", "coherence.jsonl", "transfers of cache lines", slow=True),
)


def targets(makefiles):
    """The names of the rules in some makefiles."""
    names = set()
    for path in makefiles:
        with open(path, encoding="utf-8") as file:
            for found in re.finditer(r"^([\w./ -]+):(?!=)", file.read(), re.MULTILINE):
                names.update(found[1].split())
    return names


def run(part, profile, say):
    """Measure a part by its rule; returns whether that succeeded. Its output goes to the terminal as it comes."""
    say(f"bench: {part.what}: make {part.target} PROFILE={profile}")
    done = subprocess.run(["make", "--no-print-directory", part.target, f"PROFILE={profile}"], check=False)
    if done.returncode != 0:
        say(f"bench: make {part.target} failed (exit code {done.returncode}); the report will name what it lacks")
    return done.returncode == 0
