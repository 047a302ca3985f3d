"""The stub that checks call saves what it is told to, and nothing else; errors built into it are noticed."""

from . import bench

# Text of arch/x86_64/quantum.asm, and what it is replaced by.
ERRORS = {
    "r9-lost": ("cmovc r9,", "cmovc r8,"),
    "sixteen-bits-of-a-mask": ("save_all_live edx, WORD2_MASKS, kmovq", "save_all_live edx, WORD2_MASKS, kmovw"),
    "half-a-vector": ("restore_all_live eax, WORD_VECTORS, vmovups, zmm, 64",
                      "restore_all_live eax, WORD_VECTORS, vmovups, ymm, 64"),
    "x87-forgotten": ("\tfrstor [rsp]\n", "\tfninit\n"),
}
# Errors in registers that only AVX-512 has.
NEED_AVX512 = {"sixteen-bits-of-a-mask", "half-a-vector"}
SOURCE = bench.ROOT / "arch/x86_64/quantum.asm"


def run(place, name, source):
    """What the test of the stub complains about."""
    folder = place.folder / f"stub-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    place.must(["nasm", "-f", "elf64", f"-I{bench.ROOT}/", "-o", folder / "quantum.o", source])
    support = place.support("stub.c", "stub.asm", "harness.c", "scramble.asm")
    program = place.link(folder / "stub", [*support, folder / "quantum.o"])
    status, output, errors = bench.execute([program], bench.RUN_LIMIT)
    complaints = [line for line in output.splitlines() if line.startswith("wrong")]
    if status != 0 and not complaints:
        complaints.append(f"it ended with status {status}: {errors.strip()[-300:]}")
    return complaints if complaints or "tried" in output else ["nothing was tried"]


def noticed(place, name):
    old, new = ERRORS[name]
    text = SOURCE.read_text(encoding="ascii")
    if text.count(old) != 1:
        raise bench.Broken(f"{old!r} should be once in {SOURCE.name}; it is there {text.count(old)} times")
    if name in NEED_AVX512 and not bench.processor_has(bench.AVX512):
        raise bench.Missing("this processor lacks these registers")
    changed = place.folder / f"stub-{name}.asm"
    changed.write_text(text.replace(old, new), encoding="ascii")
    return [] if run(place, name, changed) else ["it was not noticed"]


def cases(place, long):
    del long
    yield "stub", lambda: run(place, "as-it-is", SOURCE)
    for name in ERRORS:
        yield f"stub error {name} is noticed", lambda name=name: noticed(place, name)
