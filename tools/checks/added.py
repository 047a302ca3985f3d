"""Locks and ready queues of one's own, with PROGRAMS=: those of the two pages run beside Heddle's, hosted and in QEMU;
and what is wrong with one is said."""

import os
import re
import tempfile

from checks.rules import indexes

from . import building
from .case import Group, failed, verdict
from .programs import judged, run

NEEDS = ("build/hosted/heddle", "build/kernel/heddle.elf")
HEDDLE = "build/programs/hosted/heddle"
PAGES = ("sync/writing-a-lock.md", "sched/writing-a-scheduler.md")
LIFO, APART = "mine/kernel/lifo.c", "mine/kernel/apart.c"

LOCK = '#include "sync/added_lock.h"\n#include "heddle/task.h"\nstruct %(name)s { _Atomic unsigned count; };\n' \
       "static void %(name)s_lock(struct %(name)s *lock) { %(lock)s }\n" \
       "static void %(name)s_unlock(struct %(name)s *lock) { (void)lock; }\n" \
       "HEDDLE_LOCK(%(name)s, struct %(name)s, %(name)s_lock, %(name)s_unlock);\n"
# The 50th task that comes is left, for ever.
FORGETS = "if (lock->count++ == 50) task_suspend();"
PUT = "queue_enqueue("
LOSES = "static _Atomic unsigned puts;\n\tif (puts++ != 50)\n\t\tqueue_enqueue("
GIVE = "while (!lifo->locked && lifo->waiting.last)"
RESULT = r'"benchmark":"%s","variant":"%s".*"ok":%s'


def given():
    """Path and text of each file that the pages contain."""
    files = {}
    for page in PAGES:
        with open(page, encoding="utf-8") as file:
            files.update(indexes.given(file.read()))
    return files


def changed(text, old, new):
    if text.count(old) != 1:
        raise LookupError(f"{old!r} is not once in its page")
    return text.replace(old, new)


def put_into(folder, files):
    """The files, by their names, in the folder that PROGRAMS= gets, and that folder."""
    place = os.path.join(folder, "mine")
    os.makedirs(os.path.join(place, "kernel"))
    for name, text in files.items():
        with open(os.path.join(place, name), "w", encoding="utf-8") as file:
            file.write(text)
    return place


def of_the_pages():
    files = given()
    return {"kernel/lifo.c": files[LIFO], "kernel/apart.c": files[APART]}


def hosted():
    with tempfile.TemporaryDirectory() as folder:
        built, lines = building.make("hosted", f"PROGRAMS={put_into(folder, of_the_pages())}")
        if not built:
            return [failed("make hosted PROGRAMS=", lines)]
        names = ("locks", "section,size=10000", "producer", "city", "news", "readers,rounds=4", "delay,size=10000",
                 "increment", "extension", "residency", "store", "traffic")
        status, said = run(HEDDLE, "processors=2", *(f"run={name.replace(',', ',lock=lifo,', 1)}" if "," in name
                                                     else f"run={name},lock=lifo" for name in names))
        locks = judged("all benchmarks of locks take it", status, said, [
            f"{len(names)} of {len(names)} programs succeeded",
            *(RESULT % (name.split(",")[0], "lifo", "true") for name in names if name.split(",")[0] != "store")])
        status, said = run(HEDDLE, "processors=2", "sched=apart", "run=switch,tasks=100", "run=create", "run=fairness",
                           "run=locks,lock=lifo", "run=locks,lock=exchange")
        queue = judged("the ready queue", status, said, ("5 of 5 programs succeeded",
                                                         RESULT % ("switch", "apart", "true")))
        status, said = run(HEDDLE, "list")
        listed = judged("the lock is listed", status, said, (r"lock=exchange .*[|]strict[|]lifo[)]",))
        return [locks, queue, listed, misspelt("run=locks,lock=lfio", "did you mean lifo[?].*strict[|]lifo$"),
                misspelt("sched=apert",
                         "did you mean apart[?] Allowed is global, local, (?=.*paper)(?=.*bwos)(?=.*apart)[a-z, ]+$")]


def misspelt(word, sentence):
    status, said = run(HEDDLE, word)
    right = status != 0 and re.search(sentence, said, re.MULTILINE)
    return verdict(word, [] if right else [f"status {status}; it said:", *said.splitlines()[-5:]])


