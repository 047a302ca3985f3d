"""What is measured: programs for the figures and the table of the scheduler paper, in two sizes."""

from dataclasses import dataclass

RUNS = {"quick": 3, "full": 7}
SILENCE = {"quick": 240.0, "full": 900.0}  # seconds for the boot, and for each program
PROCESSORS = (4, 64)


@dataclass(frozen=True)
class Row:
    figure: str  # of the paper
    words: str  # the words of run=
    processors: tuple = PROCESSORS

    def program(self):
        return self.words.split(",")[0]

    def parameters(self):
        return dict(setting.split("=", 1) for setting in self.words.split(",")[1:])


def shared_out(program, counts, total):
    """The program with each number of tasks, and about `total` operations divided among them."""
    return [f"{program},tasks={count},rounds={max(1, total // count)}" for count in counts]


def figures(full):
    """Figures 7 to 10; 10 has one point, because processors that take turns give no speed-up."""
    create = shared_out("create", (1, 10, 100, 1000), 1000)
    create += ["create,tasks=10000,rounds=1", "create,tasks=100000,rounds=1"] if full else []
    switch = shared_out("switch", (1, 10, 100, 1000), 20000)
    switch += ["switch,tasks=10000,rounds=10"] if full else []
    rows = [Row("Figure 7", words) for words in create] + [Row("Figure 8", words) for words in switch]
    for scope in ("local", "global"):
        counts = (1, 4, 16, 64, 256) if full else (1, 16, 256)
        rows += [Row(f"Figure 9, {scope}", words) for words in shared_out(f"locks,scope={scope}", counts, 1024000)]
    return [*rows, Row("Figure 10", "matrix,size=160,tasks=64")]


def table(full):
    """Table 1. City, News and Producer (N=1) have the paper's sizes; in the profile full Eratosthenes has, too."""
    return [
        Row("Table 1, City", "city,tasks=1000,rounds=10,size=100"),
        Row("Table 1, Eratosthenes", "eratosthenes,size=" + ("10000" if full else "2000")),
        Row("Table 1, Mandelbrot", "mandelbrot,tasks=100," + ("size=200,limit=5000" if full else "size=100,limit=500")),
        Row("Table 1, News", "news,tasks=1000,reporters=10,rounds=10"),
        Row("Table 1, Producer, N=1", "producer,pairs=1,rounds=10000,size=10"),
        Row("Table 1, Producer, N=64", "producer,pairs=64,size=10,rounds=" + ("1000" if full else "100")),
        Row("Table 1, Token Ring", "tokenring,tasks=1000,rounds=" + ("100" if full else "10")),
    ]


def all_alive():
    """100,000 tasks, which must all exist before the first one goes on."""
    return [Row("Figure 8, all alive", "switch,tasks=100000,rounds=1", processors=(4,))]


def rows(profile):
    full = profile == "full"
    return figures(full) + table(full) + all_alive()


def sizes_of_the_paper():
    """Table 1 with the paper's sizes."""
    return [
        Row("Table 1, City", "city,tasks=1000,rounds=10,size=100"),
        Row("Table 1, Eratosthenes", "eratosthenes,size=10000"),
        Row("Table 1, Mandelbrot", "mandelbrot,tasks=100,size=2000,limit=5000"),
        Row("Table 1, News", "news,tasks=1000,reporters=10,rounds=10"),
        Row("Table 1, Producer, N=1", "producer,pairs=1,rounds=10000,size=10"),
        Row("Table 1, Producer, N=64", "producer,pairs=64,rounds=10000,size=10"),
        Row("Table 1, Token Ring", "tokenring,tasks=1000,rounds=1000"),
    ]


def native(profile):
    """What is measured on the host itself: more rounds than in an emulator, for a time of some milliseconds; in the
    profile full Table 1 and Figure 10 take seconds, as in the paper, which does not give the size of its matrices."""
    full = profile == "full"
    return [
        Row("Figure 7", "create,tasks=1000,rounds=20"),
        Row("Figure 8", "switch,tasks=10,rounds=20000"),
        Row("Figure 8", "switch,tasks=1000,rounds=200"),
        Row("Figure 9, local", "locks,scope=local,tasks=256,rounds=4000"),
        Row("Figure 9, global", "locks,scope=global,tasks=256,rounds=4000"),
        Row("Figure 10", f"matrix,size={1024 if full else 256},tasks=64"),
        *(sizes_of_the_paper() if full else table(False)),
    ]
