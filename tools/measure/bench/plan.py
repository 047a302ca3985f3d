"""What is measured: groups of points. A group is measured on one machine, its points in turn, as often as it says.

Each group is there for the tables and figures that it names; tools/measure/report/papers/ says what is made of them."""

import itertools
from dataclasses import dataclass

PROFILES = ("quick", "full")
KERNEL, HOSTED, SIMULATED = "kernel", "hosted", "simulated"

# The ready queues: Heddle's, the scheduler paper's with Heddle's and with its own reuse of nodes, and BWoS.
POLICIES = ("local", "global", "paper", "bwos")
COSTS = ("100", "50", "200")  # in per cent of those in the profile of a simulated machine


@dataclass(frozen=True)
class Machine:
    """Where a group runs: the kernel in QEMU, the hosted program, or a simulated machine, whose costs `profile`
    gives."""

    setting: str
    processors: int
    policy: str = "local"
    memory: int = 2048  # MiB
    profile: str = ""

    def describe(self):
        place = {KERNEL: "QEMU", HOSTED: "hosted", SIMULATED: f"simulated {self.profile}"}[self.setting]
        policy = "" if self.policy == "local" else f", sched={self.policy}"
        return f"{place}, {self.processors} processor{'' if self.processors == 1 else 's'}{policy}"


@dataclass(frozen=True)
class Point:
    """One program with its parameters, and settings of the whole machine, as pairs of a name and a text."""

    program: str
    parameters: tuple = ()
    settings: tuple = ()

    def setting_words(self):
        return [f"{key}={value}" for key, value in self.settings]

    def word(self):
        return ",".join([f"run={self.program}", *(f"{key}={value}" for key, value in self.parameters)])

    def describe(self):
        return " ".join([*self.setting_words(), self.word()])


@dataclass
class Group:
    what: str  # the tables and figures that need it
    machine: Machine
    points: list
    samples: int = 3
    seconds: float = 0.3  # about how long a point takes; only the first guess of the remaining time

    def describe(self):
        return f"{self.what}: {self.machine.describe()}"


def families(groups):
    """The groups that take turns with each other, so that what is compared across them can be compared turn by turn:
    hosted ones of the same figure. Elsewhere a group is a family of its own."""
    found = {}
    for number, group in enumerate(groups):
        found.setdefault(group.what if group.machine.setting == HOSTED else number, []).append(group)
    return list(found.values())


def points(program, **parameters):
    """A point for each combination of the values; a value that is no list is the same for all. The last name changes
    fastest, so that what is compared is measured side by side."""
    lists = [value if isinstance(value, list) else [value] for value in parameters.values()]
    return [
        Point(program, tuple((key, str(value)) for key, value in zip(parameters, values)))
        for values in itertools.product(*lists)
    ]


def without(program, *switched_off):
    """The program as it is, and with each of some sets of the machine's settings switched off."""
    return [Point(program, settings=tuple((name, "off") for name in names)) for names in [(), *switched_off]]


