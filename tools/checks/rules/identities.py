"""The holder of a lock is known by a number with a turn, or by the list of what a task holds. The address of a task
does not do: when the task has ended, another has its memory. A rule sees only names, so it looks for those of holders.
"""

import re

from . import source

LOOKED_AT = ("sched/", "sync/", "user/posix/", "user/delegation/", "user/include/heddle/", "arch/hosted/")
HOLDER = r"\w*(?:owner|holder|writer|locked_by|held_by)"
# Fields that name a task, and comparisons with one. Each needs its reason.
FIELDS = {
    "user/include/heddle/mutex.h": "a hint, for reports and before mutex_is_held(); the task's end clears it",
    "user/include/heddle/waiting.h": "for reports; the task's end clears it",
    "user/include/heddle/reader_writer_lock.h": "for reports; the task's end clears it",
    "sched/task_wait.h": "for reports: where one of these is",
}
COMPARISONS = {
    "sync/delegation/delegation.h": "it asks mutex_is_held() as well",
}
STRUCTURE = re.compile(r"\b(?:struct|union)\b[^;{}()]*\{")
FIELD = re.compile(rf"\b(?:struct task|void) \*(?:\)|\s|const\b|\*)*({HOLDER})\s*(?:;|,|\[)")
COMPARISON = re.compile(rf"(?:->|\.)({HOLDER})\b(?:[\s,)]|memory_order_\w+)*[=!]=(?!\s*(?:NULL|0)\b)")
SENTENCE = "a holder is known by a number with a turn, or by the list of what it holds, not by the address of a task"


def structures(code):
    """(offset, text) of the body of each structure; those inside another are part of that."""
    end = 0
    for found in STRUCTURE.finditer(code):
        if found.start() >= end:
            end = source.matching(code, found.end() - 1) or len(code)
            yield found.end(), code[found.end():end]


def no_identity_by_address(path, text):
    """Returns pairs of a line number and a sentence."""
    if not path.startswith(LOOKED_AT) or not path.endswith((".c", ".h", ".hpp")):
        return
    code = source.c_code(text)
    if path not in FIELDS:
        for offset, body in structures(code):
            for found in FIELD.finditer(body):
                yield source.line_of(code, offset + found.start(1)), f"\"{found[1]}\": {SENTENCE}"
    if path not in COMPARISONS:
        for found in COMPARISON.finditer(code):
            yield source.line_of(code, found.start(1)), f"\"{found[1]}\" is compared: {SENTENCE}"
