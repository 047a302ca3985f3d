"""Functions of growing stacks ask for more stack if, and only if, what they need is not there."""

from . import bench

LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
ASKED = ["-fsplit-stack", "-mno-red-zone", "-ffreestanding", "-fno-pie", "-Wno-attributes"]


def ask(place, level):
    folder = place.folder / f"room{level}"
    folder.mkdir(parents=True, exist_ok=True)
    asked = place.compile(bench.HERE / "room_asked.c", folder / "asked.o",
                          [level, *ASKED, *place.with_plugin(bound=1000)])
    program = place.link(folder / "room", [asked, *place.support("room.c", "room.asm")], ["-fno-pie"])
    status, output, errors = bench.execute([program], bench.RUN_LIMIT)
    complaints = [line for line in output.splitlines() if line.startswith("wrong")]
    if status != 0 and not complaints:
        complaints.append(f"it ended with status {status}: {errors.strip()[-300:]}")
    return complaints if complaints or "tried" in output else ["nothing was tried"]


def cases(place, long):
    del long
    for level in LEVELS:
        yield f"room {level}", lambda level=level: ask(place, level)
