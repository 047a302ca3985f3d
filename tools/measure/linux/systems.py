"""Heddle and Linux, each on the same emulated machine: the command that boots them, and the meaning of their end."""

import os
import re
from dataclasses import dataclass

from harness import emulator, explain

MEMORY = "1G"
# `single`: the processors take turns in one thread. `multi`, with 64 processors on a few real ones, would measure the
# host.
ACCELERATOR = "tcg,thread=single"
# Linux must calibrate, check and protect less than by default, and is silent: its boot is not measured, and
# protection against other users of a real processor is left out.
LINUX_WORDS = (
    "console=ttyS0 quiet panic=-1 tsc=reliable mitigations=off nowatchdog random.trust_cpu=on cryptomgr.notests "
    "no_timer_check"
)
PANIC = re.compile(r"Kernel panic - not syncing: .*")


@dataclass
class System:
    """`name` is heddle or linux; `files` are its kernel and, for Linux, the archive of its initial file system."""

    name: str
    files: list
    exits: tuple = (emulator.EXIT_SUCCESS, emulator.EXIT_FAILURE)  # of a machine that has run all programs

    def machine(self, processors):
        # KVM, if it is real, has its own clock and its own way to take turns.
        accelerator = "kvm" if emulator.has_kvm() else ACCELERATOR
        return emulator.Machine(
            processors=str(processors), memory=MEMORY, firmware="direct", kernel=self.files[0], accelerator=accelerator
        )

    def command(self, processors, programs):
        """QEMU with the programs, given as the words of run=."""
        machine = self.machine(processors)
        if self.name == "heddle":
            machine.words = [f"run={program}" for program in programs]
            return emulator.command(machine)
        words = f"{LINUX_WORDS} -- {' '.join(programs)}"
        return [*emulator.hardware(machine), "-kernel", self.files[0], "-initrd", self.files[1], "-append", words]

    def describe(self, processors):
        command = emulator.hardware(self.machine(processors))
        return f"QEMU {command[command.index('-accel') + 1]}, {self.machine(processors).describe()}"

    def complaint(self, outcome):
        """A sentence on a machine that did not end as it should; empty if it ran all of its programs, even if some
        failed."""
        for line in outcome.lines:
            found = PANIC.search(line)
            if found:
                return f"the kernel of {self.name} panicked: {found[0]}"
        if outcome.status in self.exits and not outcome.timed_out:
            return ""
        sentences = explain.explain_emulator(outcome)
        return " ".join(sentence.strip() for sentence in sentences[:2]) if sentences else ""


