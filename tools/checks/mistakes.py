"""Programs under the address and leak sanitizers: mistakes in tasks are found, and nothing else."""

import os
import re
import tempfile

from harness import explain, process

from . import hosted, ordinary
from .building import make
from .case import Group, failed, verdict

SOURCE = f"{ordinary.FOLDER}/mistakes.c"
MACHINES = [f"processors={count} quantum=7 memory=256" for count in (1, 3)]
ARRAY = r"'array' \(line \d+\) <== Memory access at offset \d+ overflows this variable"
# Each mistake, what is reported, and the comments on the lines of its source that the report names.
MISTAKES = (
    ("overflow of memory", "heap-buffer-overflow", ("overflow of memory", "obtained")),
    ("overflow of a local array", f"stack-buffer-overflow(.|\n)*{ARRAY}", ("overflow of a local array",)),
    ("overflow in a generator", f"stack-buffer-overflow(.|\n)*{ARRAY}", ("overflow of a local array",)),
    ("use after free", "heap-use-after-free", ("use after free", "freed", "obtained")),
    ("leak", r"leaked in 1 allocation\(s\)", ("obtained",)),
    ("none at the end", None, ()),  # pointers that only tasks' stacks and Heddle's memory have are no leaks
)


def line_of(comment):
    with open(SOURCE, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if line.endswith(f"; /* {comment} */\n"))


def unlike(outcome, report, comments):
    """Sentences, if the program did not end with that report."""
    said = outcome.errors
    if report is None:
        return [] if outcome.status == 0 else [f"it ended with status {outcome.status}:", *said.splitlines()[:20]]
    places = [f"mistakes.c:{line_of(comment)}" for comment in comments]
    missing = [place for place in places if not re.search(rf"{place}\b", said)]
    if outcome.status == explain.SANITIZERS["AddressSanitizer"] and re.search(report, said) and not missing:
        return []
    return [f"no such report that names {', '.join(places)}; it ended with status {outcome.status}:",
            *said.splitlines()[:40]]


def mistake_case(program, name, report, comments):
    wrong = []
    for words in MACHINES:
        outcome = process.follow([program, words, name], ordinary.TIMEOUT, environment=hosted.SANITIZERS)
        wrong += [f"{words}: {sentence}" for sentence in unlike(outcome, report, comments)]
    return verdict(f"mistakes under the sanitizers: {name}", wrong)


def unfinished_case(folder):
    """What tasks and generators leave behind that end in the middle of functions."""
    title = "unfinished, -fsanitize=address"
    wrong = ordinary.build(folder, "unfinished", ordinary.CPLUSPLUS, *ordinary.WATCHED[1:])
    for words in [] if wrong else ordinary.FEWER:
        wrong += ordinary.run(os.path.join(folder, "unfinished"), words, ["unfinished: 0"])
    return verdict(title, wrong)


def groups():
    def cases():
        success, lines = make("plugin", "hosted")
        if not success:
            return [failed("the library is built", lines)]
        with tempfile.TemporaryDirectory() as folder:
            wrong = ordinary.build(folder, "mistakes", ordinary.C, *ordinary.WATCHED[1:])
            if wrong:
                return [failed("the program is built", wrong)]
            return [unfinished_case(folder),
                    *(mistake_case(os.path.join(folder, "mistakes"), *mistake) for mistake in MISTAKES)]

    return [Group("plugin: mistakes in ordinary programs", cases)]
