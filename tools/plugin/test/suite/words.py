"""What a check saves is what is live there, as the words say that name it."""

import re

BIT_X87 = 1 << 9
CALL = re.compile(r"call\s+heddle_quantum_spent\.heddle\.([0-9a-f]+)")
TEXT = """
typedef int pair __attribute__((vector_size(8)));
extern volatile int number;
extern volatile {kind} value;
void g(int n)
{{
    for (int i = 0; i < n; i++) number = i;
    {kind} sum = value;
    for (int i = 0; i < n; i++) {step};
    value = sum;
    {end};
    for (int i = 0; i < n; i++) number = i;
}}
"""
# What the loop in the middle has, and whether checks save the x87 registers, and whether some do not: MMX registers are
# the same ones, and in use until an instruction ends that.
STATES = (
    ("x87", {"kind": "long double", "step": "sum *= value", "end": ""}, {True, False}),
    ("vectors", {"kind": "double", "step": "sum *= value", "end": ""}, {False}),
    ("MMX", {"kind": "pair", "step": '__asm__("paddd %1, %0" : "+y"(sum) : "y"(value))', "end": '__asm__("emms")'},
     {True}),
)


def saved(place, name, words):
    """Whether each check saves the x87 registers."""
    folder = place.folder / "words"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{name}.c"
    source.write_text(TEXT.format(**words), encoding="ascii")
    target = source.with_suffix(".s")
    place.must([place.compiler, "-std=gnu17", "-O1", *place.with_plugin(), "-S", source, "-o", target])
    return [bool(int(word, 16) & BIT_X87) for word in CALL.findall(target.read_text(encoding="ascii"))]


def cases(place, long):
    del long
    for name, words, expected in STATES:

        def run(name=name, words=words, expected=expected):
            found = saved(place, name, words)
            return [] if set(found) == expected and len(found) >= 3 else [f"checks save the x87 registers: {found}"]

        yield f"words {name}", run
