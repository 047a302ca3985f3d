"""Plug-ins for QEMU: built from a C file; and the symbols of a kernel for their addresses."""

import bisect
import contextlib
import os
import subprocess
import threading

from . import emulator


@contextlib.contextmanager
def named_when_whole(path):
    """The name under which to write a file. Others may write or read it at the same time, so it is whole whenever it
    has its own."""
    unnamed = f"{path}.{os.getpid()}-{threading.get_ident()}"
    yield unnamed
    os.replace(unnamed, path)


def build(source, folder, *more):
    """Compile a plug-in, named like its first source, into `folder`; returns the library's path. Its interface is
    declared in tools/measure/instructions."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, os.path.splitext(os.path.basename(source))[0] + ".so")
    # Version 1 of the interface is QEMU 6.0 to 8.1; version 2 came with 8.2, and QEMU 10 still accepts it.
    version = 1 if emulator.version() < (8, 2, 0) else 2
    command = [
        "gcc", "-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", f"-DPLUGIN_VERSION={version}",
        "-pthread", "-Itools/measure/instructions", source, *more,
    ]
    with named_when_whole(path) as unnamed:
        subprocess.run([*command, "-o", unnamed], check=True)
    return path


class Symbols:
    """The symbols of a kernel, by address."""

    def __init__(self, kernel):
        lines = subprocess.run(["nm", "-n", kernel], capture_output=True, text=True, check=True).stdout.splitlines()
        found = [line.split() for line in lines if len(line.split()) == 3]
        self.by_name = {name: int(address, 16) for address, _, name in found}
        # Absolute symbols mark places; they are not functions.
        functions = [(int(address, 16), name) for address, kind, name in found if kind.upper() != "A"]
        self.addresses = [address for address, _ in functions]
        self.names = [name for _, name in functions]

    def address(self, name):
        """The address of a symbol; emulator.EmulatorFailure if the kernel has none of that name."""
        if name not in self.by_name:
            raise emulator.EmulatorFailure(f"the kernel has no symbol {name}")
        return self.by_name[name]

    def extent(self, name):
        """Where a function begins, and where the next one begins."""
        begin = self.address(name)
        place = bisect.bisect_right(self.addresses, begin)
        return begin, self.addresses[place] if place < len(self.addresses) else begin + 1

    def name(self, address):
        """The function that contains an address."""
        place = bisect.bisect_right(self.addresses, address) - 1
        return self.names[place].split(".")[0] if place >= 0 else "?"

    def place(self, address):
        """The same with the distance from its start."""
        place = bisect.bisect_right(self.addresses, address) - 1
        return f"{self.names[place]}+0x{address - self.addresses[place]:x}" if place >= 0 else "?"
