"""The simulated machine: tests and programs on it, the same result each time, lines as worked out by hand, what is
known of locks, and what is refused."""

import itertools
import json
import os
import statistics
import tempfile

from harness import explain, parallel, process, results

from .case import Group, verdict
from .coherence import EXPECTED, NAMES, ROUNDS
from .hosted import from_report

PROGRAM = "build/simulated/heddle"
NEEDS = (PROGRAM,)
# Of few instructions a nanosecond, so that what takes some time is simulated soon.
SLOW = "tools/checks/simulated/slow.json"
TESTED = (("processors=1",), ("processors=4", "pauses=5000"))  # pauses=: where errors wait for a host that is busy
TIMEOUT = 240
SECTION = "section,tasks=100,rounds=20,primes=100"
STEADY = "section,tasks=100,rounds=100,primes=100"  # so long that seeds agree, wherever the compiler places the code
PROGRAMS = (
    SECTION, SECTION + ",lock=dispatch", SECTION + ",lock=inline", "create,tasks=1000", "creators,tasks=100",
    "switch,tasks=100,rounds=1000", "switch,tasks=30,milliseconds=1,warmup=1",
    "locks,tasks=40,rounds=200", "producer,rounds=500", "store,tasks=8,rounds=100,lock=mrqd",
    "store,tasks=8,rounds=100,lock=hqd,step=copy", "matrix,size=64",
    "increment,tasks=30,rounds=10,parts=10,lock=cohort", "increment,tasks=30,milliseconds=1,warmup=1,parts=10",
    "readers,tasks=60,rounds=20,primes=100", "delay,tasks=30,rounds=20",
)
WINDOWS = (0, 100, 1000)  # nanoseconds
TOO_FAR = 10000  # a window that must be seen to change a result
SEEDS = range(1, 7)
ERRORS = 4  # standard ones, by which two means may differ,
PART = 0.1  # or by this part of the second


def run(*words, environment=None):
    return process.follow([PROGRAM, "log=warning", *words], TIMEOUT, environment=environment)


def found(*words, environment=None):
    """The result lines of a run that must succeed, as they were printed."""
    outcome = run(*words, environment=environment)
    sentences = explain.explain_hosted(outcome) + explain.wrong_results(outcome)
    if sentences:
        raise AssertionError("\n".join([f"{' '.join(words)}:", *sentences]))
    return [line for line in outcome.lines if results.is_result(line)]


def time_of(*words):
    """Nanoseconds an operation."""
    return results.parse(found(*words)[-1])["ns_per_operation"]


def mean_time_of(*words):
    """The same, the mean of three seeds."""
    return statistics.mean(time_of(*words, f"seed={seed}") for seed in (1, 2, 3))


def tests(words):
    outcome = process.follow([PROGRAM, f"machine={SLOW}", *words, "run=test"], TIMEOUT)
    cases = from_report(outcome, explain.explain_hosted(outcome))
    for case in cases:
        case.name += f", {' '.join(words)}"
    return cases


def all_tests():
    return list(itertools.chain(*parallel.results([lambda words=words: tests(words) for words in TESTED])))


def objections_to(program):
    """A program, with its own check of its result, on many processors."""
    outcome = run("processors=48", "sockets=3", f"machine={SLOW}", f"run={program}")
    return explain.explain_hosted(outcome) + explain.wrong_results(outcome)


def programs():
    return [verdict(program, sentences) for program, sentences in zip(PROGRAMS, parallel.results(
        [lambda program=program: objections_to(program) for program in PROGRAMS]))]


def storms():
    """The result of a storm, in some runs. Processors stand still now and then, so each access that only some of the
    runs account for shows. The storm also reads what the host has placed: the names of the program's functions."""
    words = ("processors=4", "pauses=20000", "run=storm,seconds=1")
    return parallel.results([lambda size=size: found(*words, environment={"PADDING": "x" * size})
                             for size in (0, 3000, 5000, 9000)])


def differences_of(runs):
    first, *others = runs
    return [f"{line} instead of {right}" for lines in others for right, line in itertools.zip_longest(first, lines)
            if line != right]


def same_result():
    """The same words give the same lines, whatever the host puts where: a larger environment moves the stack, and each
    start has another layout of its own. Another seed gives others."""
    words = ("processors=24", "sockets=2", "run=" + SECTION, "run=locks,tasks=40,rounds=200,scope=global")
    first = found(*words)
    again = [found(*words), found(*words, environment={"PADDING": "x" * 5000})]
    other = found(*words, "seed=2")
    return [verdict("the same words", differences_of([first, *again])),
            verdict("the same storm", differences_of(storms())),
            verdict("another seed", ["it made no difference"] if other == first else [])]


