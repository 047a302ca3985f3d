"""What is run when nothing else is asked for."""

# Every benchmark program with its defaults; each takes a second or two.
BENCHMARKS = ["create", "switch", "yield", "matrix", "mandelbrot", "eratosthenes", "tokenring", "pingpong",
              "locks", "multiply", "store", "city", "news", "producer", "section", "readers", "delay", "residency",
              "extension", "uncontended", "increment", "parallel", "write", "client", "sequence",
              "hanoi"]


def run_words(programs):
    """"switch,tasks=10" as the kernel's command line has it."""
    return [program if program.startswith("run=") else f"run={program}" for program in programs]


# Titles and command lines of the boot menu. A machine that a person started stays on, with the results on its screen.
MENU = [
    ("Heddle: benchmark suite", ["end=halt", *run_words(BENCHMARKS)]),
    ("Heddle: tests", ["end=halt", *run_words(["test"])]),
    ("Heddle: benchmark suite on one processor", ["end=halt", "processors=1", *run_words(BENCHMARKS)]),
    ("Heddle: benchmark suite, verbose", ["end=halt", "log=debug", *run_words(BENCHMARKS)]),
]
