"""glibc's own tests of threads: those of nptl/ and sysdeps/pthread/, of POSIX and C11."""

import glob
import os
import re
import shlex
import signal

from harness import parallel, sources

from .makefiles import Makefiles
from .suite import Suite
from .ways import GUARDED, Broken, complaints_of, outcome_of

PACKAGE = "glibc"
SOURCES = f"build/sources/{PACKAGE}"
FOLDERS = ("nptl", "sysdeps/pthread")
UNSUPPORTED = 77  # a test's status (support/test-driver.h)

# A test belongs to the first part whose pattern its name has after "tst-".
PARTS = {
    "c11": r"mtx-|cnd-|thrd-|tss-|call-once",
    "mutexes": r"mutex|robust|pthread-mutexattr|pthread-timedlock|initializers",
    "conditions": r"cond",
    "barriers": r"barrier",
    "rwlocks": r"rwlock",
    "semaphores": r"sem",
    "spin": r"spin",
    "once": r"once",
    "keys": r"key|tsd|thread-setspecific",
    "cancellation": r"cancel|cleanup|minstack-cancel|pthread_cancel",
    "handlers": r"signal|kill|raise|eintr|pthread[-_](?:kill|raise|exit-signal|attr-sigmask)",
    "processes": r"fork|atfork|exec|exit|flock|getpid|umask|setuid|setgroups|(?:pt-)?vfork|pt-popen|pthread-setuid",
    "attributes": r".*attr|.*affinity|stack|.*sched|.*sysconf|.*name|minstack",
    "joining": r"join|detach|create|basic|pthread_exit",
    "others": r"",
}
# They come after the system's own headers, and so add only what the system has not.
INCLUDED = ("nptl", "sysdeps/pthread", "support", "", "include", "sysdeps/x86_64/nptl", "sysdeps/x86_64", "sysdeps/x86",
            "sysdeps/unix/sysv/linux", "sysdeps/generic")
OPTIONS = ["-O2", "-w", "-U_FORTIFY_SOURCE", "-D_GNU_SOURCE", "-D_ISOMAC", "-DTIMEOUTFACTOR=1", "-include", "limits.h"]
PATHS = [f"-D{name}_PATH=\"/\"" for name in
         "SRCDIR OBJDIR OBJDIR_ELF_LDSO INSTDIR LIBDIR BINDIR SBINDIR SLIBDIR ROOTSBINDIR COMPLOCALEDIR".split()]
# Why glibc's makefiles set tests apart, and so do we.
SET_APART = {
    "tests-internal": "they look into glibc: at headers and names that are not installed",
    **dict.fromkeys(("tests-static", "xtests-static"), "the same tests as others, linked statically"),
    "tests-time64": "the same tests as others, for machines whose time_t has 32 bits",
    "tests-container": "they want a container with files of its own",
}
MODULES = "they load modules of their own"


def compiler(path):
    return ["g++", "-std=gnu++17"] if path.endswith(".cc") else ["gcc", "-std=gnu11"]


