"""Bad command lines stop with a sentence that lists what is allowed."""

import re

from harness import emulator, explain

from .case import Group, verdict
from .hosted import run
from .kernel import DEBUG

# Words, and what the sentence must contain.
BAD = (
    ("nonsense", r"nonsense.*allowed is run=.*processors"),
    ("=", r"processors"),
    ("processors=none", r"none"),
    ("processors=-1", r"-1"),
    ("processors=99999999999999999999", r"99999999999999999999"),
    ("sched=fair", r"fair.*global.*local"),
    ("log=loud", r"loud.*error.*warning.*info.*debug"),
    ("seed=x", r"seed"),
    ("watchdog=soon", r"soon"),
    ("safe=maybe", r"safe=maybe.*off or on"),
    ("performance=high", r"performance=high.*off or on"),
    ("idle=deep", r"idle=deep.*halt or monitor"),
    ("serial=com5", r"serial=com5.*com1.*0x3e8.*BAUD"),
    ("serial=0x10000", r"serial=0x10000.*a port"),
    ("serial=0x", r"serial=0x.*a port"),
    ("serial=com1,", r"serial=com1,.*from 50 to 115200"),
    ("serial=com1,115201", r"115201.*from 50 to 115200"),
    ("serial=tostring", r"tostring.*com1"),
    ("trace=maybe", r"trace=maybe.*off, on or paused"),
    ("trace=on,size=100", r"size=100.*a power of two from 16 to 16777216"),
    ("trace=on,size=33554432", r"33554432.*a power of two"),
    ("trace=on,events=all", r"events=all.*switches, waits, locks"),
    ("trace=on,events=waits+", r"waits[+].*switches, waits, locks"),
    ("trace=on,file=", r"file=.*last ,file=NAME"),
    ("trace=on,file=x,size=64", r"last ,file=NAME"),
    ("fault=none", r"fault=none.*task or machine"),
    ("end=never", r"end=never.*off, halt or reboot"),
    ("quantum=0", r"quantum=0.*from 1 to 2147483647"),
    ("quantum=2147483648", r"2147483648.*from 1 to 2147483647"),
    ("quantum=long", r"long.*instructions"),
    ("run=", r"run=NAME"),
    ("run=nothing", r"nothing.*switch"),
    ("run=switch,", r"tasks"),
    ("run=switch,colour=1", r"colour.*tasks.*rounds"),
    ("run=switch,tasks", r"tasks"),
    ("run=switch,tasks=", r"tasks"),
    ("run=switch,tasks=many", r"many"),
    ("run=switch,tasks=0", r"tasks.*1"),
    ("run=switch,tasks=99999999999999999999999", r"tasks"),
    ("run=test,only=9999", r"only"),
    ("run=locks,lock=fast", r"fast.*exchange.*dispatch.*inline.*ces-spin.*ttas.*mcs.*cohort"),
    ("run=locks,variant=", r"exchange.*dispatch.*inline.*ces-spin"),
    ("run=readers,lock=ttas", r"ttas.*exchange.*dispatch.*inline.*ces-spin"),
    ("run=locks,lock=mcs,variant=mcs", r"lock is given twice"),
    ("run=locks,lock=mcs,waiting=***", r"[*]{3} is none.*SYS[|]SY[*][|]"),
    ("run=locks,lock=mcs,waiting=Y", r"waiting=Y is none.*SYS[|]SY[*][|]"),
    ("run=locks,lock=mcs,waiting=S**", r"S[*]{2}: a task that only spins.*neither goes on"),
    ("run=increment,lock=cohort,queues=0", r"queues=0 is out of range"),
    ("run=increment,warmup=5", r"warmup=.*milliseconds="),
    ("run=creators,warmup=5", r"warmup=.*milliseconds="),
    ("run=switch,warmup=5", r"warmup=.*milliseconds="),
    ("run=increment,lock=cohort,queue=best", r"best.*processor[|]node[|]random"),
    ("run=store,lock=fast", r"fast.*exchange.*mutex.*cc-synch.*dr-mcs.*qd.*hqd.*mrqd"),
    ("run=store,step=jump", r"jump.*wait.*allocate.*copy"),
    ("run=store,value=12", r"value=12.*multiples of 8"),
    ("run=store,slots=3", r"slots=3.*powers of two"),
    ("run=store,lock=mrqd,step=copy,slots=1,value=64", r"slots=1.*too few.*value=64"),
    ("colour=red", r"red.*off or on"),
    ("plain=2", r"2.*off or on"),
    ("fail=", r"fail=.*a number"),
    ("fail=+", r"fail=[+].*a number"),
    ("fail=often", r"often.*a number, or one followed by a [+]"),
    ("fail=99999999999999999999", r"99999999999999999999.*a number"),
    ("proccesors=2", r"did you mean processors=[?] Allowed is run="),
    ("lst", r"did you mean list[?] Allowed is"),
    ("run=swich", r"did you mean switch[?] Allowed are"),
    ("run=switch,task=2", r"did you mean tasks=[?] Allowed are [(]with"),
    ("run=locks,lock=exhange", r"did you mean exchange[?] Allowed are"),
    (" ".join(["run=switch,rounds=1"] * 65), r"64"),
    ("x" * 5000, r"."),
)
IN_KERNEL = (0, 5, 9, 13, 15)  # indices of those that are also tried in the kernel


def said(outcome, pattern):
    """Sentences on a run that should have been refused with a sentence that matches."""
    lines = [*outcome.lines, *outcome.errors.splitlines()]
    if outcome.timed_out:
        return ["it hangs"]
    if any(explain.LOG_ERROR.search(line) and re.search(pattern, line) for line in lines):
        return []
    return [f"no error that matches \"{pattern}\" was printed:", *[f"    {line[:300]}" for line in lines[-8:]]]


def hosted():
    cases = []
    for words, pattern in BAD:
        outcome = run("hosted-debug", "processors=2", *words.split(" "), timeout=30)
        sentences = said(outcome, pattern)
        if outcome.status != explain.HOSTED_FAILURE:
            sentences.append(f"exit code {outcome.status} instead of {explain.HOSTED_FAILURE}")
        cases.append(verdict(words[:60], sentences))
    return cases


def kernel():
    cases = []
    for words, pattern in [BAD[number] for number in IN_KERNEL]:
        machine = emulator.Machine(kernel=DEBUG, processors="2", firmware="direct", words=words.split(" "))
        outcome = emulator.follow(emulator.command(machine), 30)
        sentences = said(outcome, pattern)
        if outcome.status != emulator.EXIT_FAILURE:
            sentences.append(f"exit code {outcome.status} instead of {emulator.EXIT_FAILURE}")
        cases.append(verdict(words[:60], sentences))
    return cases


def groups():
    return [Group("words: bad command lines, hosted", hosted), Group("words: bad command lines, kernel", kernel)]
