"""The list of programs: GCC's tests to run, from the sources of the distribution's package, and programs that csmith
generates."""

import glob
import os
import re
import shlex
import shutil
import subprocess
import tarfile
from dataclasses import dataclass, field

from harness import sources
from suite import generated  # of tools/plugin/test/

from . import directives

FETCHED, UNPACKED = "build/sources", "build/torture/sources"
FOLDERS = ("gcc.c-torture/execute", "g++.dg/eh")
ADDED = re.compile(r"^lappend additional_flags (.*)$", re.MULTILINE)  # at the beginning of a line it is for all


@dataclass
class Program:
    """`prints`: it must print the same as without the plugin; otherwise its status is the result."""

    name: str  # of the suite and the file
    sources: list
    options: list = field(default_factory=list)
    prints: bool = False

    @property
    def is_cplusplus(self):
        return self.sources[0].endswith(".C")


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def compiler_version(compiler):
    done = subprocess.run([compiler, "-dumpversion"], capture_output=True, text=True, check=True)
    return done.stdout.strip().partition(".")[0]


def unpack(archive, folder):
    """The required folders of a GCC; all or nothing."""
    partial = f"{folder}.{os.getpid()}"
    wanted = re.compile(rf"[^/]+/gcc/testsuite/((?:{'|'.join(map(re.escape, FOLDERS))})/.*)")
    found = 0
    try:
        with tarfile.open(archive) as packed:
            for member in packed:
                match = wanted.fullmatch(member.name)
                if match and member.isfile():
                    path = f"{partial}/{match[1]}"
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with open(path, "wb") as file:
                        shutil.copyfileobj(packed.extractfile(member), file)
                    found += 1
        if not found:
            raise sources.Missing(f"{archive} has no tests")
        os.rename(partial, folder)
    except (OSError, tarfile.TarError, EOFError) as error:
        if not os.path.isdir(folder):
            raise sources.Missing(f"{archive} could not be unpacked ({error})") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def gcc_tests(compiler):
    """The folder of the tests of this compiler's version."""
    package = f"gcc-{compiler_version(compiler)}"
    folder = f"{UNPACKED}/{package}"
    if os.path.isdir(folder):
        return folder
    sources.fetch(package)
    archives = [path for path in glob.glob(f"{FETCHED}/{package}/gcc-*.tar.*") if re.search(r"/gcc-[0-9]", path)]
    if len(archives) != 1:
        raise sources.Missing(f"the source package {package} holds {len(archives)} archives of GCC, not one")
    os.makedirs(UNPACKED, exist_ok=True)
    unpack(archives[0], folder)
    return folder


def execute(folder):
    for path in sorted(glob.glob(f"{folder}/gcc.c-torture/execute/*.c")):
        if directives.is_program(read(path), True):
            yield path, directives.options(read(path))


def ieee(folder):
    """These have their options in a separate file."""
    for path in sorted(glob.glob(f"{folder}/gcc.c-torture/execute/ieee/*.c")):
        beside = path[:-1] + "x"
        added = ADDED.findall(read(beside)) if os.path.exists(beside) else []
        yield path, ["-fno-inline", *shlex.split(" ".join(added))]


def exceptions(folder):
    for path in sorted(glob.glob(f"{folder}/g++.dg/eh/*.C")):
        if directives.is_program(read(path), False):
            yield path, directives.options(read(path))


GCC_SUITES = {"execute": execute, "ieee": ieee, "eh": exceptions}
SUITES = (*GCC_SUITES, "csmith")
CSMITH = "build/torture/csmith"


def of_gcc(suite, folder):
    for path, options in GCC_SUITES[suite](folder):
        name = f"{suite}/{os.path.splitext(os.path.basename(path))[0]}"
        more = [os.path.join(os.path.dirname(path), file) for file in directives.more_sources(read(path))]
        yield Program(name, [path, *more], options)


def of_csmith(count, seed):
    if not shutil.which("csmith"):
        raise sources.Missing("csmith is not installed; `make setup` installs it")
    os.makedirs(CSMITH, exist_ok=True)
    for number in range(seed, seed + count):
        path = f"{CSMITH}/{number}.c"
        subprocess.run(generated.csmith(number, generated.SHAPE, CSMITH, f"{number}.c"), check=True)
        yield Program(f"csmith/{number}", [path], [f"-I{folder}" for folder in generated.HEADERS], prints=True)


def collect(suites, compiler, count, seed):
    """All programs of the suites."""
    folder = gcc_tests(compiler) if set(suites) & set(GCC_SUITES) else None
    found = []
    for suite in suites:
        found += of_csmith(count, seed) if suite == "csmith" else of_gcc(suite, folder)
    return found
