"""What is compared: a row is one piece of work with its parameters, done by Heddle and by each peer that can.

A peer takes part in a row where its folder has a source for the row's program (peers.py says where); a row whose
program this Heddle lacks is skipped by name.
"""

from dataclasses import dataclass, field, replace

QUICK, FULL = "quick", "full"
PROFILES = (QUICK, FULL)


@dataclass(frozen=True)
class Row:
    """`quick` has the parameters of both programs; `full` those that differ in the other profile. Rows that are points
    of one plot have one name, and differ by their titles."""

    name: str
    title: str
    program: str  # of the peers
    heddle: str  # Heddle's program, with settings that only it has
    processors: int
    quick: dict = field(default_factory=dict)
    full: dict = field(default_factory=dict)
    variants: dict = field(default_factory=lambda: {"heddle": None})  # names for several result lines of its program
    peers_only: dict = field(default_factory=dict)  # parameters that Heddle's program does not have
    result: str = None  # what the peers' result line is called, where not as their program

    def parameters(self, profile):
        return {**self.quick, **self.full} if profile == FULL else dict(self.quick)

    def on(self, processors):
        """The same on so many processors."""
        title = self.title.replace(f"{self.processors} processors", f"{processors} processors")
        return replace(self, processors=processors, title=title)


def on_processors(wanted, processors):
    """The rows of several processors, on so many; those of one are left out. No number: all as they are."""
    return [row.on(processors) for row in wanted if row.processors > 1] if processors else wanted


# "range": as C++ has it, in a for loop over a range; what the peers in C++20 do.
GENERATORS = {"heddle": "in-stack", "heddle-range": "range", "heddle-own-stack": "own-stack"}

MOVES = 100000


def hanoi(disks):
    """The switching paper's Figure 13: about as many moves with few disks as with many, by more generators."""
    rounds = max(1, MOVES // (2 ** disks - 1))
    return Row("hanoi-disks", f"a move from a recursive generator, {disks} disk{'' if disks == 1 else 's'}", "hanoi",
               "hanoi", 1, {"disks": disks, "rounds": rounds}, {"rounds": 10 * rounds}, variants=GENERATORS)


ROWS = [
    Row("yield", "a yield, 10 tasks, 1 processor", "yield", "yield", 1,
        {"tasks": 10, "rounds": 20000}, {"rounds": 200000}, {"heddle": "lean"}),
    Row("yield-2", "a yield, 100 tasks, 2 processors", "yield", "switch", 2,
        {"tasks": 100, "rounds": 2000}, {"rounds": 20000}),
    Row("create", "a task made, run and joined, one at a time", "create", "create,joined=1", 1,
        {"tasks": 1, "rounds": 5000}, {"rounds": 100000}),
    Row("create-many", "the same, all made before the first is joined", "create", "create,joined=1", 1,
        {"tasks": 10000, "rounds": 1}, {"rounds": 10}),
    Row("mutex", "a mutex locked and unlocked, alone", "uncontended", "uncontended", 1,
        {"rounds": 1000000}, {"rounds": 10000000}, variants={"heddle": "mutex"}),
    Row("mutex-2", "the same on a machine of 2 processors", "uncontended", "uncontended", 2,
        {"rounds": 1000000}, {"rounds": 10000000}, variants={"heddle": "mutex"}),
    Row("mutex-contended", "one mutex for 64 tasks, 2 processors", "locks", "locks,scope=global", 2,
        {"tasks": 64, "rounds": 5000}, {"rounds": 50000}),
    Row("semaphore", "a ball handed on by semaphores, 2 tasks, 1 processor", "semaphore", "pingpong,by=semaphore", 1,
        {"rounds": 20000}, {"rounds": 200000}),
    Row("channel", "a ball handed on by channels, 2 tasks, 1 processor", "channel", "pingpong,by=channel", 1,
        {"rounds": 20000}, {"rounds": 200000}),
    Row("stream", "a message through a channel, 2 processors", "stream", "producer,lock=channel", 2,
        {"pairs": 1, "rounds": 50000, "size": 16}, {"rounds": 500000}),
    Row("section", "a section and the work outside, 2 processors", "section", "section", 2,
        {"tasks": 5000, "rounds": 20, "size": 1000000, "primes": 1000}, {"rounds": 100}),
    Row("tokenring", "a token handed on, 1,000 tasks, 1 processor", "tokenring", "tokenring", 1,
        {"tasks": 1000, "rounds": 50}, {"rounds": 500}),
    Row("producer", "a message through a monitor, one pair, 2 processors", "producer", "producer", 2,
        {"pairs": 1, "rounds": 20000, "size": 10}, {"rounds": 200000}),
    Row("producer-64", "the same, 64 pairs", "producer", "producer", 2,
        {"pairs": 64, "rounds": 1000, "size": 10}, {"rounds": 10000}),
    Row("sequence", "a number from a generator", "sequence", "sequence", 1,
        {"size": 1000000, "rounds": 3}, {"rounds": 30}, variants=GENERATORS),
    Row("hanoi", "a move from a recursive generator", "hanoi", "hanoi", 1,
        {"disks": 16, "rounds": 10}, {"rounds": 100}, variants=GENERATORS),
    *map(hanoi, (1, 2, 4, 8, 12, 20)),
    Row("write", "a piece sent through a chain of calls, 10 tasks", "write", "write", 1,
        {"tasks": 10, "megabytes": 20, "size": 800}, {"megabytes": 100}),
    Row("client-http", "an HTTP request with its answer of 1 MiB, 10 clients", "client", "client,protocol=http", 1,
        {"clients": 10, "rounds": 2000}, {"rounds": 20000}, {"heddle": "http"}, {"protocol": 1}, "client-http"),
    Row("client-rpc", "the same of an RPC", "client", "client,protocol=rpc", 1,
        {"clients": 10, "rounds": 2000}, {"rounds": 20000}, {"heddle": "rpc"}, {"protocol": 2}, "client-rpc"),
]
