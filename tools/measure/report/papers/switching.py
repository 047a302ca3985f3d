"""Li, Du, Lin, Hsu: Stackful Coroutine Made Fast. Context-aware context switching (CACS), in-stack generators, the
library Photon."""

from ..figures import Dots, Cited, Claim, Figure, Paper, Plot, Series
from ..quantity import BELOW
from ..rules import Compare, pick

WHERE = "section Evaluation"


def peer(row, who):
    return pick(row, source="peers", who=who)


def against(row, who, name, relation=BELOW, factor=1.0, over="processors"):
    called = name if factor == 1.0 else f"{factor:g} times {name}"
    return (("hosted", Compare(peer(row, "heddle"), peer(row, who), over, relation, ("Heddle", called),
                               factor=factor)),)


SETTING = ("Heddle's tasks and generators instead of Photon, compiled by GCC, which has no calling convention "
           "preserve_none; one processor of a virtual machine instead of a Xeon at 2.2 GHz. ")

SEQUENCE = Figure(
    "Figure 12", "The sum of a sequence",
    "A generator yields numbers, its caller adds them up: nanoseconds a number. Lower is better.",
    SETTING + "The text of the paper tells no figure.",
    (Dots("Hosted, 1 processor", "sequence"),),
    (Cited("in-stack generator against C++20 coroutines", "equally well", f"{WHERE}, Sum of Sequence, Figure 12"),),
    (Claim("A generator costs no more than a C++20 coroutine (here: at most 1.25 times).",
           against("sequence", "cpp20", "C++20", factor=1.25)),),
)

HANOI = Figure(
    "Figure 13", "The towers of Hanoi",
    "A recursive generator yields each move: nanoseconds a move, with 16 disks, and over the number of disks. Lower is "
    "better.",
    SETTING + "The paper divides by the time of a recursion with a callback.",
    (Dots("Hosted, 1 processor, 16 disks", "hanoi", source="peers"),
     Plot("Hosted, 1 processor", "disks", "disks", "ns a move", (
         *(Series(name, peer("hanoi-disks", who)) for name, who in (
             ("in-stack generator", "heddle"), ("on a stack of its own", "heddleownstack"),
             ("Boost.Context", "boostcontext"), ("C++20 coroutine", "cpp20"))),
         Series("a call for each move", pick("hanoi", source="heddle", variant="callback")),
     ), log_x=False, log_y=True)),
    (Cited("CACS against Boost", "about twice as fast", f"{WHERE}, Hanoi, Figure 13"),
     Cited("both against C++20 coroutines", "much faster", f"{WHERE}, Hanoi, Figure 13"),
     Cited("C++20 coroutines with 20 disks", "up to 50 times a recursion", "Figure 5")),
    (Claim("A move costs at most half of what it costs with Boost.Context.",
           against("hanoi", "boostcontext", "Boost.Context", factor=0.5)),
     Claim("A move costs less than with C++20 coroutines.", against("hanoi", "cpp20", "C++20")),
     Claim("With any number of disks a move costs at most half of what it costs with Boost.Context.",
           against("hanoi-disks", "boostcontext", "Boost.Context", factor=0.5, over="disks")),
     Claim("With any number of disks it costs less than with C++20 coroutines.",
           against("hanoi-disks", "cpp20", "C++20", over="disks"))),
)

WRITE = Figure(
    "Figure 14", "write_fully()",
    "Ten tasks write 100 MB each, 800 bytes a call, through a chain of calls that waits each time: nanoseconds a call. "
    "Lower is better.",
    SETTING + "The text of the paper tells no time.",
    (Dots("Hosted, 1 processor, beside the peers", "write", source="peers"),
     Dots("Hosted, 1 processor, stacks coloured or not", "write", source="heddle")),
    (Cited("CACS against Boost and C++20 coroutines", "much faster", f"{WHERE}, write_fully(), Figure 14"),
     Cited("misses of the first data cache", "15.83 % (Boost), 0.00 % (CACS)", f"{WHERE}, write_fully()")),
    (Claim("A call costs less than with Boost.Context.", against("write", "boostcontext", "Boost.Context")),
     Claim("A call costs less than with C++20 coroutines.", against("write", "cpp20", "C++20"))),
)

