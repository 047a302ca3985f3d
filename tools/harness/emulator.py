"""QEMU: the machine, its firmware, and how it is started."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field

from . import disk, image, process, settings

PROGRAM = "qemu-system-x86_64"

# The value that the kernel writes to the exit device leaves QEMU as (value << 1) | 1.
EXIT_SUCCESS, EXIT_FAILURE, EXIT_PANIC = 33, 35, 37
EXIT_RESET = 0  # a triple fault, or a machine that was reset

FIRMWARES = ("bios", "uefi", "direct")
OWN_LOADER = "own loader"  # instead of GRUB, under the BIOS: for tests of unusual machines
# Texts after which nothing follows, and nothing ends the machine; and what has happened.
BOOT_FAILURES = {
    "!!!! X64 Exception": "the UEFI firmware crashed",
    "No bootable option or device was found": "the UEFI firmware found nothing to boot",
    image.FAILED: "GRUB could not load the kernel",
    "Failed to boot both default and fallback entries": "GRUB could not load the kernel",
}
X2APIC_SINCE = (9, 0, 0)  # the first QEMU whose TCG has it
PROCESSORS_WITHOUT_X2APIC = 255

UEFI_PLACES = (
    "/usr/share/ovmf/OVMF.fd",
    "/usr/share/OVMF/OVMF.fd",
    "/usr/share/edk2/ovmf/OVMF.fd",
    "/usr/share/edk2/x64/OVMF.4m.fd",
    "/usr/share/edk2-ovmf/x64/OVMF.fd",
    "/usr/share/qemu/ovmf-x86_64.bin",
    "/usr/share/qemu/OVMF.fd",
)


class EmulatorFailure(Exception):
    """The requested machine cannot be made; the text says why and what to do."""


@dataclass
class Machine:
    """A machine to boot. `processors` is a number or QEMU's whole -smp value, "72,sockets=3,cores=12,threads=2"."""

    processors: str = "64"
    memory: str = "1G"
    firmware: str = "bios"
    nodes: int = 1
    kernel: str = "build/kernel/heddle.elf"
    words: list = field(default_factory=list)
    accelerator: str = ""  # empty: KVM if it is real, else TCG
    image: str = ""  # boot this image unchanged, instead of one made of kernel and words
    stick: bool = False  # the image is a USB stick instead of a CD
    exit_device: bool = True  # else the kernel ends as on a real machine
    restarts: bool = False  # a reset restarts the machine instead of ending QEMU
    board: str = "q35"
    model: str = ""  # of the processors; empty: the one with most features, or the host's
    console: list = field(default_factory=lambda: ["-serial", "stdio"])
    tags: list = field(default_factory=list)  # for our own loader: see disk.make
    registers: list = field(default_factory=list)
    extra: list = field(default_factory=list)

    def processor_count(self):
        return settings.processors(self.processors)

    def describe(self):
        count = self.processor_count()
        layout = "" if self.processors == str(count) else f" ({self.processors})"
        parts = [f"{count} processor{'' if count == 1 else 's'}{layout}", self.memory, self.firmware]
        if self.nodes > 1:
            parts.append(f"{self.nodes} NUMA nodes")
        return ", ".join(parts)


def find_program():
    """The path of QEMU; the environment's QEMU takes precedence."""
    name = os.environ.get("QEMU", PROGRAM)
    found = shutil.which(name)
    if found is None:
        raise EmulatorFailure(f"{name} is not installed; `make setup` installs it")
    return found


def find_uefi():
    """The path of the UEFI firmware for QEMU; the environment's OVMF takes precedence."""
    places = [os.environ["OVMF"]] if os.environ.get("OVMF") else UEFI_PLACES
    for place in places:
        if os.path.exists(place):
            return place
    raise EmulatorFailure(
        f"no UEFI firmware found (looked at {', '.join(places)}); `make setup` installs it, or set OVMF=FILE"
    )


