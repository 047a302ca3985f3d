"""Bochs: the second emulator. It is slow and exact, and checks what QEMU's translator omits, such as writes to
accessed bits of descriptors, alignment, reserved bits, and the contents of registers after a reset."""

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field

from . import disk, explain, process, settings

PROGRAM = "bochs"
MODELS = ("corei7_skylake_x", "ryzen")
BIOS, VIDEO_BIOS = "/usr/share/bochs/BIOS-bochs-latest", "/usr/share/bochs/VGABIOS-lgpl-latest"
# The rate of its time-stamp counter. Its BIOS waits for seconds, and the kernel rejects slower counters.
INSTRUCTIONS_A_SECOND = 120_000_000

POWER_OFF = "ACPI control: soft power off"  # printed when the kernel has switched the machine off
ENDING = "Bochs is exiting with the following message:"
# It offers its screen on a port. Two that start at the same moment may choose the same port, and then one of them
# ends.
NO_PORT, STARTS = "could not bind any port", 5
PATIENCE = 10.0  # seconds without output from a machine that has panicked


class BochsFailure(Exception):
    """Bochs cannot be started; the text says why and what to do."""


@dataclass
class Machine:
    """A machine to boot."""

    processors: int = 4
    model: str = MODELS[0]
    memory: int = 256  # MiB
    kernel: str = "build/kernel/heddle.elf"
    words: list = field(default_factory=list)
    tags: list = field(default_factory=list)  # of the boot information, beside the usual ones (disk.make)
    registers: list = field(default_factory=list)  # model-specific ones, as firmware may leave them (disk.make)
    extra: list = field(default_factory=list)  # lines of the configuration

    def describe(self):
        return f"{self.processors} processor{'' if self.processors == 1 else 's'}, {self.model}"


def models():
    """The processors that Bochs supports."""
    check()
    done = subprocess.run([PROGRAM, "--help", "cpu"], capture_output=True, text=True, check=False)
    return re.findall(r"^([a-z][a-z0-9_]+)$", done.stdout + done.stderr, re.MULTILINE)


def configuration(machine, image, log):
    """Bochs's configuration."""
    lines = [
        "config_interface: textconfig",
        'display_library: rfb, options="timeout=0"',
        f"cpu: count={machine.processors}, model={machine.model}, ips={INSTRUCTIONS_A_SECOND}",
        f"megs: {machine.memory}",
        f"romimage: file={BIOS}",
        f"vgaromimage: file={VIDEO_BIOS}",
        f"ata0-master: type=disk, path={image}, mode=flat, cylinders=0",
        "boot: disk",
        "com1: enabled=1, mode=file, dev=/dev/stdout",
        "clock: sync=none",
        # Without sound, which needs what the host may not have.
        "plugin_ctrl: speaker=0, gameport=0, parallel=0",
        "sound: driver=dummy",
        f"log: {log}",
        "panic: action=fatal",
        *machine.extra,
    ]
    return "\n".join(lines) + "\n"


def check():
    settings.one_of("MODEL", MODELS[0], MODELS)
    if shutil.which(PROGRAM) is None:
        raise BochsFailure(f"{PROGRAM} is not installed; `make setup` installs it")
    for path in (BIOS, VIDEO_BIOS):
        if not os.path.exists(path):
            raise BochsFailure(f"{path} is not there; `make setup` installs it")


class Watcher:
    """Sees each line, and ends a machine that has finished without switching itself off."""

    def __init__(self, on_line):
        self.on_line, self.panicked = on_line, False

    def line(self, line):
        self.panicked = self.panicked or "panic: " in line
        return explain.THE_END in line or (self.on_line is not None and self.on_line(line))

    def silence(self, seconds):
        del seconds
        return self.panicked


def follow(machine, timeout, on_line=None):
    """Boot the machine and follow its serial line, as process.follow() does."""
    check()
    with tempfile.TemporaryDirectory() as folder:
        image, log, settings_file, commands = (os.path.join(folder, name) for name in ("disk", "log", "rc", "commands"))
        disk.make(machine.kernel, machine.words, image, machine.tags, machine.registers)
        with open(settings_file, "w", encoding="ascii") as file:
            file.write(configuration(machine, image, log))
        with open(commands, "w", encoding="ascii") as file:
            file.write("c\n")  # its debugger waits for that
        command = [PROGRAM, "-q", "-unlock", "-f", settings_file, "-rc", commands]
        for _ in range(STARTS):
            watcher = Watcher(on_line)
            outcome = process.follow(command, timeout, watcher.line, on_silence=watcher.silence, silence=PATIENCE)
            if NO_PORT not in outcome.errors:
                break
        return outcome


def explain_end(outcome):
    """Sentences on how Bochs ended; empty if the kernel switched the machine off, as it does on success."""
    lines, said = list(outcome.lines), outcome.errors.splitlines()
    if outcome.status is None:
        return [f"{PROGRAM} could not be started: {outcome.errors}"]
    if any(POWER_OFF in line for line in said):
        return []
    if any("panic: " in line for line in lines):
        return ["the kernel panicked:", *explain.panic_report(outcome)]
    if any(explain.THE_END in line for line in lines):
        return ["the kernel reported a failure:", *explain.failure_reasons(outcome)]
    if outcome.timed_out:
        return explain.time_out(outcome)
    if ENDING in said:
        reason = said[said.index(ENDING) + 1]
        return [f"Bochs ended: {reason}. The last lines were:", *explain.last_lines(outcome)]
    said = [f"    {line}" for line in said[-explain.LAST_LINES:]]
    return [f"Bochs itself failed (exit code {outcome.status}):", *said, *explain.last_lines(outcome)]