YIELD = Figure(
    "Figure 15", "yield()",
    "Ten tasks that yield to each other on one processor: nanoseconds a yield. Lower is better. Heddle's steps: a "
    "yield is called so that all registers are lost (lean) or by the usual calling convention; it looks at nothing but "
    "the next task, or at all there is (plain=off); stacks begin in different sets of the cache, or in the same "
    "(colour=off).",
    SETTING + "The paper subtracts the empty loop; here it is part of the time, and shown beside.",
    (Dots("Hosted, 1 processor, beside the peers", "yield", source="peers"),
     Dots("Hosted, 1 processor, step by step", "yield", source="heddle")),
    (Cited("Photon without the optimizations", "8.97 ns", f"{WHERE}, yield(), Figure 15"),
     Cited("with all of them", "1.52 ns", f"{WHERE}, yield(), Figure 15")),
    (Claim("With all optimizations a yield costs less than with none (here: less than half).",
           (("hosted", Compare(pick("yield", source="heddle", variant="lean", plain="", colour=""),
                               pick("yield", source="heddle", variant="usual", plain="off", colour="off"),
                               "processors", names=("all", "half of none"), factor=0.5)),)),
     Claim("A yield costs less than Boost.Context's.", against("yield", "boostcontext", "Boost.Context")),
     Claim("A yield costs less than Boost.Fiber's.", against("yield", "boostfiber", "Boost.Fiber"))),
    headline=True,
)



def steps(name, gain):
    """The paper's own comparison: the same client with its optimizations and without."""
    def client(**settings):
        return pick("client", source="heddle", variant=name.lower(), **settings)

    return Claim(f"An {name} client is at least {gain:.1%} faster by the steps of Figure 15 than without.",
                 (("hosted", Compare(client(calls="", colour=""), client(calls="usual", colour="off"), "processors",
                                     names=("all", f"none, divided by {1 + gain:g}"), factor=1 / (1 + gain))),))


CLIENT = Figure(
    "Figure 16", "HTTP and RPC clients",
    "Clients that ask for 1 MB a response, with the network left out: nanoseconds a response. Lower is better. "
    "Heddle's steps: tasks suspend such that all registers are lost, or by the usual calling convention (calls=usual); "
    "stacks begin in different sets of the cache, or in the same (colour=off).",
    SETTING + "The clients are made for this measurement, the paper's are Photon's. To let the compiler choose by "
    "itself which further functions preserve no register gains nothing here, as it makes one function of a client.",
    (Dots("HTTP, hosted, 1 processor", "client-http", suite=("client", "http")),
     Dots("RPC, hosted, 1 processor", "client-rpc", suite=("client", "rpc"))),
    (Cited("HTTP client", "11.2 and 18.8 % faster", f"{WHERE}, HTTP and RPC Clients, Figure 16"),
     Cited("RPC client", "26.2 and 45.2 % faster", f"{WHERE}, HTTP and RPC Clients, Figure 16")),
    (steps("HTTP", 0.112), steps("RPC", 0.262), *(
        Claim(f"An {name} client costs less than with Boost.Context.",
              against(f"client-{name.lower()}", "boostcontext", "Boost.Context")) for name in ("HTTP", "RPC"))),
)

PAPER = Paper(
    "switching", "Switching",
    "H. Li, R. Du, S. Lin, W. Hsu: Stackful Coroutine Made Fast. Manuscript submitted to ASPLOS 2024.",
    "two Intel Xeon at 2.2 GHz",
    (SEQUENCE, HANOI, WRITE, YIELD, CLIENT),
)
