"""Functions of enormous length, as generators of code write them, take hardly longer to compile with the plugin."""

import os
import subprocess

from . import bench

CALLS, LOOPS = 20000, 1000
TIMES_MOST = 3  # as long as without the plugin: mostly it is 1.3, and was 30 where time grew with the square


def long_line():
    lines = "\n".join(f"\ts += g({i}, s); v[{i % 100}] = s;" for i in range(CALLS))
    return f"int g(int, int); extern volatile int v[100];\nint f(void)\n{{\n\tint s = 0;\n{lines}\n\treturn s;\n}}\n"


def many_loops():
    lines = "\n".join(f"\tif (g({i}))\n\t\tfor (int i = 0; i < n; i++)\n\t\t\tv[i] = s;\n\ts += g(s);"
                      for i in range(LOOPS))
    return f"int g(int); extern volatile int v[];\nint f(int n)\n{{\n\tint s = 0;\n{lines}\n\treturn s;\n}}\n"


PROGRAMS = (("calls in a row", long_line, "-O0"), ("loops in a row", many_loops, "-O1"))


def seconds(place, source, options):
    """The processor's time for a run of the compiler: the shorter of two."""
    command = [place.compiler, "-std=gnu17", *options, "-c", str(source), "-o", str(source.with_suffix(".o"))]
    taken = []
    for _ in range(2):
        running = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = status
        if status != 0:
            raise bench.Broken(f"{' '.join(command)}: it fails")
        taken.append(used.ru_utime)
    return min(taken)


def compare(place, name, text, level):
    folder = place.folder / "times"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{name.replace(' ', '-')}.c"
    source.write_text(text(), encoding="ascii")
    plain, checked = seconds(place, source, [level]), seconds(place, source, [level, *place.with_plugin(bound=1000)])
    if checked > TIMES_MOST * plain:
        return [f"it takes {checked:.2f} s, and {plain:.2f} without the plugin"]
    return []


def cases(place, long):
    del long
    for name, text, level in PROGRAMS:
        yield f"time: {name}", lambda name=name, text=text, level=level: compare(place, name, text, level)
