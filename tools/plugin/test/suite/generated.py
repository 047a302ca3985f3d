"""Programs that csmith makes: with checks, each spent, they print the checksum that they print without."""

import re
import shutil
import time

from . import bench

FEW, MANY = 20, 400
FIRST = 1004  # the seed of the first in `make test`
LEVELS = ("-O2 -fomit-frame-pointer", "-O0", "-O3 -mavx2", "-Os", "-O1 -fomit-frame-pointer", "-O2 AVX512")
SHAPE = "--max-funcs 4 --max-block-depth 3 --max-block-size 3 --max-expr-complexity 6 --concise".split()
LARGE = "--max-funcs 8 --concise".split()
HEADERS = ("/usr/include/csmith", "/usr/local/include/csmith")
UNCHECKED_LIMIT = 5  # seconds: some never end


def is_there():
    return shutil.which("csmith")


def csmith(seed, shape, folder, name):
    """The command that makes the program of a seed, as a file in the folder. csmith writes a file of its own where it
    runs."""
    return ["env", "-C", folder, "csmith", "--seed", str(seed), *shape, "--output", name]


def run_one(program, limit):
    """(checksum, checks); the checksum is None for one that does not end."""
    status, output, errors = bench.execute([program], limit)
    checksum = re.search(r"checksum = (\w+)", output)
    checks = re.search(r"checks (\d+)", errors)
    if status is None:
        return None, 0
    return checksum[1] if checksum else f"status {status}", int(checks[1]) if checks else 0


def build(place, source, name, flags):
    target = source.with_name(name)
    words = ["-w", "-Dmain=program_main", "-O1" if not flags else "", *[f"-I{folder}" for folder in HEADERS]]
    command = [place.compiler, "-std=gnu17", *filter(None, words), *flags, "-c", source, "-o", f"{target}.o"]
    place.must(command)
    support = place.support("generated.c", "harness.c", "scramble.asm", "quantum.asm")
    return place.link(target, [f"{target}.o", *support])


def compare(place, seed, words, shape, *options):
    flags = [flag for word in words.split() for flag in (bench.AVX512 if word == "AVX512" else [word])]
    if not bench.processor_has(flags):
        flags = ["-O2"]
    source = place.folder / ("generated-with-options" if options else "generated") / str(seed) / "program.c"
    source.parent.mkdir(parents=True, exist_ok=True)
    place.must(csmith(seed, shape, source.parent, source.name))
    expected, _ = run_one(build(place, source, "plain", []), UNCHECKED_LIMIT)
    if expected is None:
        raise bench.Missing("the program does not end, which csmith cannot see")
    found, checks = run_one(build(place, source, "checked", [*flags, *place.with_plugin(*options)]), bench.RUN_LIMIT)
    if found == expected and checks:
        shutil.rmtree(source.parent)
        return []
    if found == expected:
        return [f"{source}: not a single check was made"]
    plain, _ = run_one(build(place, source, "plain-same", flags), UNCHECKED_LIMIT)
    sentences = [f"{source}, {' '.join(flags)}: {found or 'no end'} instead of {expected}"]
    if plain != expected:
        sentences.append(f"but without checks, compiled in the same way, it gives {plain}")
    return sentences


def cases(place, long, first=None, count=None):
    if not is_there():
        yield "generated", lambda: (_ for _ in ()).throw(bench.Missing("csmith is not installed; `make setup`"))
        return
    if first is None:
        first = int(time.time()) % 1000000 if long else FIRST
    print(f"# the first generated program has seed {first}", flush=True)
    for seed in range(first, first + (count or (MANY if long else FEW))):
        words = LEVELS[seed % len(LEVELS)]
        shape = LARGE if long and seed % 4 == 0 else SHAPE
        yield f"generated seed {seed} {words}", lambda seed=seed, words=words, shape=shape: compare(
            place, seed, words, shape)
