"""All kinds of machines that QEMU emulates: the kernel runs on each, or says in a sentence why not."""

import re
import subprocess

from harness import emulator, explain, parallel

from .case import Case, Group, failed, verdict
from .kernel import PROOF, RELEASE

TIMEOUT = 60
REFUSAL = re.compile(r"^heddle: this processor has no 64-bit mode")
# What QEMU says where the machine cannot be tried, and why: QEMU 10.0 ends itself at a question of its own firmware.
UNTRIED = {
    "requires KVM": "needs KVM", "encode_topo_cpuid1f: Assertion": "this QEMU does not survive its firmware there"
}

# These features are removed, or changed, from a processor with everything that QEMU has. `-hypervisor`: a kernel that
# believes it is on a real machine does more.
LESS = (
    "-apic", "-mtrr", "-pat", "-mca", "-mce", "-nx", "-pge", "-pdpe1gb", "-xsave", "-fsgsbase", "-arat", "-tsc",
    "-cx16", "-acpi", "-topoext", "-sse2", "-fxsr", "level=1", "level=1,xlevel=0x80000001", "level=4",
    "level=0xd,xlevel=0x80000000", "phys-bits=36", "phys-bits=52", "invtsc=on", "-hypervisor", "-hypervisor,invtsc=on",
    "vendor=GenuineIntel,-hypervisor,family=6,model=63,stepping=2",
    "vendor=GenuineIntel,-hypervisor,family=6,model=151", "vendor=AuthenticAMD,-hypervisor,family=25,model=17",
    "vendor=HygonGenuine,-hypervisor,family=24",
)
# Boards, with what must be logged there.
BOARDS = {
    "pc": {}, "q35": {}, "pc,hpet=off": {"said": "the power management timer"},
    "q35,hpet=off": {"said": "the power management timer"},
    "q35,hpet=off,pit=off": {"said": "the power management timer"},
    "q35,smm=off": {}, "q35,sata=off": {},
    "pc,acpi=off,hpet=off": {"said": "the interval timer", "expected": 1},
    "microvm": {"said": "the interval timer"},
    "microvm,pit=off": {"said": "the real-time clock"},
    "microvm,pit=off,pic=off,rtc=off": {"said": "times are a guess"},
    "microvm,acpi=off": {"said": "going on with one processor", "expected": 1},
    "isapc": {"said": "going on with one processor", "processors": "1"},
}
OTHERS = {
    "places for more processors": {"processors": "2,maxcpus=8"},
    "dies": {"processors": "24,sockets=2,dies=2,cores=3,threads=2", "model": "Skylake-Server,-monitor",
             "said": "2 sockets x 6 cores x 2 threads, 4 dies"},
    "asked to watch, which QEMU cannot": {"words": ["idle=monitor"], "said": "it halts"},
    "asked for performance": {"words": ["performance=on"], "said": "asked for nothing"},
    "safe": {"words": ["safe=on"]},
}


def refusal(outcome):
    """That the kernel has refused the machine, and why; None if it has not."""
    return next((f"refused: {line}" for line in outcome.lines if REFUSAL.search(line)), None)


def running(outcome):
    """That it runs, and its warnings."""
    warnings = [line.split("warning: ", 1)[1] for line in outcome.lines if "] warning: " in line]
    return "runs" + "".join(f"; warns: {warning}" for warning in warnings)


def boot(words=(), said="", expected=None, **options):
    """The verdict's sentences, None if it cannot be tried; and the outcome as a word or a sentence."""
    options = {"processors": "2", "memory": "256M", "firmware": "direct", "kernel": RELEASE, **options}
    machine = emulator.Machine(words=[*words, PROOF], **options)
    outcome = emulator.follow(emulator.command(machine), TIMEOUT)
    if outcome.status == emulator.EXIT_FAILURE and refusal(outcome):
        return [], refusal(outcome)
    untried = next((reason for words, reason in UNTRIED.items() if words in outcome.errors), None)
    if untried:
        return None, untried
    sentences = explain.explain_emulator(outcome)
    sentences = sentences or explain.wrong_results(outcome, expected or machine.processor_count())
    if not sentences and not any(said in line for line in outcome.lines):
        sentences = [f"\"{said}\" was not logged:", *explain.last_lines(outcome, 40)]
    return sentences, running(outcome)


def models():
    """The processors that QEMU supports."""
    text = subprocess.run([emulator.find_program(), "-cpu", "help"], capture_output=True, text=True, check=True).stdout
    # A paragraph of names. Before QEMU 9.2 each line began with the name of the architecture.
    return re.findall(r"^(?:x86 |  )(\S+)", text.split("\n\n")[0], re.MULTILINE)


def all_of(kind):
    """Names of machines, and their options."""
    if kind == "models":
        return {name: {"model": name} for name in models()}
    if kind == "less":
        return {name: {"model": f"max,-monitor,{name}"} for name in LESS}
    if kind == "boards":
        return {name: {"board": name, **options} for name, options in BOARDS.items()}
    return OTHERS


def cases(kind):
    made, machines = [], all_of(kind)
    found = parallel.results(lambda options=options: boot(**options) for options in machines.values())
    for name, (sentences, outcome) in zip(machines, found):
        made.append(Case(name, "skipped", [outcome]) if sentences is None else verdict(name, sentences))
    if not any(case.outcome == "passed" for case in made):
        made.append(failed(kind, ["not a single machine was tried"]))
    return made


KINDS = {"models": "processors that QEMU knows", "less": "processors that have or say less", "boards": "boards",
         "others": "other machines"}


def groups():
    return [Group(f"machines: {title}", lambda kind=kind: cases(kind), alone=True)
            for kind, title in KINDS.items()]
