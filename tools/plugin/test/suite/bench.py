"""Where the tests' programs are built and run: one compiler, one plugin, one folder."""

import dataclasses
import os
import pathlib
import re
import resource
import subprocess
import threading

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent.parent
PROGRAMS = sorted([*HERE.glob("programs/*.c"), *HERE.glob("programs/*.cc")])
# Results must not depend on how a program is compiled; the rest are warnings about what tests do on purpose.
FLAGS = "-ffp-contract=off -g1 -Wall -Wextra -Werror -Wno-clobbered".split()
FLAGS += ["-Wno-infinite-recursion", "-Wno-maybe-uninitialized", "-Wno-unused-function"]
# Against what some distributions' compilers add by themselves, where a test reads the code.
PLAIN = "-U_FORTIFY_SOURCE -fno-stack-protector -fno-stack-clash-protection -fcf-protection=none".split()
AVX2 = ["-mavx2"]
AVX512 = "-mavx512f -mavx512dq -mavx512bw -mavx512vl".split()
BOUND_SMALL = 100  # the smallest: the tests' loops are short, and are to be checked in often
COMPILE_LIMIT, RUN_LIMIT = 120, 120  # seconds
LINES_SHOWN = 12


class Broken(Exception):
    """A test cannot be built or run; the text says why, over several lines."""


class Missing(Exception):
    """Something that a test needs is not there; the text says what."""


def processor_has(flags):
    """Whether this machine runs what the compiler makes with -m options."""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        features = re.search(r"^flags\s*:(.*)$", file.read(), re.MULTILINE)
    wanted = {flag[2:] for flag in flags if flag.startswith("-mavx")}
    return wanted <= set(features[1].split() if features else ())


def limit_processor_time(seconds):
    """In a child before its program starts. Else a compiler that hangs would go on when its driver is ended."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def execute(command, limit, **environment):
    """Run a program to its end. (status, output, errors); the status of one that is not done in time is None."""
    try:
        done = subprocess.run(
            [str(word) for word in command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=limit, check=False, env={**os.environ, "LC_ALL": "C", **environment},
            preexec_fn=lambda: limit_processor_time(limit),
        )
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode(errors="replace"), f"not done after {limit} s"
    except OSError as error:
        raise Missing(f"{command[0]}: {error.strerror}") from None
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


@dataclasses.dataclass
class Bench:
    compiler: str
    plugin: pathlib.Path
    folder: pathlib.Path

    def with_plugin(self, *options, bound=BOUND_SMALL):
        """The compiler's options for instrumented code."""
        words = [f"bound={bound}", *options]
        return [f"-fplugin={self.plugin}", *[f"-fplugin-arg-heddle-{word}" for word in words]]

    def language(self, source):
        """The compiler and the standard of a source."""
        if source.suffix == ".cc":
            return [re.sub(r"gcc(?=[^/]*$)", "g++", self.compiler), "-std=gnu++17"]
        return [self.compiler, "-std=gnu17"]

    def must(self, command):
        """Run a tool of the build."""
        status, _, errors = execute(command, COMPILE_LIMIT)
        if status != 0:
            raise Broken("\n".join([" ".join(map(str, command)), *errors.splitlines()[:LINES_SHOWN]]))
        return errors

    def compile(self, source, target, flags):
        self.must([*self.language(source), *FLAGS, "-I", HERE, "-I", ROOT, *flags, "-c", source, "-o", target])
        return target

    def support(self, *names):
        """The objects that no test changes: the harness's, and the stub of the tree."""
        folder = self.folder / "support"
        folder.mkdir(parents=True, exist_ok=True)
        objects = []
        for name in names:
            source = ROOT / "arch/x86_64/quantum.asm" if name == "quantum.asm" else HERE / name
            target = folder / f"{name}.o"
            if not target.exists():
                made = target.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
                if source.suffix == ".asm":
                    self.must(["nasm", "-f", "elf64", "-g", "-F", "dwarf", f"-I{ROOT}/", "-o", made, source])
                else:
                    options = ["-std=gnu17", *FLAGS, "-O1", "-fPIE", "-ffixed-r15", "-I", ROOT]
                    self.must([self.compiler, *options, "-c", source, "-o", made])
                made.rename(target)
            objects.append(target)
        return objects

    def link(self, target, objects, flags=()):
        position = ["-no-pie"] if "-fno-pie" in flags else ["-pie"]
        linker = re.sub(r"gcc(?=[^/]*$)", "g++", self.compiler)
        self.must([linker, *flags, *position, "-o", target, *objects, "-lm"])
        return target

    def build(self, name, flags, sources=(), rename=False):
        """A program of the tests: all sources, or some. `rename`: its code goes to a section of its own."""
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        objects = []
        for source in sources or PROGRAMS:
            objects.append(self.compile(source, folder / f"{source.name}.o", flags))
            if rename:
                parts = ("", ".unlikely", ".hot", ".startup", ".exit")
                words = [word for part in parts for word in ("--rename-section", f".text{part}=instrumented")]
                self.must(["objcopy", *words, objects[-1]])
        support = self.support("driver.c", "gap.c", "harness.c", "scramble.asm", "quantum.asm")
        return self.link(folder / "program", [*objects, *support], flags)


def results(program, *words, limit=RUN_LIMIT, **environment):
    """Run a program of the tests. ({(test, seed): [(checksum, checks), ...]}, complaints)"""
    status, output, errors = execute([program, *words], limit, **environment)
    found, complaints = {}, []
    for line in output.splitlines():
        fields = line.split()
        if fields[:1] == ["result"] and len(fields) == 5:
            found.setdefault((fields[1], fields[2]), []).append((fields[3], int(fields[4])))
        elif fields[:1] == ["wrong"]:
            complaints.append(line)
    if status is None:
        complaints.append(errors)
    elif status != 0 and not complaints:
        complaints.append(f"it ended with status {status}: {errors.strip()[-300:]}")
    return found, complaints


def differences(found, reference):
    """Sentences on results that are not those of the reference."""
    for key, (expected, *_) in reference.items():
        for number, (checksum, _) in enumerate(found.get(key, ())):
            if checksum != expected[0]:
                way = "in turns with others" if number else "alone"
                yield f"{key[0]}, seed {key[1]}, {way}: {checksum} instead of {expected[0]}"
