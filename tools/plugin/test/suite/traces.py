"""GDB finds the way from the scheduler's side of a check back to main(), in code without frame pointers.

The driver walks back from checks of every test by the same tables; here they are read by another program."""

import shutil

from . import bench

LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
FEW = ("-O0", "-O2")
BETWEEN = 3  # checks passed over from trace to trace
TRACES = 40
NAMES = ("outer", "middle", "leaf")


def debug(program):
    """The back traces that GDB prints at some checks, each a list of functions."""
    commands = ["set confirm off", "set pagination off", "set debuginfod enabled off", "break quantum_spent", "run"]
    commands += ["bt -frame-info location", "echo end\\n", f"ignore 1 {BETWEEN}", "continue"] * TRACES
    words = [word for command in commands for word in ("-ex", command)]
    _, output, _ = bench.execute(["gdb", "-nx", "-batch", *words, program], bench.RUN_LIMIT)
    for part in output.split("end\n"):
        trace = [line.split() for line in part.splitlines() if line.startswith("#")]
        if trace:
            yield [next((word for word in line[1:] if word.isidentifier() and word != "in"), "?") for line in trace]


def look(place, level):
    folder = place.folder / f"trace{level}"
    folder.mkdir(parents=True, exist_ok=True)
    flags = [level, "-g", "-fomit-frame-pointer", *place.with_plugin()]
    program = place.compile(bench.HERE / "trace.c", folder / "trace.o", flags)
    support = place.support("harness.c", "generated.c", "scramble.asm", "quantum.asm")
    traces = list(debug(place.link(folder / "trace", [program, *support])))
    if not traces:
        return ["GDB printed no back trace"]
    sentences = []
    for number, trace in enumerate(traces):
        if trace[:2] != ["quantum_spent", "heddle_quantum_spent"] or trace[-1] != "main":
            sentences.append(f"trace {number}: {' '.join(trace)}")
    seen = {name for trace in traces for name in trace}
    return sentences + [f"no check in {name}() was seen" for name in NAMES if name not in seen]


def cases(place, long):
    for level in LEVELS if long else FEW:

        def run(level=level):
            if not shutil.which("gdb"):
                raise bench.Missing("gdb is not installed; `make setup`")
            return look(place, level)

        yield f"trace {level}", run
