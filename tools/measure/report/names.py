"""How things are called on the page."""

import html

PEERS = {
    "heddle": "Heddle", "heddleownstack": "Heddle", "heddlerange": "Heddle", "linux": "Linux",
    "threads": "pthreads", "pthread": "pthreads", "pthreads": "pthreads",
    "boostfiber": "Boost.Fiber", "boostcontext": "Boost.Context", "boostcoroutine2": "Boost.Coroutine2",
    "boostcontextcoloured": "Boost.Context, coloured stacks", "cpp20": "C++20 coroutines",
    "cpp20pooled": "C++20 coroutines, pooled frames", "cpp20while": "C++20 coroutines, while",
    "cpp20delegating": "C++20 coroutines, delegating", "cpp23": "std::generator",
    "coroutines": "C++20 coroutines by exchange",
    "coroutinesheddle": "C++20 coroutines by exchange, on Heddle", "qdwait": "qd, awaited", "go": "Go",
    "tokio": "tokio", "kanal": "kanal on tokio", "may": "may", "crossbeam": "crossbeam on threads",
    "parkinglot": "parking_lot on threads", "c11": "C11 threads", "tbb": "oneTBB", "openmp": "OpenMP (libgomp)",
    "taskflow": "Taskflow", "java": "Java virtual threads",
}
# Lines of Heddle's programs that are there to compare with.
REFERENCES = {"loop": "a loop, no generator", "callback": "callbacks, no generator",
              "empty": "the loop without a yield"}
# Settings of the whole machine, and which way tasks suspend: named only where they are not the defaults.
MACHINE = ("plain", "colour", "calls", "machine", "costs")
SETTINGS = {"kernel": "QEMU", "hosted": "hosted", "simulated": "simulated"}


def is_ours(found):
    """Whether a measurement is of Heddle, not of a peer or of a reference."""
    return plain(found.who).startswith("heddle") and found.variant not in REFERENCES


def escape(text):
    return html.escape(str(text), quote=True)


def plain(text):
    """A name without what tools write differently: "Boost.Context" and "boost_context" are the same."""
    return "".join(letter for letter in text.lower().replace("+", "p") if letter.isalnum())


def of_who(who):
    return PEERS.get(plain(who), who)


def of_measurement(found):
    """The runtime, with the variant where that says something."""
    if found.source == "coherence":
        return of_who(found.who)
    if found.variant in REFERENCES:
        return REFERENCES[found.variant]
    variant = found.variant if found.variant not in ("", "local", "exchange", found.who) else ""
    settings = [f"{name}={found.parameters[name]}" for name in MACHINE if name in found.parameters]
    return ", ".join([of_who(found.who), *([variant] if variant else []), *settings])


def of_place(found):
    """Where a measurement was made, in few words."""
    place = SETTINGS.get(found.setting, found.setting)
    return f"{place}, {found.processors}" if found.processors else place
