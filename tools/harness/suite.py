"""What runs by default."""

from .image import Entry

# Every benchmark program with its defaults; each takes a second or two.
PARTS = {
    "tasks and switches": ["create", "switch", "yield", "residency", "extension"],
    "programs of the scheduler paper": ["matrix", "mandelbrot", "eratosthenes", "tokenring", "pingpong", "city", "news",
                                        "producer"],
    "locks": ["locks", "section", "readers", "delay", "uncontended", "increment", "parallel"],
    "delegation": ["multiply", "store"],
    "streams and generators": ["write", "client", "sequence", "hanoi"],
}
BENCHMARKS = [program for part in PARTS.values() for program in part]


def run_words(programs):
    """"switch,tasks=10" as the kernel's command line has it."""
    return [program if program.startswith("run=") else f"run={program}" for program in programs]


def entry(title, programs, *words, text=False):
    """A machine that a person has started stays on, with the results on its screen."""
    return Entry(f"Heddle: {title}", ["end=halt", *words, *run_words(programs)], text)


# The boot menu. safe=on avoids what some machines do wrong.
MENU = [
    entry("everything, benchmarks and tests", [*BENCHMARKS, "test"]),
    entry("all benchmarks", BENCHMARKS),
    *[entry(f"benchmarks: {title}", programs) for title, programs in PARTS.items()],
    entry("tests", ["test"]),
    entry("all benchmarks on one processor", BENCHMARKS, "processors=1"),
    entry("all benchmarks, safe, on a text screen", BENCHMARKS, "safe=on", text=True),
    entry("all benchmarks, verbose", BENCHMARKS, "log=debug"),
    entry("the log of the run before", ["previous_log"]),
    entry("a shell, on serial line and keyboard", ["shell"], "trace=paused"),
]
