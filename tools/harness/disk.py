"""Disk images with our own loader (loader.asm) instead of GRUB: for emulators in which GRUB does not start, and for
machines with a test's own firmware tables."""

import hashlib
import os
import shutil
import struct
import subprocess
import tempfile

from . import image

LOADER = "tools/harness/loader.asm"
SECTOR = 512
PIECE = 32 * SECTOR  # the loader reads this many bytes at a time
CYLINDER = 16 * 63 * SECTOR  # emulators require whole ones
LOADER_BASE_SECTORS = 4  # without the tags

LOADED, PHYSICAL, IN_FILE, IN_MEMORY = 1, 3, 4, 5  # p_type and places of a program header's numbers
TAG_COMMAND_LINE, TAG_NAME = 1, 2


def padded(data, unit):
    return data + bytes(-len(data) % unit)


def tag(kind, content):
    """A tag of the boot information."""
    return padded(struct.pack("<II", kind, 8 + len(content)) + content, 8)


def tags(words, extra):
    """The tags that do not depend on the machine."""
    made = tag(TAG_COMMAND_LINE, " ".join(words).encode("ascii") + b"\0") + tag(TAG_NAME, b"our own\0")
    return made + b"".join(tag(kind, content) for kind, content in extra)


def flatten(path):
    """A kernel as it is in memory: address, bytes, how much cleared memory follows, entry."""
    with open(path, "rb") as file:
        data = file.read()
    entry, table = struct.unpack_from("<QQ", data, 24)
    size, count = struct.unpack_from("<HH", data, 54)
    headers = [struct.unpack_from("<IIQQQQQQ", data, table + size * number) for number in range(count)]
    # type, flags, offset, virtual address, physical address, bytes in the file, bytes in memory, alignment
    loaded = [header for header in headers if header[0] == LOADED and header[6] > 0]
    low = min(header[4] for header in loaded)
    end = max(header[4] + header[5] for header in loaded if header[5])
    high = max(header[4] + header[6] for header in loaded)
    flat = bytearray(end - low)
    for _, _, offset, _, address, length, _, _ in loaded:
        flat[address - low : address - low + length] = data[offset : offset + length]
    return low, bytes(flat), high - end, entry


def make(kernel, words, output, extra=(), registers=()):
    """Write an image that boots `kernel` with the command line `words`. `extra` are tags of the boot information, as
    pairs of type and content; `registers` are model-specific registers to set first, as pairs of number and value."""
    image.check_kernel(kernel)
    nasm = shutil.which("nasm")
    if nasm is None:
        raise image.ImageFailure("nasm is not installed; `make setup` installs it")
    address, flat, cleared, entry = flatten(kernel)
    made_tags = tags(words, extra)
    made_registers = b"".join(struct.pack("<IQ", number, value) for number, value in registers)
    sectors = LOADER_BASE_SECTORS + (len(made_tags) + len(made_registers) + SECTOR - 1) // SECTOR
    os.makedirs(os.path.dirname(output) or ".", exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(output) or ".") as folder:
        files = {}
        contents = (("KERNEL", padded(flat, PIECE)), ("TAGS", made_tags), ("REGISTERS", made_registers))
        for name, content in contents:
            files[name] = os.path.join(folder, name.lower())
            with open(files[name], "wb") as file:
                file.write(content)
        numbers = {
            "LOADER_SECTORS": sectors, "KERNEL_ADDRESS": address, "KERNEL_BYTES": len(flat),
            "KERNEL_ZERO": address + len(flat), "KERNEL_ZERO_BYTES": cleared, "KERNEL_ENTRY": entry,
        }
        made = os.path.join(folder, "disk")
        command = [nasm, "-f", "bin", *[f"-D{name}={value}" for name, value in numbers.items()],
                   *[f"-D{name}=\"{path}\"" for name, path in files.items()], "-o", made, LOADER]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise image.ImageFailure(f"the loader could not be assembled:\n{done.stderr.strip()}")
        with open(made, "ab") as file:
            file.write(bytes(-file.tell() % CYLINDER))
        os.replace(made, output)
    return output


def cached(kernel, words, folder, extra=(), registers=()):
    """The same in `folder`; it is made only if it does not exist yet."""
    digest = hashlib.sha256(repr((words, extra, registers)).encode())
    for path in (kernel, LOADER):
        with open(path, "rb") as file:
            digest.update(file.read())
    path = os.path.join(folder, digest.hexdigest()[:24] + image.SUFFIX)
    if not os.path.exists(path):
        make(kernel, words, path, extra, registers)
        image.forget_old(folder)
    return path
