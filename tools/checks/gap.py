"""What the compiler's checks promise: no path of user code above the bound, and no loop that monopolizes a
processor."""

from measure.gap import gaps
from harness import emulator, explain, process

from .building import make
from .case import Group, failed, verdict

KERNEL, KERNEL_OFF = "build/kernel/heddle.elf", "build/kernel-off/heddle.elf"
HOSTED, HOSTED_OFF = "build/hosted/heddle", "build/hosted-off/heddle"
CONTROL = "run=matrix,size=20,tasks=2"
FAIRNESS = "run=fairness,tasks=64,iterations=1M"
TIMEOUT = 60


def build(path):
    """For checks that need a binary that no other group builds."""
    success, lines = make(path)
    if not success:
        raise emulator.EmulatorFailure("\n".join([f"{path} cannot be built:", *lines]))
    return path


def objections(kernel, bound, words):
    """What is wrong with a run: a gap above the bound, or nothing measured."""
    found, lines = gaps.measure(kernel, words.split(), TIMEOUT, name="test")
    sentences = explain.wrong_results(process.Outcome(command=[], lines=lines))
    if found.checks == 0:
        sentences.append("no check was executed")
    too_long = [end for end in found.ends if end.longest > bound]
    return sentences + [f"above the bound of {bound}: {gaps.describe(kernel, end)}" for end in too_long]


def within_the_bound():
    """Each program, and a kernel with user code without checks, which must fail."""
    kernel, plain = gaps.Kernel(build(KERNEL)), gaps.Kernel(build(KERNEL_OFF))
    bound = gaps.bound(KERNEL)
    if bound is None:
        return [failed("the notes", [f"{KERNEL} has no note that states a bound"])]
    cases = [verdict(words, objections(kernel, bound, words)) for words in gaps.runs(kernel)]
    seen = " ".join(objections(plain, bound, CONTROL))
    missed = [words for words in ("no check was executed", "above the bound") if words not in seen]
    cases.append(verdict("without checks it fails", [f"it did not say \"{words}\"" for words in missed]))
    return cases


def fairness(name, outcome, explanation, instrumented):
    """The program's own verdict: success with checks; without, a failure that says what the cause may be."""
    if instrumented:
        return verdict(name, explanation(outcome) + explain.wrong_results(outcome))
    said = " ".join(explanation(outcome))
    expected = "is user code compiled without the compiler's checks"
    return verdict(name, [] if expected in said else [f"it did not say \"{expected}\", but: {said}"])


def long_loop():
    """One task in a long loop, 63 others, one processor; and the same without checks, which must fail."""
    cases = []
    for path, instrumented in ((HOSTED, True), (HOSTED_OFF, False)):
        name = f"hosted{'' if instrumented else ', without checks it fails'}"
        outcome = process.follow([build(path), "processors=1", FAIRNESS], TIMEOUT)
        cases.append(fairness(name, outcome, explain.explain_hosted, instrumented))
    for path, instrumented in ((KERNEL, True), (KERNEL_OFF, False)):
        name = f"kernel{'' if instrumented else ', without checks it fails'}"
        machine = emulator.Machine(
            processors="1", memory="512M", firmware="direct", kernel=build(path), words=[FAIRNESS]
        )
        outcome = emulator.follow(emulator.command(machine), TIMEOUT)
        cases.append(fairness(name, outcome, explain.explain_emulator, instrumented))
    return cases


def or_why_not(cases):
    """The cases, or one that says why there are none."""
    try:
        return cases()
    except emulator.EmulatorFailure as failure:
        return [failed("what it needs", str(failure).splitlines())]


def groups():
    return [
        Group("gap: instructions between two checks", lambda: or_why_not(within_the_bound)),
        Group("gap: a long loop lets 63 other tasks go on", lambda: or_why_not(long_loop), alone=True),
    ]