class Glibc(Suite):
    name, title = "glibc", "glibc's tests of threads"
    known = "tools/verify/posix/known_glibc.txt"
    shows_parts = True

    def __init__(self):
        self.makefiles = None
        self.paths = {}  # by name
        self.folders = {}  # by way: where what all tests are linked with is

    def owns(self, name):
        return name in (self.name, *PARTS) or name.startswith("tst-")

    def programs(self):
        """Names as tst-mutex1."""
        sources.fetch(PACKAGE)
        self.makefiles = Makefiles(*(f"{SOURCES}/{folder}/Makefile" for folder in FOLDERS))
        paths = [path for folder in FOLDERS for path in glob.glob(f"{SOURCES}/{folder}/tst-*.c*")]
        self.paths = {os.path.splitext(os.path.basename(path))[0]: path for path in paths}
        named = self.makefiles.tests("tests", "xtests", *SET_APART)
        return sorted(named & set(self.paths), key=lambda name: [
            int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)])

    def part(self, name):
        return next(part for part, pattern in PARTS.items() if re.match(f"tst-(?:{pattern})", name))

    def left_out(self, name):
        for variable, reason in SET_APART.items():
            if name in self.makefiles.tests(variable):
                return reason
        return MODULES if name in self.makefiles.with_modules else None

    # ---------------------------------------------------------------------------------------------- building --

    def compiled(self, path, way):
        after = [word for folder in INCLUDED for word in ("-idirafter", f"{SOURCES}/{folder}")]
        return [*compiler(path), *OPTIONS, *after, "-idirafter", self.folders[way], *way.compiled(), "-c", path]

    def library(self, way):
        return f"{self.folders[way]}/libsupport.a"

    def prepare(self, way, folder):
        """glibc's support library is compiled as the tests are, for threads begin and wait in it. What of it wants more
        of glibc's build tree is missing, and a test that needs that is not built."""
        self.folders[way] = folder
        # What glibc's configure finds out, and which versions its names have; no test asks for any of it.
        for header in ("config.h", "abi-versions.h"):
            with open(f"{folder}/{header}", "w", encoding="utf-8"):
                pass

        def object_of(path):
            target = f"{folder}/{os.path.basename(path)}.o"
            return None if complaints_of([*self.compiled(path, way), *PATHS, "-o", target]) else target

        paths = [path for path in sorted(glob.glob(f"{SOURCES}/support/*.c"))
                 if not re.match(r"tst-|test-|README|links-|\w+-container", os.path.basename(path))]
        objects = parallel.results([lambda path=path: object_of(path) for path in paths])
        complaints = complaints_of(["ar", "rcs", self.library(way), *filter(None, objects)])
        if complaints:
            raise Broken("; ".join(complaints))

    def build(self, name, way, target):
        path = self.paths[name]
        own = [word for word in self.makefiles.value(f"CFLAGS-{os.path.basename(path)}", {}).split()
               if word.startswith("-f")]
        own += [f"-std={standard}" for standard in re.findall(r"initializers1-(\w+)", name)]
        return complaints_of([*self.compiled(path, way), *own, "-o", f"{target}.o"],
                             [compiler(path)[0], f"{target}.o", self.library(way), *way.linked(), "-pthread", "-lrt",
                              "-lm", "-o", target])

    # ----------------------------------------------------------------------------------------------- running --

    def run(self, name, way, target, folder):
        """A test's driver runs it in a child process, where there are no tasks. So the driver is asked to run it
        itself, and to say in a file how the test is to end (TEST_DIRECT in support/support_test_main.c)."""
        words = shlex.split(self.makefiles.value(f"{name}-ARGS", {"host-test-program-cmd": target,
                                                                 "objpfx": f"{folder}/"}))
        expected = f"{folder}/expected"
        with open(f"{folder}/Makefile", "w", encoding="utf-8"):
            pass  # some open that of glibc's build tree
        followed = way.follow([*GUARDED, target, *words], folder, {"TEST_DIRECT": expected, "TMPDIR": folder})
        return outcome_of(followed, self.kind(name, followed, expected))

    def kind(self, name, followed, expected):
        status, number = end_of(expected)
        if followed.timed_out:
            return "hangs"
        if followed.status == UNSUPPORTED:
            return "unsupported"
        if followed.status < 0:
            return "passed" if number == -followed.status else "dies"
        return "passed" if followed.status == status and not number and self.prints(name, followed) else "failed"

    def prints(self, name, followed):
        """Whether it printed what is expected of it, if anything is."""
        path = f"{os.path.splitext(self.paths[name])[0]}.expect"
        if not os.path.exists(path):
            return True
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines() == list(followed.lines)


def end_of(path):
    """The status and the signal, or None, that the driver has written down as a test's end."""
    try:
        with open(path, encoding="utf-8") as file:
            said = dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)
    except OSError:
        said = {}
    numbers = {signal.strsignal(number): number for number in signal.valid_signals()}
    return int(said.get("exit", 0)), numbers.get(said.get("signal"))
