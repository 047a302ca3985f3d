"""Negative controls: with a register left out of what is saved, the tests of that register must fail."""

import re

from . import bench

SOURCE = [bench.HERE / "programs/registers.c"]
GENERAL = ["rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"]
FEW = ("rax", "rdi", "r11", "st", "xmm0", "xmm15", "xmm16", "k1", "k7")
ALL = [*GENERAL, "st", *[f"xmm{i}" for i in range(32)], *[f"k{i}" for i in range(8)]]
LIMIT = 10  # seconds: a loop that lost its counter may never end


def needs(register):
    """The options for code that has this register."""
    number = int(re.sub(r"\D", "", register) or 0)
    upper = register.startswith("k") or (register.startswith("xmm") and number > 15)
    return bench.AVX512 if upper or bench.processor_has(bench.AVX512) else []


def noticed(place, register, expected):
    """The tests of the register that did not notice."""
    flags = needs(register)
    if not bench.processor_has(flags):
        raise bench.Missing("this processor has no such register")
    options = place.with_plugin(f"omit={register}")
    program = place.build(f"omit-{register}", ["-O1", *flags, *options], SOURCE)
    tests = {test for test, _ in expected if re.fullmatch(rf"register_{register}(_\d+)?", test)}
    if not tests:
        return [f"there is no test of {register}"]
    sentences = []
    for test in sorted(tests):
        found, complaints = bench.results(program, test, limit=LIMIT)
        if not complaints and not list(bench.differences(found, expected)):
            sentences.append(f"{test} did not notice that {register} was not saved")
    return sentences


def cases(place, long):
    flags = bench.AVX512 if bench.processor_has(bench.AVX512) else []
    expected, complaints = bench.results(place.build("registers", ["-O1", *flags], SOURCE))
    saved, more = bench.results(place.build("registers-saved", ["-O1", *flags, *place.with_plugin()], SOURCE))
    yield "omit nothing", lambda: [*complaints, *more, *bench.differences(saved, expected)]
    for register in ALL if long else FEW:
        yield f"omit {register}", lambda register=register: noticed(place, register, expected)
