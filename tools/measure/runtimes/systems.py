"""The runtimes: how a program of theirs is built and called. A system is what a result is about."""

import os

from measure.peers import build, languages, native

HERE = "tools/measure/runtimes"
FOLDER = "build/runtimes"


def fiber(name, folder, place, *options):
    return native.Native(name, folder, "c++17", "boost/fiber/all.hpp", native.BOOST, runtime="threads/boost_fiber.hpp",
                         libraries=("boost_fiber", "boost_context"), place=place, built=FOLDER,
                         options=(*options, "-Itools/measure"),
                         needs=(f"{build.SOURCES}/threads", f"{HERE}/boost_fiber"))


EXCHANGE = '-DFIBER_LOCKS="runtimes/boost_fiber/exchange_locks.hpp"'


class Fibers:
    """The peers' programs with the library's locks or with ours; the programs of the contest have a word for that."""

    parts = (fiber("boost-fiber", "threads", build.SOURCES),
             fiber("boost-fiber-exchange", "threads", build.SOURCES, EXCHANGE),
             fiber("boost-fiber", "boost_fiber", HERE, EXCHANGE))
    name = "boost-fiber"

    def versions(self):
        return self.parts[0].versions()

    def prepare(self, row, lock):
        """(command, files that run, the name that the result line has)."""
        own = self.parts[2]
        chosen = own if os.path.exists(own.source(row)) else self.parts[lock == "exchange"]
        command, files = chosen.prepare(row)
        words = [f"lock={lock}"] if chosen is own else []
        return [*command, *words], files, chosen.name


class Coroutines:
    """C++20 coroutines (user/include/heddle/coroutine.hpp) on threads of their own, or on Heddle's tasks."""

    def __init__(self, name, options=(), linked=()):
        self.name = name
        self.part = native.Native(name, "coroutines", "c++20", "coroutine", "g++", place=HERE, built=FOLDER,
                                  options=(*options, "-Itools/measure"), needs=("user/include/heddle",), linked=linked)

    def versions(self):
        for path in self.part.linked:
            if not os.path.exists(path):
                raise build.Missing(f"{path} is not there; `make hosted` builds it")
        return self.part.versions()

    def prepare(self, row, lock):
        command, files = self.part.prepare(row)
        return [*command, f"lock={lock}"], files, self.name


class Java:
    """The JDK's virtual threads with its lock; or its continuations, on carriers of our own, with ours."""

    name = "java"
    runtime = languages.Java()
    # java/Fiber.java says why these must stay calls.
    options = ("--add-exports", "java.base/jdk.internal.vm=ALL-UNNAMED", "-XX:CompileCommand=quiet",
               "-XX:CompileCommand=dontinline,Carriers.current", "-XX:CompileCommand=dontinline,Fiber.suspend")

    def versions(self):
        return self.runtime.versions()

    def prepare(self, row, lock):
        folder = f"{FOLDER}/java/classes"
        sources = [path for path in build.files_below(f"{build.SOURCES}/java", f"{HERE}/java")
                   if path.endswith(".java")]
        build.make(f"{folder}/Contest.class", sources, ["javac", "--release", "17", "-d", folder, *sources])
        classes = [path for path in build.files_below(folder) if path.endswith(".class")]
        command = [self.runtime.runtime(), *self.options, "-cp", folder, "Contest", row, f"lock={lock}"]
        return command, classes, self.name


SYSTEMS = [Fibers(), Coroutines("coroutines"),
           Coroutines("coroutines-heddle", ["-DON_HEDDLE"], ["build/hosted/libheddle.a"]), Java()]
