"""The results of the programs of user/ports/, computed by a Linux program: the same sources with the host's C
library."""

import functools
import glob
import os
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

FOLDER = "build/ports/host"
REFERENCE = f"{FOLDER}/reference"
TIMEOUT = 60
BUILDING = threading.Lock()  # groups run beside one another, and ask for it at the same time


@dataclass
class Package:
    """Sources of a program, below build/sources/, and the files of user/ports/ that use them."""

    files: list
    include: str
    glue: list
    flags: tuple = ()
    left_out: tuple = ()

    def sources(self):
        found = [path for pattern in self.files for path in sorted(glob.glob(f"build/sources/{pattern}"))]
        return [path for path in found if os.path.basename(path) not in self.left_out]


# By the name of the source package.
PACKAGES = {
    "lua5.4": Package(
        ["lua5.4/src/*.c"], "build/sources/lua5.4/src", ["script_lua"], ("-Dluai_makeseed(L)=((unsigned)0x5eed)",),
        ("lua.c", "luac.c", "linit.c", "liolib.c", "loslib.c", "loadlib.c", "ldblib.c"),
    ),
    "zlib": Package(
        ["zlib/adler32.c", "zlib/crc32.c", "zlib/deflate.c", "zlib/inf*.c", "zlib/trees.c", "zlib/zutil.c"],
        "build/sources/zlib", ["codec_zlib", "roundtrip"], ("-DZ_SOLO",), ("infback.c",),
    ),
    "lz4": Package(["lz4/lib/*.c"], "build/sources/lz4/lib", ["codec_lz4"], ("-DXXH_NAMESPACE=LZ4_",), ("lz4file.c",)),
    "libzstd": Package(
        [f"libzstd/lib/{folder}/*.c" for folder in ("common", "compress", "decompress")],
        "build/sources/libzstd/lib", ["codec_zstd"], ("-DZSTD_DISABLE_ASM", "-DZSTD_TRACE=0"),
    ),
    "sqlite3-amalgamation": Package(
        ["sqlite3-amalgamation/sqlite3.c"], "build/sources/sqlite3-amalgamation", ["database", "database_system"],
        ("-DSQLITE_OS_OTHER=1", "-DSQLITE_THREADSAFE=2", "-DSQLITE_TEMP_STORE=3", "-DSQLITE_DQS=0",
         *(f"-DSQLITE_OMIT_{what}" for what in ("LOAD_EXTENSION", "LOCALTIME", "WAL"))),
    ),
    "duktape": Package(
        ["duktape/src/duktape.c"], "build/sources/duktape/src", ["script_duktape"],
        ("-include", f"{os.getcwd()}/user/ports/duktape_config.h"),
    ),
}
WORDS = {  # the parameters of the reference for a program, with defaults
    "lua": {"size": 10},
    "duktape": {"size": 10},
    "sqlite3": {"size": 200, "tasks": 200, "rounds": 1},
    "zlib": {"size": 60000, "level": 6, "tasks": 200, "rounds": 1},
    "lz4": {"size": 60000, "level": 1, "tasks": 200, "rounds": 1},
    "zstd": {"size": 60000, "level": 3, "tasks": 200, "rounds": 1},
}


def present():
    """The packages that were fetched, by name."""
    return {name: package for name, package in PACKAGES.items() if package.sources()}


def command(*words, folder=None):
    """Run a tool that must succeed."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"the reference cannot be built: {done.stderr.strip()}"


def compile_package(name, package):
    """The objects of a package, foreign and ours; two packages may have files of one name."""
    folder, include = f"{FOLDER}/{name}", os.path.abspath(package.include)
    os.makedirs(folder, exist_ok=True)
    common = ["gcc", "-c", "-O1", "-w", *package.flags, f"-I{include}"]
    command(*common, "-std=gnu99", *map(os.path.abspath, package.sources()), folder=folder)
    ours = [os.path.abspath(f"user/ports/{file}.c") for file in package.glue]
    command(*common, "-std=gnu17", f"-I{os.getcwd()}", *ours, folder=folder)
    return sorted(glob.glob(f"{folder}/*.o"))


@functools.lru_cache(maxsize=None)
def build_once():
    """The Linux program, with everything that has sources."""
    os.makedirs(FOLDER, exist_ok=True)
    packages = present()
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        objects = [path for paths in pool.map(compile_package, packages, packages.values()) for path in paths]
    having = [f"-DHAVE_{name.partition('-')[0].upper()}" for name in packages if "." not in name]
    command("nasm", "-f", "elf64", "-o", f"{FOLDER}/scripts.o", "user/ports/scripts.asm")
    command("gcc", "-std=gnu17", "-O1", "-w", "-I.", *having, "tools/checks/ports_reference.c", f"{FOLDER}/scripts.o",
            *objects, "-lm", "-o", REFERENCE)


@functools.lru_cache(maxsize=None)
def wanted(program):
    """The checksum of a program, computed by the host; an AssertionError says why it could not be computed."""
    with BUILDING:
        build_once()
    name, *pairs = program.split(",")
    values = {**WORDS[name], **dict(pair.split("=") for pair in pairs)}
    words = [REFERENCE, name, *(str(values[word]) for word in WORDS[name])]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=TIMEOUT)
    assert done.returncode == 0, f"the reference failed: {done.stderr.strip()}"
    return int(done.stdout)
