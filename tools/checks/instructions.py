"""Basic operations of the kernel execute as many instructions as the table in the repository says."""

from harness import emulator
from measure.instructions import table

from .building import make
from .case import Group, failed, run_functions, verdict

KERNEL = "build/kernel/heddle.elf"
TIMEOUT = 60
GOOD = table.Table("gcc 1.0", {"yield": (200.0, 300.0), "queue": (20.0, 20.0)})


def test_what_is_as_the_table_says_passes():
    figures = {"yield": (200.0, 305.9), "queue": (21.9, 18.1)}
    found = table.objections(GOOD, figures, "gcc 1.0")
    assert found == {"yield": [], "queue": []}, found


def test_slower_and_faster_are_seen():
    found = table.objections(GOOD, {"yield": (204.1, 290.0), "queue": (23.0, 20.0)}, "gcc 1.0")
    assert len(found["yield"]) == 2 and len(found["queue"]) == 1, found
    slower, faster = found["yield"]
    for words in ("yield", "sched=local", "204.1", "200.0", "slower", "make instructions UPDATE=1"):
        assert words in slower, f"\"{words}\" was not said: {slower}"
    for words in ("sched=global", "290.0", "300.0", "faster"):
        assert words in faster, f"\"{words}\" was not said: {faster}"


def test_another_compiler_has_a_wider_margin():
    figures = {"yield": (230.0, 300.0), "queue": (20.0, 20.0)}
    assert not table.objections(GOOD, figures, "gcc 2.0")["yield"]
    assert table.objections(GOOD, {**figures, "yield": (270.0, 300.0)}, "gcc 2.0")["yield"]


def test_operations_that_come_and_go_are_seen():
    found = table.objections(GOOD, {"yield": (200.0, 300.0), "mutex": (5.0, 5.0)}, "gcc 1.0")
    assert "was not counted" in found["queue"][0] and "is not in" in found["mutex"][0], found


def test_a_damaged_table_is_named():
    for text in ("", "compiler: gcc 1.0\n", "yield 1.0 2.0\n", "compiler: gcc 1.0\nyield 1.0\n"):
        try:
            table.parse(text)
        except table.BadTable as said:
            assert "make instructions UPDATE=1" in str(said), said
        else:
            raise AssertionError(f"this was taken for a table: {text!r}")


def as_the_table_says():
    """A case for each operation."""
    success, lines = make(KERNEL)
    if not success:
        return [failed("the kernel", lines)]
    try:
        known, counted = table.read(), table.count(KERNEL, TIMEOUT, name="test")
    except (emulator.EmulatorFailure, table.BadTable) as failure:
        return [failed("what it needs", str(failure).splitlines())]
    found = table.objections(known, counted.figures, counted.compiler)
    return [verdict(operation, sentences) for operation, sentences in found.items()]


def groups():
    return [
        Group("instructions: what is said beside a table",
              lambda: run_functions(__import__(__name__, fromlist=["x"]))),
        Group("instructions: an operation takes what the table says", as_the_table_says),
    ]