def mean_of(lock, window):
    """(mean, square of its standard error) of the times with all seeds."""
    times = parallel.results([
        lambda seed=seed: time_of("processors=32", "sockets=2", f"window={window}", f"seed={seed}",
                                  f"run={STEADY},lock={lock}") for seed in SEEDS])
    return statistics.mean(times), statistics.variance(times) / len(times)


def differ(one, other):
    return abs(one[0] - other[0]) > max(ERRORS * (one[1] + other[1]) ** 0.5, PART * other[0])


def windows():
    """How far a processor may run ahead changes no result by more than another seed does; much farther does."""
    means = {(lock, window): mean_of(lock, window) for lock in ("exchange", "dispatch") for window in WINDOWS}
    cases = [verdict(f"{lock}, window={window}", [
        f"{means[lock, window][0]:.1f} ns, and {means[lock, 0][0]:.1f} with window=0"
    ] if differ(means[lock, window], means[lock, 0]) else []) for lock, window in means if window]
    seen = differ(mean_of("dispatch", TOO_FAR), means["dispatch", 0])
    return cases + [verdict(f"dispatch, window={TOO_FAR} is seen", [] if seen else ["it made no difference"])]


def moved(folder, pattern, processors, sockets):
    """What moved in all rounds of a pattern."""
    path = os.path.join(folder, f"{pattern}-{processors}-{sockets}.json")
    found("machine=xeon-4s", f"processors={processors}", f"sockets={sockets}", f"counts={path}",
          f"run=lines,variant={pattern},rounds={ROUNDS}")
    with open(path, encoding="ascii") as file:
        data = json.load(file)["data"]
    return tuple(data[name] for name in NAMES)


def known_lines():
    """The patterns of `run=lines`, of which is worked out by hand what moves (coherence.py has QEMU count them)."""
    cases = []
    with tempfile.TemporaryDirectory() as folder:
        for (pattern, processors, sockets), expected in EXPECTED.items():
            wanted = tuple(ROUNDS * number for number in expected)
            found_there = moved(folder, pattern, processors, sockets)
            cases.append(verdict(f"{pattern}, {processors} processors, {sockets} sockets", [
                f"in {ROUNDS} rounds {name}: {was} instead of {should}"
                for name, was, should in zip(NAMES, found_there, wanted) if was != should]))
    return cases


def known_locks():
    """A lock on which all spin collapses; a queue in which each spins on a line of its own does not."""
    times = {(lock, count): time_of("machine=xeon-4s", f"processors={count}",
                                    f"run=collapse,variant={lock},rounds={1600 // count}")
             for lock in ("spin", "queue") for count in (4, 16)}
    spin, queue = (times[lock, 16] / times[lock, 4] for lock in ("spin", "queue"))
    return [verdict("16 processors instead of 4, on one socket",
                    [] if spin > 4 and queue < 1.5
                    else [f"a spin lock took {spin:.1f} times as long, and a queue {queue:.1f}"])]


def overlaps():
    """A processor that fetches an array from another has many of its lines under way at once."""
    path = "arch/simulated/machines/epyc-2s.json"
    words = ("processors=16", "sockets=2", "run=matrix,size=128,rows=64,tasks=16")
    with open(path, encoding="ascii") as file:
        profile = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        single = os.path.join(folder, "single.json")
        with open(single, "w", encoding="ascii") as file:
            json.dump({**profile, "reads": 1}, file)
        one, many = time_of(*words, f"machine={single}"), time_of(*words, f"machine={path}")
    return [verdict("a matrix that others have written", [
        f"with one read at a time an operation took {one:.3f} ns, and {many:.3f} with {profile['reads']}"]
        if one < 1.5 * many else [])]


def spreads():
    """A task that only waits for its turn goes to a processor that has nothing to do."""
    cases = []
    for count in (2, 4):
        one, each = (time_of(f"processors={count}", f"run=locks,scope=local,tasks={tasks},rounds=20000")
                     for tasks in (1, count))
        cases.append(verdict(f"{count} tasks that never wait, on as many processors", [
            f"a lock and unlock took {each:.2f} ns, and {one:.2f} with one task"] if each > 1.2 * one / count else []))
    return cases


