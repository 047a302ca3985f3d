"""The longest way from check to check, measured instruction by instruction, is not longer than the bound."""

from . import bench

WAYS = (("-O2", 200), ("-O2", 1000))
MORE = tuple((f"{level} {frame}", bound) for level in ("-O0", "-O1", "-O2", "-O3", "-Os") for bound in (100, 200, 1000)
             for frame in ("-fomit-frame-pointer", "-fno-omit-frame-pointer"))
STEPS, STEPS_LONG = 2500, 40000  # of each test


def place_of(program, address):
    """The function and line of an address of the program."""
    _, said, _ = bench.execute(["addr2line", "-f", "-s", "-e", program, address], bench.RUN_LIMIT)
    function, line, *_ = [*said.splitlines(), "?", "?"]
    return f"{function} ({line})"


def measure(place, words, bound, steps):
    """(what is wrong, a line to show)"""
    flags = [*words.split(), "-fno-pie", *place.with_plugin(bound=bound)]
    program = place.build(f"gaps{words.replace(' ', '')}-{bound}", flags, rename=True)
    status, output, errors = bench.execute([program, "gaps"], bench.RUN_LIMIT * 4, STEPS=str(steps))
    rows = [line.split()[1:] for line in output.splitlines() if line.startswith("gap ")]
    complaints = [line for line in output.splitlines() if line.startswith("wrong")]
    if status != 0 and not complaints:
        complaints.append(f"it ended with status {status}: {errors.strip()[-300:]}")
    for test, longest, _, _, start, end in rows:
        if int(longest) > bound:
            way = f"from {place_of(program, start)} to {place_of(program, end)}"
            complaints.append(f"{test}: {longest} instructions without a check, {way}; the bound is {bound}")
    if not rows:
        return complaints or ["nothing was measured"], ""
    longest = max(int(row[1]) for row in rows)
    executed, charged = (sum(int(row[column]) for row in rows) for column in (2, 3))
    return complaints, f"longest {longest} of {bound}, charged {charged / executed:.2f} per instruction"


def cases(place, long):
    for words, bound in MORE if long else WAYS:

        def run(words=words, bound=bound):
            complaints, line = measure(place, words, bound, STEPS_LONG if long else STEPS)
            print(f"# gap {words} bound={bound}: {line}", flush=True)
            return complaints

        yield f"gap {words} bound={bound}", run
