"""pbzip2, a program of POSIX threads that was not written for Heddle, built from the distribution's sources with the
host's threads and with tasks."""

import bz2
import glob
import os
import shutil
import subprocess
import tempfile

from harness import process, sources

from .ways import COMPILE_LIMIT

SOURCES = "build/sources"
BZIP2 = [f"{SOURCES}/bzip2/{name}.c" for name in
         "blocksort huffman crctable randtable compress decompress bzlib".split()]
NAME = "pbzip2"
THREADS = 64
DATA = "build/hosted/libheddle-posix.a"  # it is there, and is large
SIZE = 2 << 20
COMMON = ["-O2", "-w", f"-I{SOURCES}/bzip2", "-D_LARGEFILE64_SOURCE=1", "-D_FILE_OFFSET_BITS=64"]


def build(way, folder):
    """The program, or an AssertionError with what the compiler said."""
    objects = []
    for path in [*BZIP2, *sorted(glob.glob(f"{SOURCES}/pbzip2/*.cpp"))]:
        compiler = "gcc" if path.endswith(".c") else "g++"
        objects.append(f"{folder}/{os.path.basename(path)}.o")
        checked([compiler, *COMMON, *way.compiled(), "-c", path, "-o", objects[-1]])
    program = f"{folder}/pbzip2"
    checked(["g++", *objects, *way.linked(), "-pthread", "-o", program])
    return program


def checked(command, **more):
    done = subprocess.run(command, capture_output=True, check=False, timeout=COMPILE_LIMIT, **more)
    assert done.returncode == 0, f"{' '.join(command[:3])} ...: {done.stderr.decode(errors='replace').strip()}"


def compress(way, data):
    """The program's output for the data, once the program and the host's libbz2 have both read it back."""
    folder = tempfile.mkdtemp(prefix="heddle-posix-")
    try:
        program = build(way, folder)
        name = f"{folder}/data"
        with open(name, "wb") as file:
            file.write(data)
        for words in ([program, f"-p{THREADS}", "-b1", "-k", name], [program, "-t", f"-p{THREADS}", f"{name}.bz2"]):
            outcome = process.follow(words, way.limit, environment={"HEDDLE": way.words})
            end = "it hangs" if outcome.timed_out else f"status {outcome.status}"
            assert outcome.status == 0, f"{' '.join(words)}: {end}: {outcome.errors.strip()}"
        with open(f"{name}.bz2", "rb") as file:
            packed = file.read()
        assert bz2.decompress(packed) == data, "the host's libbz2 reads something else out of it"
        return packed
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(host, tasks):
    """Both must produce the same; returns what was done, in words."""
    sources.fetch("bzip2", "pbzip2")
    with open(DATA, "rb") as file:
        data = file.read(SIZE)
    by_host, by_tasks = compress(host, data), compress(tasks, data)
    assert by_host == by_tasks, "as tasks it makes something else than with the host's threads"
    return (f"pbzip2, unchanged, packs {len(data)} bytes into {len(by_tasks)} with {THREADS} threads that are tasks, "
            f"{tasks.stacks} stacks")
