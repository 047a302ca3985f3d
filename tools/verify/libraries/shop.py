"""How libraries and the programs that use them are built: plainly, and with the plugin for whole and for growing
stacks. What was already built from the same sources, compiler and plugin is kept."""

import glob
import hashlib
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass

from harness import process, sources
from verify.torture import workshop

FOLDER = "build/libraries"
PROGRAMS = "tools/verify/libraries/programs"
VARIANTS = ("plain", *workshop.STACKS)
LIMIT = 900  # seconds for a command of a library's own build
LINES_SHOWN = 12


class Broken(Exception):
    """A library or program cannot be built; the text says why."""


def fetch(library, offline=False):
    """The folder of its sources. `offline`: fetch nothing."""
    folder = os.path.abspath(f"build/sources/{library.package}")
    if os.path.isdir(folder):
        return folder
    if offline:
        raise sources.Missing(f"the sources of {library.package} are not there; `make libraries` fetches them")
    sources.fetch(library.package)
    return folder


def run(command, folder, environment):
    outcome = process.follow(command, LIMIT, environment=environment, folder=folder)
    if outcome.status != 0:
        late = [f"it was not done after {LIMIT} s"] if outcome.timed_out else []
        said = [line for line in [*outcome.lines, *outcome.errors.splitlines()] if line.strip()]
        raise Broken("\n".join([shlex.join(command), *said[-LINES_SHOWN:], *late]))


@dataclass
class Shop:
    """One compiler, plugin, level and variant. `lto`: all code is made when the program is linked (-flto)."""

    compiler: str
    plugin: str
    level: str
    variant: str
    lto: bool = False

    def flags(self):
        basic = [self.level, "-g0", *(["-flto"] if self.lto else [])]
        return basic if self.variant == "plain" else [*basic, *workshop.plugin_options(self.plugin, self.variant)]

    def link_flags(self):
        """What the linker must be told for that."""
        if not self.lto:
            return []
        return ["-w", self.level, "-flto=auto", *([] if self.variant == "plain" else [workshop.loaded(self.plugin)])]

    def compiler_of(self, path):
        """The compiler's driver for a source."""
        return workshop.driver(self.compiler, path.endswith(".cc"))

    def folder(self, library):
        return os.path.abspath(f"{FOLDER}/{self.variant}{self.level}{'-flto' if self.lto else ''}/{library.name}")

    def stamp(self, library):
        """A word that identifies what the library was built from."""
        with open(self.plugin, "rb") as file:
            plugin = hashlib.sha256(file.read()).hexdigest() if self.variant != "plain" else ""
        version = subprocess.run([self.compiler, "--version"], capture_output=True, text=True, check=True).stdout
        return hashlib.sha256(repr((plugin, version, self.flags(), library)).encode()).hexdigest()

    def environment(self):
        """Without the settings of an outer make."""
        flags = shlex.join(self.flags())
        return {"MAKEFLAGS": "", "MAKELEVEL": "0", "MFLAGS": "", "CC": self.compiler,
                "CXX": self.compiler_of(".cc"), "CFLAGS": flags, "CXXFLAGS": flags}

    def build(self, library, source):
        """Build the library, in its folder."""
        folder, stamp = self.folder(library), self.stamp(library)
        mark = f"{folder}/.built"
        if os.path.exists(mark) and open(mark, encoding="ascii").read() == stamp:
            return
        shutil.rmtree(folder, ignore_errors=True)
        if library.copied:
            shutil.copytree(source, folder, symlinks=True)
        else:
            os.makedirs(folder)
        words = {"source": source, "folder": folder, "compiler": self.compiler, "flags": shlex.join(self.flags())}
        for command in library.commands:
            run([word.format(**words) for word in command], folder, self.environment())
        with open(mark, "w", encoding="ascii") as file:
            file.write(stamp)

    def archives(self, library):
        return [f"{self.folder(library)}/{name}" for name in library.archives]

    def object(self, library, source):
        """Compile the program that uses it."""
        path, = glob.glob(f"{PROGRAMS}/{library.name}.c*")
        include = [f"-I{name.format(source=source, folder=self.folder(library))}" for name in library.include]
        target = f"{self.folder(library)}/program.o"
        warnings = ["-Wall", "-Wextra", "-Werror"]
        systems = [word.replace("-I", "-isystem", 1) for word in include]
        run([self.compiler_of(path), *self.flags(), *warnings, *systems, "-c", path, "-o", target], ".",
            self.environment())
        return target

    def link(self, library, objects, linked, name):
        """Link a program of these objects, with further words for the linker."""
        target = f"{self.folder(library)}/{name}"
        run([self.compiler_of(".cc"), *self.link_flags(), *objects, *self.archives(library), *linked, "-pthread", "-lm",
             "-ldl", "-o", target], ".", self.environment())
        return target
