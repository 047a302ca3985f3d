"""A traced run, hosted or in QEMU, and the bytes of its trace: from a file that the process maps, or from the
machine's memory, which QEMU keeps in a file. So nothing is sent, and the trace of a run that crashed or hung is read
as well."""

import contextlib
import os
import re
import tempfile

from harness import emulator, explain, process, settings

from . import area

SAID = re.compile(r"trace: (\d+) bytes at 0x([0-9a-f]+)$")
SIZE_EMULATED = 8192  # events per processor: many processors are emulated
SHARED_MEMORY = "/dev/shm"

# Where QEMU's q35 has memory (hw/i386/pc_q35.c): with this much or more, only that part is below 4 GiB.
LOW_WHOLE, LOW_SPLIT, HIGH = 0xb0000000, 0x80000000, 1 << 32


def file_offset(address, memory):
    """Where an address of the machine is in the file of its memory."""
    low = LOW_SPLIT if memory >= LOW_WHOLE else memory
    if address < low:
        return address
    if address >= HIGH:
        return address - HIGH + low
    raise area.BadTrace(f"the machine has no memory at {address:#x}, where it said that the trace is")


def trace_word(words, file="", size=None):
    """The word trace=, from the user's if there is one."""
    given = [word for word in words if word.startswith("trace=")]
    word = given[-1] if given else "trace=on"
    if size and "size=" not in word:
        word += f",size={size}"
    return word + (f",file={file}" if file else "")


def without_trace(words):
    return [word for word in words if not word.startswith("trace=")]


@contextlib.contextmanager
def scratch_file():
    folder = SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else None
    handle, path = tempfile.mkstemp(prefix="heddle-", dir=folder)
    os.close(handle)
    try:
        yield path
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


def read_part(path, offset, length):
    with open(path, "rb") as file:
        file.seek(offset)
        return file.read(length)


def run_hosted(binary, processors, words, timeout, on_line):
    """The outcome, sentences about it, and the trace's bytes; None: there are none."""
    with scratch_file() as path:
        os.unlink(path)
        command = [binary, f"processors={processors}", trace_word(words, file=path), *without_trace(words)]
        outcome = process.follow(command, timeout, on_line, on_line)
        data = read_part(path, 0, -1) if os.path.exists(path) else None
    return outcome, explain.explain_hosted(outcome), data


def run_emulated(machine, timeout, on_line):
    """The same in QEMU; machine.words are those of the command line."""
    if machine.nodes != 1:
        settings.refuse("NODES", machine.nodes, "a machine whose memory is read has one")
    memory = settings.mebibytes(machine.memory) << 20
    place = []

    def look(line):
        found = SAID.search(line)
        if found:
            place[:] = [int(found[2], 16), int(found[1])]
        return on_line(line)

    machine.words = [trace_word(machine.words, size=SIZE_EMULATED), *without_trace(machine.words)]
    with scratch_file() as path:
        machine.extra += ["-object", f"memory-backend-file,id=memory,size={memory},mem-path={path},share=on",
                          "-machine", "memory-backend=memory"]
        outcome = emulator.follow(emulator.command(machine), timeout, look)
        data = read_part(path, file_offset(place[0], memory), place[1]) if place else None
    return outcome, explain.explain_emulator(outcome), data
