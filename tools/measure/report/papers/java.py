"""The exchange paper's Figure 13: its mutex in Java."""

from ..figures import Cited, Claim, Figure, Mark, Plot, Series
from ..quantity import ABOVE, BELOW
from ..rules import Compare, Ratio, pick

WHERE = "section 6.3, Figure 13"
PLACE = "Java, 2"


def section(lock):
    return pick("section", "rate", lock=lock, source="runtimes", who="java", setting="hosted", processors="2")


def against_library(lock, relation, **limits):
    return Compare(section(lock), section("library"), "section", relation, (lock, "ReentrantLock"), "thousand/s",
                   **limits)


IN_JAVA = Figure(
    "Figure 13", "Exchange in Java",
    "As Figure 12, with continuations of the JDK's: the throughput with a mutex by exchange divided by that of virtual "
    "threads with `ReentrantLock`. Above 1, exchange is ahead.",
    "Two processors instead of 256 threads. The JDK is as it comes: the fibers with our mutex are its continuations "
    "(`jdk.internal.vm.Continuation`), run by carriers of our own (`tools/measure/runtimes/java/`). `dispatch` is our "
    "mutex on these carriers with the next one made ready, which tells what is the carriers' and what the exchange's.",
    (Plot("Java, 2 processors", "section", "ns more in the section", "... / ReentrantLock",
          tuple(Series(lock, Ratio(section(lock), section("library"))) for lock in ("exchange", "dispatch")),
          log_x=False, marks=(Mark(7500, 1.37, "paper: up to 1.37"),), line=1.0),),
    (Cited("more than 64 threads, below 1,000 ns", "6 to 18 % slower", WHERE),
     Cited("128 threads, 7,500 ns", "37 % faster", WHERE)),
    (
        Claim("Exchange is slower than ReentrantLock in sections below 1,000 ns.",
              ((PLACE, against_library("exchange", BELOW, most=999)),)),
        Claim("Exchange is faster than ReentrantLock in longer ones.",
              ((PLACE, against_library("exchange", ABOVE, least=1001)),)),
        Claim("On the same carriers exchange is faster than dispatch (not in the paper).",
              ((PLACE, Compare(section("exchange"), section("dispatch"), "section", ABOVE, ("exchange", "dispatch"),
                               "thousand/s")),)),
    ),
)