def short():
    """One processor can do all there is, in short tasks, and 15 have nothing to do. Where these help whenever they can,
    it takes ten times as long as on a machine of one processor."""
    def compared(title, words):
        alone, beside = (mean_time_of(f"processors={processors}", f"run={words}") for processors in (1, 16))
        return verdict(title, [f"it took {beside:.0f} ns, and {alone:.0f} on a machine of one"]
                       if beside > 5 * alone else [])

    def apart(processors):
        """Tasks that make short ones come to have a processor each, wherever they begin."""
        one, all_of_them = (mean_time_of(f"processors={processors}", f"run={words}")
                            for words in ("creators,tasks=10000,creators=1", "creators,tasks=10000"))
        return verdict(f"{processors} tasks that make others", [
            f"on as many processors each took {processors * all_of_them:.0f} ns a task, and {one:.0f} if it was alone"]
            if processors * all_of_them > 1.5 * one else [])

    def lasting():
        """Tasks whose turns are short, but which do not end, are shared out among many processors as among few."""
        few, many = (mean_time_of(f"processors={processors}", "run=eratosthenes,size=10000")
                     for processors in (16, 64))
        return verdict("filters that do not end", [f"on 64 processors it took {many:.1f} ns, and {few:.1f} on 16"]
                       if many > 1.45 * few else [])

    def looking():
        """Where writers are few, readers and the holder keep looking while one section is carried out. DR-MCS spins."""
        keeps, spins = (mean_time_of("processors=16", f"run=store,lookups=9900,tasks=16,rounds=2000,lock={lock}")
                         for lock in ("mrqd", "dr-mcs"))
        return verdict("readers that wait for one writer in a hundred", [
            f"an operation took {keeps:.0f} ns, and {spins:.0f} where they spin"]
            if keeps > 1.6 * spins else [])

    return [lasting(), looking(), compared("tasks that are made and joined", "creators,tasks=2000,creators=1"),
            apart(2), apart(4),
            compared("a token that is handed on", "tokenring,tasks=1000,rounds=30")]


REFUSED = (
    (("processors=1025",), "allowed is a number from 1 to 1024"),
    (("costs=0",), "allowed is a number from 1 to 10000"),
    (("window=x",), "allowed is a number from 0 to"),
    (("machine=nothing",), "or one of epyc-2s"),
    (("processors=4", "sockets=5"), "one processor at least"),
    (("processors=200", "sockets=1"), "128 at most"),
    (("processors=1", "counts=/nowhere/counts", "run=matrix,size=8"), "/nowhere/counts cannot be written"),
    (("processors=1", "run=nothing"), "there is no such program"),
    (("processors=1", "memory=2048", "run=creators,milliseconds=1,creators=60000,batch=64"), "joined a whole batch"),
)
# A profile with something wrong in it, and what is said of that.
DAMAGED = (
    (lambda profile: profile.pop("wake"), "wake"),
    (lambda profile: profile["line"].update(cache="near"), "line.cache"),
    (lambda profile: profile.update(sockets=0), "sockets"),
    (lambda profile: profile["own_cache"].update(ways=0), "own_cache.ways"),
    (lambda profile: profile.update(reads=0), "reads"),
)


def refusal(words, sentence):
    outcome = run(*words)
    said = outcome.errors + "\n".join(outcome.lines)
    right = outcome.status not in (0, None) and outcome.status > 0 and sentence in said
    return verdict(" ".join(words), [] if right else [f"it ended with {outcome.status} and said: {said.strip()}"])


def damaged(folder, number, damage, sentence):
    with open(SLOW, encoding="ascii") as file:
        profile = json.load(file)
    damage(profile)
    path = os.path.join(folder, f"damaged-{number}.json")
    with open(path, "w", encoding="ascii") as file:
        json.dump(profile, file)
    case = refusal((f"machine={path}", "processors=1"), sentence)
    case.name = f"a profile with something wrong: {sentence}"
    return case


def refusals():
    cases = [refusal(words, sentence) for words, sentence in REFUSED]
    with tempfile.TemporaryDirectory() as folder:
        cases += [damaged(folder, number, damage, sentence) for number, (damage, sentence) in enumerate(DAMAGED)]
        path = os.path.join(folder, "cut.json")
        with open(path, "w", encoding="ascii") as file:
            file.write('{"name": "cut')
        cases.append(refusal((f"machine={path}", "processors=1"), "cut.json"))
    return cases


def profiles():
    """Each profile that is there runs on all the processors that it has."""
    folder = "arch/simulated/machines"
    names = sorted(name.removesuffix(".json") for name in os.listdir(folder))
    return [verdict(name, [] if found(f"machine={name}", "run=matrix,size=8,tasks=8") else ["it has no result"])
            for name in names]


def groups():
    return [
        Group("simulated: tests", all_tests),
        Group("simulated: programs, 48 processors", programs),
        Group("simulated: the same result each time", same_result),
        Group("simulated: how far processors run ahead", windows),
        Group("simulated: lines move as worked out by hand", known_lines),
        Group("simulated: what is known of locks", known_locks),
        Group("simulated: reads of arrays overlap", overlaps),
        Group("simulated: tasks spread", spreads),
        Group("simulated: short tasks are left to their processor", short),
        Group("simulated: profiles", profiles),
        Group("simulated: what is refused", refusals),
    ]
