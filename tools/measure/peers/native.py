"""Peers in C++: a program a source, FOLDER/PROGRAM.cc."""

import os
import re
from dataclasses import dataclass

from . import build

BOOST = "libboost-fiber-dev, libboost-context-dev, libboost-coroutine-dev"

BOOST_RELEASE = ("Boost", "boost/version.hpp", "BOOST_LIB_VERSION")


@dataclass(frozen=True)
class Native:
    """A peer whose sources lie in a folder, here or in `place`. Those that end in `suffix` are of a variant of it."""

    name: str
    folder: str
    standard: str
    header: str  # without which it is not there
    package: str
    runtime: str = None  # threads/: the header that has the tasks
    libraries: tuple = ()
    release: tuple = None  # of its library: what that is called, a header, and what tells there
    suffix: str = ""
    processors: int = None  # at most; None: any number
    never: tuple = ()  # programs that the folder has, but not for this peer
    only: tuple = ()  # if any: those that it has
    place: str = build.SOURCES
    built: str = build.FOLDER  # where the programs go
    options: tuple = ()  # for the compiler
    needs: tuple = ()  # folders with headers, besides its own and common/
    linked: tuple = ()  # archives

    def source(self, program):
        return f"{self.place}/{self.folder}/{program}{self.suffix}.cc"

    def has(self, program):
        return program not in self.never and (not self.only or program in self.only)

    def takes_part(self, row):
        enough = self.processors is None or row.processors <= self.processors
        return enough and self.has(row.program) and os.path.exists(self.source(row.program))

    def need_libraries(self, compiler):
        """Headers may be there without them: some packages bring all headers of Boost."""
        for library in self.libraries:
            name = f"lib{library}.so"
            if build.tool_output([compiler, f"-print-file-name={name}"])[0] == name:  # else it says where
                raise build.Missing(f"{name} is not installed (package {self.package})")

    def versions(self):
        """Missing where the header, a library or the compiler is."""
        compiler = build.need("g++", "g++")
        self.need_libraries(compiler)
        found = {"compiler": build.tool_output([compiler, "--version"])[0], "language": self.standard}
        title, header, macro = self.release or ("", self.header, "0")
        text = "".join(f"#include <{name}>\n" for name in (self.header, "features.h", header))
        text += f"versions __GLIBC__ __GLIBC_MINOR__ {macro}\n"
        os.makedirs(build.FOLDER, exist_ok=True)
        probe = f"{build.FOLDER}/probe-{self.name}.cc"
        with open(probe, "w", encoding="ascii") as file:
            file.write(text)
        try:
            lines = build.tool_output([compiler, f"-std={self.standard}", *self.options, "-E", "-P", probe])
        except build.Missing:
            raise build.Missing(f"<{self.header}> is not installed (package {self.package})") from None
        major, minor, number = re.search(r"^versions (\d+) (\d+) (.+)$", "\n".join(lines), re.MULTILINE).groups()
        number = re.sub(r"[^0-9.]+", ".", number).strip(".")
        return {**found, "library": f"glibc {major}.{minor}" + (f", {title} {number}" if title else "")}

    def prepare(self, program):
        """Build it. The command that runs the program, and the files that are what runs."""
        target = f"{self.built}/{self.name}/{program}"
        folders = [f"{self.place}/{self.folder}", f"{build.SOURCES}/common", *self.needs]
        sources = [path for path in build.files_below(*folders) if path.endswith((".hpp", ".h"))]
        runtime = [f'-DRUNTIME="{self.runtime}"'] if self.runtime else []
        command = ["g++", f"-std={self.standard}", "-O2", "-DNDEBUG", "-Wall", "-Wextra", "-pthread",
                   f"-I{build.SOURCES}", "-I.", "-Iuser/include",
                   *runtime, *self.options, self.source(program), *self.linked, "-o", target,
                   *(f"-l{library}" for library in self.libraries)]
        build.make(target, [*sources, self.source(program), *self.linked], command)
        return [target], [target]


THREADS = (f"{build.SOURCES}/threads",)

PEERS = [
    Native("pthread", "threads", "c++17", "pthread.h", "libc6-dev", runtime="threads/pthread.hpp",
           never=("stream", "channel")),
    Native("c11", "threads", "c++17", "threads.h", "libc6-dev", runtime="threads/c11.hpp",
           only=("uncontended", "locks", "section")),
    Native("boost-fiber", "threads", "c++17", "boost/fiber/all.hpp", BOOST, runtime="threads/boost_fiber.hpp",
           release=BOOST_RELEASE, libraries=("boost_fiber", "boost_context")),
    Native("tbb", "tasking", "c++17", "tbb/task_group.h", "libtbb-dev", libraries=("tbb",),
           release=("oneTBB", "tbb/version.h", "TBB_VERSION_MAJOR TBB_VERSION_MINOR"), suffix="_tbb", needs=THREADS),
    Native("openmp", "tasking", "c++17", "omp.h", "g++", suffix="_openmp", options=("-fopenmp",),
           release=("OpenMP", "omp.h", "_OPENMP"), needs=THREADS),
    Native("taskflow", "tasking", "c++20", "taskflow/taskflow.hpp", "taskflow, where the distribution has it",
           release=("Taskflow", "taskflow/taskflow.hpp", "TF_VERSION"), suffix="_taskflow",
           needs=THREADS),
    Native("boost-context", "boost_context", "c++17", "boost/context/fiber.hpp", BOOST,
           release=BOOST_RELEASE, libraries=("boost_context",), processors=1),
    Native("boost-context-coloured", "boost_context", "c++17", "boost/context/fiber.hpp", BOOST,
           release=BOOST_RELEASE, libraries=("boost_context",), suffix="_coloured", processors=1),
    Native("boost-coroutine2", "boost_coroutine2", "c++17", "boost/coroutine2/all.hpp", BOOST,
           release=BOOST_RELEASE, libraries=("boost_context",), processors=1),
    Native("cpp20", "cpp20", "c++20", "coroutine", "g++", processors=1),
    Native("cpp20-pooled", "cpp20", "c++20", "coroutine", "g++", suffix="_pooled", processors=1),
    Native("cpp20-while", "cpp20", "c++20", "coroutine", "g++", suffix="_while", processors=1),
    Native("cpp20-delegating", "cpp20", "c++20", "coroutine", "g++", suffix="_delegating", processors=1),
    Native("cpp23", "cpp23", "c++23", "generator", "g++, from release 14 on", processors=1),
]