def kernel():
    with tempfile.TemporaryDirectory() as folder:
        place = put_into(folder, of_the_pages())
        status, said = run("make", "--no-print-directory", "run", f"PROGRAMS={place}", "SMP=4", "FIRMWARE=direct",
                           "POLICY=apart", "RUN=locks,lock=lifo readers,lock=lifo,rounds=4 switch,tasks=20")
        return [judged("make run PROGRAMS= POLICY=", status, said, (
            "3 of 3 programs succeeded", r"^locks +lifo .* ok", r"^readers +lifo .* ok", r"^switch +apart .* ok"))]


def wrong():
    """Each is built into one program, and says so when it is used."""
    files = of_the_pages()
    bad = {
        "kernel/forgets.c": LOCK % {"name": "forgets", "lock": FORGETS},
        "kernel/open.c": LOCK % {"name": "open", "lock": "(void)lock;"},
        "kernel/deaf.c": changed(files["kernel/lifo.c"], GIVE, "while (false)").replace("lifo", "deaf"),
        "kernel/loses.c": changed(files["kernel/apart.c"], PUT, LOSES).replace("apart", "loses"),
    }
    said_of = (
        ("a lock that suspends a task for ever", ("run=locks,lock=forgets,scope=global",),
         (r"deadlock: no task is ready", r"task locks [(]\d+[)]: waits for lock forgets, which has suspended it")),
        ("a lock that forgets those that wait", ("run=increment,lock=deaf",),
         (r"deadlock: no task is ready",
          r"task contest [(]\d+[)]: waits for lock deaf, at its LIFO mutex at 0x")),
        ("a lock that does not exclude", ("run=increment,lock=open",),
         (RESULT % ("increment", "open", "false"), r"increment: .*two tasks")),
        ("a ready queue that loses a task", ("sched=loses", "run=switch,tasks=10,rounds=1000"),
         (r"sched=loses has lost a task: it is ready, and no processor was given it",
          r"task switch [(]\d+[)]: ready, and lost by its ready queue")),
    )
    with tempfile.TemporaryDirectory() as folder:
        built, lines = building.make("hosted", f"PROGRAMS={put_into(folder, bad)}")
        if not built:
            return [failed("make hosted PROGRAMS=", lines)]
        cases = []
        for name, words, expected in said_of:
            status, said = run(HEDDLE, "processors=2", *words)
            missing = [text for text in expected if not re.search(text, said)]
            right = status == 1 and not missing
            cases.append(verdict(name, [] if right else [f"status {status}, and these were not said: {missing}",
                                                         *said.splitlines()[-20:]]))
        return cases


def refused():
    files = of_the_pages()
    lifo, apart = files["kernel/lifo.c"], files["kernel/apart.c"]
    bad = (
        ("a name of Heddle's", {"kernel/mcs.c": changed(lifo, "HEDDLE_LOCK(lifo", "HEDDLE_LOCK(mcs")},
         "kernel/mcs.c: one of Heddle's locks has the name mcs: take another"),
        ("a policy of Heddle's", {"kernel/local.c": changed(apart, "QUEUE(apart", "QUEUE(local")},
         "kernel/local.c: one of Heddle's ready queues has the name local: take another"),
        ("two of one name", {"kernel/a.c": lifo, "kernel/b.c": lifo}, "two locks have the name lifo"),
        ("a lock beside kernel/", {"lifo.c": lifo}, "lifo.c: a lock belongs into the folder kernel/ there"),
        ("a program in kernel/", {"kernel/x.c": '#include "heddle/program.h"\nHEDDLE_PROGRAM(x, "", 0, 0);\n'},
         "kernel/x.c: a program belongs beside the folder kernel/"),
        ("a lock that is too large", {"kernel/lifo.c": changed(lifo, "bool locked;", "bool locked; char more[100];")},
         "a lock is too large"),
    )
    cases = []
    for name, texts, sentence in bad:
        with tempfile.TemporaryDirectory() as folder:
            status, said = run("make", "--no-print-directory", "hosted", f"PROGRAMS={put_into(folder, texts)}")
            right = status == 2 and sentence in said
            cases.append(verdict(name, [] if right else [f"status {status}; it said:", *said.splitlines()[-10:]]))
    return cases


def groups():
    # Alone: PROGRAMS= has one folder for what it builds.
    return [
        Group("added: a lock and a ready queue of one's own, hosted", hosted, alone=True),
        Group("added: a lock and a ready queue of one's own, kernel", kernel, alone=True),
        Group("added: what is wrong with one is said", wrong, alone=True),
        Group("added: refused", refused, alone=True),
    ]
