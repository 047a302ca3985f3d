"""How much stack the functions of the libraries use that the plugin names as lean (tools/plugin/library.cc)."""

import re

from . import bench

LEAN = 100  # bytes, at most
OTHER = "atof"  # which is not
NAMES = bench.ROOT / "tools/plugin/library.cc"
FLAGS = ["-O2", "-fno-builtin", "-Wall", "-Wextra", "-Werror", "-Wl,-z,now"]


def named():
    """The names that the plugin has for them."""
    lists = dict(re.findall(r"names (\w+) = \{(.*?)\};", NAMES.read_text(encoding="ascii"), re.DOTALL))
    return {name for title in ("prompt_and_lean", "lean") for name in re.findall(r'"(\w+)"', lists[title])}


def measure(place):
    source, folder = bench.HERE / "library.cc", place.folder / "library"
    folder.mkdir(parents=True, exist_ok=True)
    place.must([*place.language(source), *FLAGS, source, "-o", folder / "library"])
    status, output, errors = bench.execute([folder / "library"], bench.RUN_LIMIT)
    if status != 0:
        return [f"it ended with status {status}", *errors.splitlines()]
    used = {name: int(size) for name, size in (line.split() for line in output.splitlines())}
    sentences = [f"{name}() is not measured" for name in sorted(named() - set(used))]
    sentences += [f"{name}() uses {size} bytes" for name, size in used.items() if name != OTHER and size > LEAN]
    return sentences + ([f"{OTHER}() uses no more than {LEAN} bytes"] if used[OTHER] <= LEAN else [])


def cases(place, long):
    del long
    yield "library: lean functions", lambda: measure(place)
