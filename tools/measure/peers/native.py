"""Peers in C++: a program a source, FOLDER/PROGRAM.cc."""

import os
import re
from dataclasses import dataclass

from . import build

BOOST = "libboost-fiber-dev, libboost-context-dev, libboost-coroutine-dev"


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
    suffix: str = ""
    processors: int = None  # at most; None: any number
    never: tuple = ()  # programs that the folder has, but not for this peer
    place: str = build.SOURCES
    built: str = build.FOLDER  # where the programs go
    options: tuple = ()  # for the compiler
    needs: tuple = ()  # folders with headers, besides its own and common/
    linked: tuple = ()  # archives

    def source(self, program):
        return f"{self.place}/{self.folder}/{program}{self.suffix}.cc"

    def takes_part(self, row):
        enough = self.processors is None or row.processors <= self.processors
        return enough and row.program not in self.never and os.path.exists(self.source(row.program))

    def versions(self):
        """Missing where the header or the compiler is."""
        compiler = build.need("g++", "g++")
        found = {"compiler": build.tool_output([compiler, "--version"])[0], "language": self.standard}
        headers = [self.header, "features.h", *(["boost/version.hpp"] if self.libraries else [])]
        text = "".join(f"#include <{header}>\n" for header in headers)
        text += "versions BOOST_LIB_VERSION __GLIBC__ __GLIBC_MINOR__\n"
        os.makedirs(build.FOLDER, exist_ok=True)
        probe = f"{build.FOLDER}/probe-{self.name}.cc"
        with open(probe, "w", encoding="ascii") as file:
            file.write(text)
        try:
            lines = build.tool_output([compiler, f"-std={self.standard}", "-E", "-P", probe])
        except build.Missing:
            raise build.Missing(f"<{self.header}> is not installed (package {self.package})") from None
        boost, major, minor = re.search(r"^versions (\S+) (\d+) (\d+)", "\n".join(lines), re.MULTILINE).groups()
        library = f", Boost {boost.strip(chr(34)).replace('_', '.')}" if self.libraries else ""
        return {**found, "library": f"glibc {major}.{minor}{library}"}

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


PEERS = [
    Native("pthread", "threads", "c++17", "pthread.h", "libc6-dev", runtime="threads/pthread.hpp",
           never=("stream", "channel")),
    Native("boost-fiber", "threads", "c++17", "boost/fiber/all.hpp", BOOST, runtime="threads/boost_fiber.hpp",
           libraries=("boost_fiber", "boost_context")),
    Native("boost-context", "boost_context", "c++17", "boost/context/fiber.hpp", BOOST, libraries=("boost_context",),
           processors=1),
    Native("boost-context-coloured", "boost_context", "c++17", "boost/context/fiber.hpp", BOOST,
           libraries=("boost_context",), suffix="_coloured", processors=1),
    Native("boost-coroutine2", "boost_coroutine2", "c++17", "boost/coroutine2/all.hpp", BOOST,
           libraries=("boost_context",), processors=1),
    Native("cpp20", "cpp20", "c++20", "coroutine", "g++", processors=1),
    Native("cpp20-pooled", "cpp20", "c++20", "coroutine", "g++", suffix="_pooled", processors=1),
    Native("cpp20-while", "cpp20", "c++20", "coroutine", "g++", suffix="_while", processors=1),
    Native("cpp20-delegating", "cpp20", "c++20", "coroutine", "g++", suffix="_delegating", processors=1),
]
