"""The tests in QEMU, and the machines that the kernel boots on."""

import re
import signal
import time

from harness import emulator, explain, results, suite

from .case import Group, Skipped, verdict
from .hosted import from_report

DEBUG, RELEASE = "build/kernel-debug/heddle.elf", "build/kernel/heddle.elf"
NEEDS = (DEBUG, RELEASE, "build/heddle.iso")
PROOF = "run=switch,tasks=4,rounds=100"
NO_HPET = ["-machine", "hpet=off"]
END_OF_TESTS = re.compile(r"^# passed \d+ failed (\d+)")
TOO_SMALL = {"bios": "16M", "uefi": "32M"}
SECONDS_ON = 2  # within which a machine would have switched itself off


def boot(timeout, **options):
    return emulator.follow(emulator.command(emulator.Machine(**options)), timeout)


def tests(kernel, count, policy, memory="1G"):
    outcome = boot(
        400, kernel=kernel, processors=str(count), firmware="direct", memory=memory,
        words=[f"sched={policy}", "run=test"],
    )
    return from_report(outcome, explain.explain_emulator(outcome))


def boots(**options):
    """A machine starts all its processors (or `expected`), logs what must be `said` and runs a program."""
    timeout, said = options.pop("timeout", 90), options.pop("said", "")
    expected = options.pop("expected", None)
    words = [*options.pop("words", []), PROOF]
    machine = emulator.Machine(kernel=RELEASE, words=words, **options)
    outcome = emulator.follow(emulator.command(machine), timeout)
    sentences = explain.explain_emulator(outcome)
    if not sentences:
        sentences = explain.wrong_results(outcome, expected or machine.processor_count())
        if not any(said in line for line in outcome.lines):
            sentences += [f"\"{said}\" was not logged:", *explain.last_lines(outcome, 40)]
    return [verdict(machine.describe(), sentences)]


def many():
    if emulator.version() < emulator.X2APIC_SINCE:
        raise Skipped(f"QEMU {'.'.join(map(str, emulator.version()))} has no x2APIC and at most 255 processors")
    return boots(processors="288", firmware="direct", memory="1G", timeout=180)


def too_small():
    """A machine whose memory the kernel does not fit into is given up at once, with a sentence."""
    cases = []
    for firmware, happened in (("bios", "GRUB could not load the kernel"), ("uefi", "firmware found nothing to boot")):
        machine = emulator.Machine(kernel=RELEASE, processors="1", memory=TOO_SMALL[firmware], firmware=firmware)
        outcome = emulator.follow(emulator.command(machine), 60)
        sentences = explain.explain_emulator(outcome)
        right = not outcome.timed_out and happened in sentences[0] and "little memory" in sentences[1]
        cases.append(verdict(machine.describe(), [] if right else sentences))
    return cases


def menu():
    """The menu's first entry runs all benchmarks, then the tests; then the machine stays on, like a real one."""
    machine = emulator.Machine(processors="4", image="build/heddle.iso", exit_device=False)
    names, failed = set(), []

    def look(line):
        names.update(result["benchmark"] for result in results.good([line]))
        failed.extend(END_OF_TESTS.findall(line))
        ended = explain.THE_END in line
        if ended:
            time.sleep(SECONDS_ON)
        return ended

    outcome = emulator.follow(emulator.command(machine), 240, look)
    if not outcome.stopped:
        return [verdict(machine.describe(), ["it has not come to the end:", *explain.explain_emulator(outcome)])]
    sentences = explain.wrong_results(outcome, 4)
    sentences += [f"no result of {name}" for name in suite.BENCHMARKS if name not in names]
    if failed != ["0"]:
        sentences += ["tests failed:", *[line for line in outcome.lines if line.startswith("not ok")]]
    if outcome.status != -signal.SIGKILL:  # follow() ends it with this signal
        sentences.append(f"it did not stay on: QEMU ended with exit code {outcome.status}")
    return [verdict(machine.describe(), sentences)]


MATRIX = [
    *[(f"{count} processors, {firmware}", {"processors": str(count), "firmware": firmware})
      for firmware in ("direct", "bios", "uefi") for count in (1, 2, 3, 64)],
    ("255 processors, direct", {"processors": "255", "firmware": "direct"}),
    ("255 processors, bios", {"processors": "255", "firmware": "bios"}),
    ("255 processors, uefi", {"processors": "255", "firmware": "uefi", "timeout": 180}),
    ("4 NUMA nodes of 16, direct", {"processors": "64", "nodes": 4, "firmware": "direct", "said": "4 nodes",
                                    "words": ["run=store,rounds=20,lock=hqd,step=copy"]}),
    ("4 NUMA nodes of 16, uefi", {"processors": "64", "nodes": 4, "firmware": "uefi", "said": "4 nodes"}),
    ("3 NUMA nodes, 7 processors", {"processors": "7", "nodes": 3, "firmware": "direct", "said": "3 nodes"}),
    ("sparse ids (3 x 12 x 2)", {"processors": "72,sockets=3,cores=12,threads=2", "firmware": "direct"}),
    ("64 MiB, direct", {"processors": "4", "memory": "64M", "firmware": "direct"}),
    ("64 MiB, bios", {"processors": "4", "memory": "64M", "firmware": "bios"}),
    ("8 GiB, bios", {"processors": "4", "memory": "8G", "firmware": "bios"}),
    ("no HPET", {"processors": "4", "firmware": "bios", "extra": NO_HPET, "said": "the power management timer"}),
    ("3 of 64 processors", {"processors": "64", "firmware": "direct", "words": ["processors=3"], "expected": 3}),
    ("USB stick, bios", {"processors": "4", "firmware": "bios", "stick": True}),
    ("USB stick, uefi", {"processors": "4", "firmware": "uefi", "stick": True}),
]


def groups():
    made = [
        Group(f"kernel: tests, assertions, {count} processors", lambda count=count: tests(DEBUG, count, "local"),
              alone=count == 64)
        for count in (1, 2, 4, 64)
    ]
    made.append(Group("kernel: tests, assertions, 4 processors, global", lambda: tests(DEBUG, 4, "global")))
    made.append(Group("kernel: tests, assertions, 2 processors, 64 MiB", lambda: tests(DEBUG, 2, "local", "64M")))
    made.append(Group("kernel: tests, 64 processors", lambda: tests(RELEASE, 64, "local"), alone=True))
    made += [Group(f"boot: {name}", lambda options=options: boots(**options)) for name, options in MATRIX]
    made.append(Group("boot: too little memory for the kernel", too_small))
    made.append(Group("boot: the menu of heddle.iso", menu))
    made.append(Group("boot: 288 processors with x2APIC", many))
    return made