def version():
    """QEMU's version as a tuple of numbers."""
    text = subprocess.run([find_program(), "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"version (\d+)\.(\d+)\.(\d+)", text)
    if not found:
        raise EmulatorFailure(f"{find_program()} --version said no version")
    return tuple(int(number) for number in found.groups())


def has_kvm():
    """Whether KVM is real here: /dev/kvm may exist on a machine that emulates each instruction for it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            flags = re.search(r"^flags\s*:(.*)$", file.read(), re.MULTILINE)
    except OSError:
        return False
    return bool(flags) and bool({"vmx", "svm"} & set(flags[1].split())) and os.access("/dev/kvm", os.R_OK | os.W_OK)


def share(total, parts):
    """`total` in `parts` portions that differ by at most one."""
    return [total // parts + (1 if part < total % parts else 0) for part in range(parts)]


def topology(machine):
    """The options for processors, memory and NUMA nodes."""
    count = machine.processor_count()
    memory = settings.mebibytes(machine.memory)
    processors = machine.processors
    if machine.nodes == 1:
        return ["-smp", processors, "-m", f"{memory}M"]
    if machine.nodes > count:
        settings.refuse("NODES", machine.nodes, f"{machine.nodes} nodes need at least as many processors, not {count}")
    if processors == str(count) and count % machine.nodes == 0:
        processors = f"{count},sockets={machine.nodes},cores={count // machine.nodes}"
    options = ["-smp", processors, "-m", f"{memory}M"]
    first = 0
    for node, (members, size) in enumerate(zip(share(count, machine.nodes), share(memory, machine.nodes))):
        options += ["-object", f"memory-backend-ram,id=memory{node},size={size}M"]
        options += ["-numa", f"node,nodeid={node},cpus={first}-{first + members - 1},memdev=memory{node}"]
        first += members
    for source in range(machine.nodes):
        for target in range(machine.nodes):
            if source != target:
                distance = 10 + 10 * abs(source - target)
                options += ["-numa", f"dist,src={source},dst={target},val={distance}"]
    return options


def check_x2apic(count, accelerator):
    """Processors that an 8-bit identifier cannot distinguish need x2APIC, which KVM has always had."""
    if count > PROCESSORS_WITHOUT_X2APIC and accelerator != "kvm" and version() < X2APIC_SINCE:
        found = ".".join(map(str, version()))
        settings.refuse("SMP", count, f"at most {PROCESSORS_WITHOUT_X2APIC} with this QEMU ({found} has no x2APIC)")


def medium(machine, folder):
    """The options that load the kernel."""
    if machine.firmware == "direct":
        return ["-kernel", machine.kernel, "-append", " ".join(machine.words)]
    if machine.firmware == OWN_LOADER:
        path = disk.cached(machine.kernel, machine.words, folder, machine.tags, machine.registers)
        return ["-drive", f"format=raw,snapshot=on,file={path}"]
    path = machine.image or image.cached(machine.kernel, machine.words, folder)
    if machine.stick:
        return ["-drive", f"if=none,id=stick,format=raw,readonly=on,file={path}",
                "-device", "qemu-xhci", "-device", "usb-storage,drive=stick,removable=on"]
    return ["-cdrom", path]


def hardware(machine):
    """The options for the machine itself, with its console on standard output."""
    accelerator = machine.accelerator or ("kvm" if has_kvm() else "tcg,thread=multi")
    check_x2apic(machine.processor_count(), accelerator)
    # -monitor: under TCG, MWAIT is a busy loop, and firmware parks processors in it.
    model = machine.model or ("host" if accelerator == "kvm" else "max,-monitor")
    options = [find_program(), "-machine", machine.board, "-accel", accelerator, "-cpu", model]
    options += topology(machine)
    options += ["-nodefaults", "-display", "none", *machine.console]
    if not machine.restarts:
        options += ["-no-reboot"]
    if machine.exit_device:
        options += ["-device", "isa-debug-exit,iobase=0xf4,iosize=4"]
    return options


def command(machine, folder="build/images"):
    """The command that boots the machine."""
    settings.one_of("FIRMWARE", machine.firmware, (*FIRMWARES, OWN_LOADER))
    image.check_kernel(machine.kernel)
    options = hardware(machine)
    if machine.firmware == "uefi":
        options += ["-bios", find_uefi()]
    return options + medium(machine, folder) + machine.extra


def follow(command_words, timeout, on_line=None, on_silence=None):
    """process.follow() for QEMU. It ends at once if the boot has failed (BOOT_FAILURES)."""

    def look(line):
        return any(words in line for words in BOOT_FAILURES) or (on_line is not None and on_line(line))

    return process.follow(command_words, timeout, look, on_silence=on_silence)
