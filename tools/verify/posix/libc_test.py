"""The tests of threads, semaphores and thread-local memory in musl's libc-test, from a folder that the user names."""

import glob
import os
import re

from harness import parallel, sources

from .suite import Suite
from .ways import Broken, complaints_of, outcome_of

ADDRESS = "git://repo.or.cz/libc-test"
# Of src/functional/ and src/regression/.
TESTS = re.compile(r"(pthread|sem|tls)_\w+|pthread-.*|pthread_.*|sem_.*|tls_.*|raise-race|sigprocmask-internal")
LIBRARY = re.compile(r".*_dso")  # no test, but loaded by one
COMMON_LEFT_OUT = ("runtest.c",)  # it runs a test in a child
COMPILER = ["gcc", "-std=c99", "-O2", "-w", "-fno-builtin", "-frounding-math", "-D_POSIX_C_SOURCE=200809L",
            "-D_FILE_OFFSET_BITS=64"]
LIBRARIES = ["-pthread", "-lrt", "-lm", "-ldl"]


class LibcTest(Suite):
    name, title = "libc-test", "musl's libc-test"
    known = "tools/verify/posix/known_libc_test.txt"

    def __init__(self, folder):
        self.source = os.path.join(folder, "src") if folder else None
        self.libraries = {}  # by way: what all tests are linked with

    def owns(self, name):
        return name == self.name or name.startswith(("functional/", "regression/"))

    def programs(self):
        """Names as functional/pthread_cancel."""
        if not self.source:
            raise sources.Missing(f"LIBC_TEST= names no folder with musl's libc-test ({ADDRESS}), so it is not run")
        names = [os.path.relpath(path, self.source)[:-len(".c")]
                 for folder in ("functional", "regression") for path in glob.glob(f"{self.source}/{folder}/*.c")]
        found = sorted(name for name in names
                       if TESTS.fullmatch(os.path.basename(name)) and not LIBRARY.fullmatch(name))
        if not found:
            raise sources.Missing(f"LIBC_TEST={os.path.dirname(self.source)}: there are no tests in its src/")
        return found

    def part(self, name):
        return os.path.dirname(name)

    def prepare(self, way, folder):
        """Its own library, which is compiled as the tests are."""
        def object_of(path):
            target = f"{folder}/{os.path.basename(path)}.o"
            complaints = complaints_of([*COMPILER, *way.compiled(), "-c", path, "-o", target])
            if complaints:
                raise Broken("; ".join(complaints))
            return target

        paths = [path for path in sorted(glob.glob(f"{self.source}/common/*.c"))
                 if os.path.basename(path) not in COMMON_LEFT_OUT]
        objects = parallel.results([lambda path=path: object_of(path) for path in paths])
        self.libraries[way] = f"{folder}/libtest.a"
        complaints = complaints_of(["ar", "rcs", self.libraries[way], *objects])
        if complaints:
            raise Broken("; ".join(complaints))

    def shared(self, name, target):
        """(commands that build the library which the test loads, what the test is linked with)"""
        base = name.removesuffix("_dlopen")
        source, makefile = f"{self.source}/{base}_dso.c", f"{self.source}/{name}.mk"
        if not os.path.exists(makefile):
            return [], []
        library = f"{os.path.dirname(target)}/src/{base}_dso.so"
        os.makedirs(os.path.dirname(library))
        build = [*COMPILER, f"-I{self.source}/common", "-fPIC", "-shared", source, "-o", library]
        with open(makefile, encoding="utf-8") as file:
            is_linked = "LDLIBS" in file.read()
        return [build], [library, "-Wl,-rpath,$ORIGIN"] if is_linked else ["-Wl,-rpath,$ORIGIN"]

    def build(self, name, way, target):
        commands, linked = self.shared(name, target)
        return complaints_of(
            *commands,
            [*COMPILER, f"-I{self.source}/common", *way.compiled(), "-c", f"{self.source}/{name}.c", "-o",
             f"{target}.o"],
            ["gcc", f"{target}.o", self.libraries[way], *linked, *way.linked(), *LIBRARIES, "-o", target])

    def run(self, name, way, target, folder):
        """A test finds its library by a path from its own folder."""
        path = f"{folder}/src/{name}.exe"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.rename(target, path)
        followed = way.follow([path], folder, {})
        kind = "hangs" if followed.timed_out else "passed" if followed.status == 0 else "dies"
        return outcome_of(followed, "failed" if followed.status in (1, 2) else kind)