def spread_out(program, count, total, **parameters):
    """Points for each number of tasks in `count`, with about `total` operations, divided evenly among the tasks."""
    found = []
    for tasks in count:
        found += points(program, tasks=tasks, rounds=max(1, total // tasks), **parameters)
    return found


class Plan:
    """Collects the groups of one profile."""

    def __init__(self, profile):
        self.full = profile == "full"
        self.groups = []

    def pick(self, quick, full):
        return full if self.full else quick

    def add(self, what, machine, found, seconds=0.3):
        # Nine of what decides (../report/quantity.py); what an emulator's clock says decides nothing.
        samples = {HOSTED: self.pick(9, 15), KERNEL: 3, SIMULATED: 1}[machine.setting]
        self.groups.append(Group(what, machine, found, samples, seconds))

    def hosted(self, what, processors, found, policy="local", memory=1024):
        self.add(what, Machine(HOSTED, processors, policy, memory), found)

    def kernel(self, what, processors, found, policy="local", memory=2048):
        self.add(what, Machine(KERNEL, processors, policy, memory), found)

    def simulated(self, what, profile, processors, found, policy="local", seconds=3.0):
        """In virtual time, where one run is enough; with what things take halved and doubled as well, on which a
        verdict must not depend."""
        machine = Machine(SIMULATED, processors, policy, 4096, profile)
        self.add(what, machine, [
            Point(point.program, point.parameters, (("machine", profile), ("costs", costs), *point.settings))
            for point in found for costs in COSTS], seconds)


def scheduler(plan):
    """The scheduler paper: Figures 7 to 10 and Table 1, without what ../linux measures."""
    tasks = plan.pick([1, 10, 100, 1000, 10000, 100000], [1, 10, 100, 1000, 10000, 100000, 1000000])
    memory = plan.pick(2048, 8192)
    plan.hosted("scheduler Figure 7", 1, spread_out("create", tasks, 20000), memory=memory)
    plan.kernel("scheduler Figure 7", 64, spread_out("create", tasks, 2000), memory=memory)
    tasks = [10, 100, 1000, 10000]
    for policy in POLICIES:
        plan.hosted("scheduler Figure 8", 2, spread_out("switch", tasks, 400000), policy)
        plan.kernel("scheduler Figure 8", 64, spread_out("switch", tasks, 100000), policy)
    tasks = [1, 4, 16, 64, 256]
    scopes = ["local", "global"]
    plan.hosted("scheduler Figure 9", 2, spread_out("locks", tasks, 400000, scope=scopes))
    plan.kernel("scheduler Figure 9", 64, spread_out("locks", tasks, 32000, scope=scopes))
    # The paper does not give its size; this one takes seconds, as there.
    tasks = [1, 2, 3, 4, 8, 16, 64]
    plan.kernel("scheduler Figure 10", 64, points("matrix", size=128, tasks=[1, 2, 4, 16, 64, 72, 128]))
    for policy in POLICIES:
        plan.hosted("scheduler Figure 10", 2, points("matrix", size=plan.pick(256, 1024), tasks=tasks), policy)
        plan.hosted("scheduler Table 1", 2, table(plan.pick(1000, 10000), 1000, 1000, plan.pick(2000, 10000),
                                                  plan.pick({}, {"size": 2000, "limit": 5000})), policy)
        plan.hosted("scheduler section 7", 2, points("create", tasks=1000, rounds=20), policy)


def table(messages, ring_rounds, producer_rounds, primes, picture):
    """The programs of Table 1. In the profile `full` they have the paper's sizes; else rounds that would take long, the
    picture of mandelbrot and the range of eratosthenes are smaller."""
    return [
        *points("city"), *points("eratosthenes", size=primes), *points("mandelbrot", **picture), *points("news"),
        *points("producer", pairs=1, rounds=producer_rounds * 10), *points("producer", pairs=64, rounds=messages),
        *points("tokenring", tasks=1000, rounds=ring_rounds),
    ]


def exchange(plan):
    """The exchange paper: Figures 9, 10, 11 and 15, section 5.4."""
    locks, strict = ["exchange", "dispatch", "inline"], ["exchange", "strict", "dispatch", "inline"]
    rounds = plan.pick(4, 40)
    for processors in (1, 2):
        plan.hosted("exchange Figure 9", processors, points("section", rounds=rounds, lock=[*strict, "ces-spin"]))
    for processors in (4, 16):
        plan.kernel("exchange Figure 9", processors, points("section", rounds=2, lock=strict))
    lengths = [0, 250, 1000, 2500, 7500]
    plan.hosted("exchange Figure 10", 2, points("section", rounds=rounds, section=lengths, lock=strict))
    plan.kernel("exchange Figures 9 and 10", 64, points("section", rounds=2, section=lengths, lock=strict))
    shares = [5000, 2500, 1250, 625]
    plan.hosted("exchange Figure 11", 2, points("readers", rounds=rounds, writers=shares, lock=locks))
    plan.kernel("exchange Figure 11", 64, points("readers", rounds=2, writers=shares, lock=locks))
    both = ["exchange", "strict", "dispatch"]
    plan.hosted("exchange Figure 15", 2, points("delay", rounds=100, tasks=[4, 16, 64, 256], lock=both))
    # With fewer tasks hardly one waits for another there.
    plan.kernel("exchange Figure 15", 64, points("delay", rounds=40, tasks=[128, 256, 512], lock=both))
    resources = [4, 64, 1000]
    plan.hosted("exchange section 5.4", 2, points("residency", rounds=20, resources=resources))
    plan.kernel("exchange section 5.4", 16, points("residency", rounds=10, resources=resources))


def switching(plan):
    """The switching paper: Figures 12 to 16."""
    plan.hosted("switching Figure 12", 1, points("sequence"))
    plan.hosted("switching Figure 13", 1, [point for disks in (1, 2, 4, 8, 12, 16, 20) for point in points(
        "hanoi", disks=disks, rounds=max(1, 600000 // (2 ** disks - 1)))])
    plan.hosted("switching Figure 14", 1, without("write", ["colour"]))
    plan.hosted("switching Figure 15", 1, without("yield", ["plain"], ["colour"], ["plain", "colour"]))
    plan.hosted("switching Figure 16", 1, [
        Point("client", parameters, settings)
        for parameters in ((), (("calls", "usual"),)) for settings in ((), (("colour", "off"),))])


def sections(total):
    """How long a contest is: about so many sections, divided among the tasks; half as many of those that are long."""
    return lambda tasks, part: {"rounds": max(1, total // part // tasks)}


def milliseconds(period):
    """The same as a time, after a warm-up of the paper's three tenths of it."""
    return lambda tasks, part: {"milliseconds": period, "warmup": -(-period * 3 // 10)}


def scenarios(tasks, length, **parameters):
    """Both programs of the lock-algorithms paper, with each number of tasks."""
    found = []
    for number in tasks:
        found += points("increment", tasks=number, **length(number, 1), **parameters)
        found += points("parallel", tasks=number, **length(number, 2), **parameters)
    return found


def strategies(tasks, yielding_tasks, length, yielding_length, more=()):
    """Figure 1: an MCS lock with each way to wait. `more`: further ways that suspend."""
    return (scenarios(tasks, length, lock="exchange")
            + scenarios(tasks, length, lock="mcs", waiting=["SYS", "*YS", "**S", *more])
            + scenarios(yielding_tasks, yielding_length, lock="mcs", waiting=["SY*", "*Y*"]))


SECTION_6 = ("S*S", "adaptive")  # the last fixed way, and the one that chooses


def queues(tasks, yielding_tasks, length, yielding_length, numbers):
    """Figures 3 to 7: TTAS, MCS and the cohort lock, with all ways to wait (S) and without suspending (Y)."""
    return (scenarios(tasks, length, lock=["exchange", "ttas"])
            + scenarios(tasks, length, lock="mcs", waiting="SYS")
            + scenarios(tasks, length, lock="cohort", waiting="SYS", queues=numbers)
            + scenarios(yielding_tasks, yielding_length, lock="mcs", waiting="SY*")
            + scenarios(yielding_tasks, yielding_length, lock="cohort", waiting="SY*", queues=8))


def lock_algorithms(plan):
    """The lock-algorithms paper: Figures 1 to 7, which measures for 10 seconds. In the kernel few tasks only yield, and
    seldom: on emulated processors that are never idle, a section takes them up to a second."""
    tasks = plan.pick([16, 64, 256], [4, 16, 64, 256, 1000])
    few = plan.pick([16], [4, 16, 32])
    numbers = plan.pick([1, 8], [1, 4, 8, 32])
    time = milliseconds(plan.pick(50, 1000))
    many, some = sections(256), sections(32)
    plan.hosted("lock-algorithms Figure 1 and section 6", 2, strategies(tasks, tasks, time, time, SECTION_6))
    plan.kernel("lock-algorithms Figure 1", 16, strategies(tasks, few, many, some))
    plan.hosted("lock-algorithms Figures 3 to 6", 2, queues(tasks, tasks, time, time, numbers))
    for processors in (4, 16, 64):
        plan.kernel("lock-algorithms Figures 3 to 7", processors, queues(tasks, few, many, some, numbers))


def delegation_points(plan, total):
    """Figures 1 and 2 of the delegation paper."""
    def locks(**parameters):
        found = points("store", **parameters, lock=["exchange", "cc-synch", "dr-mcs"])
        return found + points("store", **parameters, lock="mrqd", step=["wait", "allocate", "copy"])

    threads = plan.pick([1, 4, 16], [1, 2, 4, 8, 16, 64])
    for shares in plan.pick([0, 8000], [0, 8000, 9900]):
        for tasks in threads:
            yield from locks(lookups=shares, tasks=tasks, rounds=total // tasks)
    for keys in plan.pick([64, 1024, 1000000], [64, 1024, 16384, 262144, 1000000]):
        yield from locks(range=keys, tasks=8, rounds=total // 8)
    for value in plan.pick([64, 1024], [8, 64, 256, 1024]):
        yield from locks(range=1024, value=value, tasks=8, rounds=total // 8)


def delegation(plan):
    """The delegation paper: Figures 1 and 2."""
    plan.hosted("delegation Figures 1 and 2", 2, list(delegation_points(plan, plan.pick(64000, 256000))))
    plan.kernel("delegation Figures 1 and 2", 16, list(delegation_points(plan, 8000)))


def others(plan):
    """What belongs to no figure."""
    plan.hosted("locks without contention", 1, points("uncontended"))


def groups(profile):
    """All groups, what is quickest to say something first."""
    plan = Plan(profile)
    for part in (scheduler, exchange, switching, lock_algorithms, delegation, others):
        part(plan)
    return plan.groups
