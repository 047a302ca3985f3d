"""The first inputs of the fuzzers: for each target some realistic inputs, and its words."""

import struct


def number(value, size):
    return (value & (1 << 8 * size) - 1).to_bytes(size, "little")


# ----------------------------------------------------------------------------------------------- ACPI
# targets/acpi.c describes the form.

KINDS = ("APIC", "SRAT", "SLIT", "HPET", "FACP", "DSDT", "SSDT", "XXXX", "SPCR")


def acpi_input(*tables, options=0, running=0, shifts=(0, 0)):
    return bytes([options, running, *shifts]) + b"".join(tables)


def table(kind, content, options=0, revision=3):
    return bytes([KINDS.index(kind), options, revision]) + number(len(content), 2) + content


def entry(kind, content):
    return bytes([kind, 2 + len(content)]) + content


def processors(*identifiers, routers=1):
    """MADT: each processor with a narrow identifier, every third also with a wide one; interrupt routers."""
    entries = [entry(0, bytes([at, identifier]) + number(1, 4)) for at, identifier in enumerate(identifiers)]
    entries += [entry(9, number(0, 2) + number(identifier, 4) + number(1, 4) + number(0, 4))
                for identifier in identifiers[::3]]
    entries += [entry(1, b"\0\0" + number(0xFEC00000 + at, 4) + number(0, 4)) for at in range(routers)]
    entries += [entry(5, b"\0\0" + number(0xFEE00000, 8))]
    return table("APIC", number(0xFEE00000, 4) + number(1, 4) + b"".join(entries))


def affinity(domains, ranges):
    """SRAT: processors with narrow and wide identifiers, and memory."""
    entries = [entry(0, bytes([domain, identifier]) + number(1, 4) + number(0, 8))
               for identifier, domain in enumerate(domains)]
    entries += [entry(2, number(0, 2) + number(domain, 4) + number(identifier + 256, 4) + number(1, 4) + number(0, 8))
                for identifier, domain in enumerate(domains)]
    entries += [entry(1, number(domain, 4) + number(0, 2) + number(base, 8) + number(length, 8) + number(0, 4)
                      + number(1, 4) + number(0, 8)) for domain, base, length in ranges]
    return table("SRAT", number(1, 4) + number(0, 8) + b"".join(entries))


def distances(count, missing=0):
    matrix = bytes(10 if row == column else 20 for row in range(count) for column in range(count))
    return table("SLIT", number(count, 8) + matrix[: count * count - missing])


def power(definition=0x500000):
    fields = bytearray(244 - 36)
    for offset, value, size in ((40, definition, 4), (48, 0xB2, 4), (52, 2, 1), (64, 0x604, 4), (76, 0x608, 4),
                                (112, 0x100, 4), (172, 1, 1), (176, 0x604, 8), (208, 1, 1), (212, 0x608, 8)):
        fields[offset - 36 : offset - 36 + size] = number(value, size)
    return table("FACP", bytes(fields))


def definition(kind="DSDT"):
    """The package _S5_, in byte code: Name (_S5_, Package (4) {5, 5, 0, 0})."""
    return table(kind, b"\x10\x20\\\0" + b"\x08_S5_\x12\x08\x04\x0a\x05\x0a\x05\x00\x00"
                 + b"\x08_S5_\x12\x41\x00\x02\x0b\1\0\1")


EVENT_TIMER = table("HPET", number(0x8086A201, 4) + bytes([0, 64, 0, 0]) + number(0xFED00000, 8) + bytes(4))


def acpi():
    nodes = affinity([0, 0, 1, 1], [(0, 0, 0xA0000), (0, 0x100000, 0x10000000), (1, 0x20000000, 0x10000000)])
    everything = (processors(0, 1, 2, 3), nodes, distances(2), EVENT_TIMER, power(), definition(), definition("SSDT"))
    yield acpi_input(*everything, shifts=(0, 1))
    yield acpi_input(*everything, options=1)
    yield acpi_input(processors(*range(100)), distances(3, missing=1))
    # More than fit: interrupt routers, nodes, ranges of memory.
    yield acpi_input(processors(0, routers=70))
    yield acpi_input(processors(0, 4), affinity([7] * 20, [(at % 70, at << 30, 1 << 30) for at in range(260)]),
                     distances(40), shifts=(1, 4), running=4)
    yield acpi_input(table("APIC", number(50, 4) + bytes(60), options=2), definition())
    for interface, space, address in ((0x12, 1, 0x3F8), (0, 0, 0xFE030000)):
        yield acpi_input(table("SPCR", struct.pack("<B3xBBBBQ6xB21x", interface, space, 8, 0, 1, address, 7)))
    yield acpi_input(definition(), *(table("XXXX", b"abc", options=choice) for choice in (1, 4, 2)), options=8)


# ------------------------------------------------------------------------------------------ multiboot2


def tag(kind, content):
    return number(kind, 4) + number(8 + len(content), 4) + content + bytes(-len(content) % 8)


def information(*tags):
    """The second word should be 0; another value makes the target correct the length."""
    content = b"".join(tags) + tag(0, b"")
    return number(8 + len(content), 4) + number(1, 4) + content


def memory_map(*entries, size=24):
    return tag(6, number(size, 4) + number(0, 4) + b"".join(
        struct.pack("<QQII", base, length, kind, 0) + bytes(size - 24) for base, length, kind in entries))


ORDINARY_MAP = ((0, 0x9FC00, 1), (0x9FC00, 0x400, 2), (0x100000, 0x3FEE0000, 1), (0xFFFC0000, 0x40000, 2))


def framebuffer(kind=1, depth=32, width=1024, colours=(16, 8, 8, 8, 0, 8)):
    return tag(8, number(0xFD000000, 8) + number(width * depth // 8, 4) + number(width, 4) + number(768, 4)
               + bytes([depth, kind, 0, 0]) + bytes(colours))


def multiboot2():
    line, name = tag(1, b"run=switch seed=2\0"), tag(2, b"GRUB 2.06\0")
    module = tag(3, number(0x200000, 4) + number(0x201000, 4) + b"module\0")
    root = b"RSD PTR " + bytes(28)
    yield information(line, name, module, memory_map(*ORDINARY_MAP), framebuffer(), tag(14, root[:20]), tag(15, root))
    yield information(memory_map(*ORDINARY_MAP, size=40), framebuffer(kind=2, depth=16, width=80, colours=()))
    yield information(memory_map(*ORDINARY_MAP), framebuffer(depth=15))
    # More regions than fit, some of them divided.
    yield information(memory_map(*((page << 14, 0x3000, 1) for page in range(1, 260)), (0x9000, 0x1000, 2)))
    yield information(memory_map((0, (1 << 64) - 1, 1), ((1 << 64) - 4096, 8192, 2)), tag(1, b"x" * 5000))


# ------------------------------------------------------------------------------------------------- PVH
# Addresses count from the start of the input (targets/pvh.c).


def start_information(modules, entries, line, version=1):
    head = 56
    map_at = head + 32 * len(modules)
    line_at = map_at + 24 * len(entries)
    root_at = line_at + len(line) + 1
    fields = struct.pack("<IIIIQQQQII", 0x336EC578, version, 0, len(modules), head, line_at, root_at, map_at,
                         len(entries), 0)
    return (fields + b"".join(struct.pack("<QQQQ", base, length, 0, 0) for base, length in modules)
            + b"".join(struct.pack("<QQII", base, length, kind, 0) for base, length, kind in entries)
            + line + b"\0" + b"RSD PTR " + bytes(28))


def pvh():
    yield start_information([], ORDINARY_MAP, b"run=switch")
    yield start_information([(0x200000, 4096), (0x300001, 1)], ORDINARY_MAP[::-1], b"")
    yield start_information([(0, 1 << 63)], [(page << 13, 0x1800, 1) for page in range(300)], b"a" * 100)
    yield start_information([], ORDINARY_MAP, b"", version=0)


# ------------------------------------------------------------------------------------- a log in memory
# targets/log_record.c describes the form.

FIRST, LAST, MARK = 1, 2, 4
ALL_RIGHT, SECOND_ROUND = 7, 8


def slot(kind, text, run=1, position=0):
    return struct.pack("<IIQBB46s", 0, run, position, kind, len(text), text)


def log_record():
    line = [slot(FIRST, b"a" * 46), slot(0, b"b" * 46), slot(LAST, b"c")]
    short = slot(FIRST | LAST, b"short")
    for options in (ALL_RIGHT, ALL_RIGHT + SECOND_ROUND):
        for room in (0, 16, 40, 255):
            yield bytes([options, room]) + b"".join([*line, short, slot(MARK, b"\2"), *line[:2]])
            torn = [line[2], short, line[0], slot(8, b""), line[2], short, *line[:2]]
            yield bytes([options, room]) + b"".join(torn)
    yield bytes([1, 255]) + b"".join([slot(FIRST, b"x", 5, 0), slot(LAST, b"y", 5, 1), slot(MARK, b"\0", 4, 5)])
    yield bytes([0, 0]) + bytes(64)


# ---------------------------------------------------------------------------------------------- words


def command_line():
    yield b"run=switch,tasks=10 processors=4 sched=local seed=18446744073709551615"
    yield b" quantum=50000\textension=0\nchain=64 linger=0 colour=off plain=on watchdog=10 memory=64"
    yield b"end=halt log=debug "
    yield b"fail=3+ fault=machine safe=on performance=on idle=monitor serial=0x2f8,9600 end=reboot"
    yield b"list help"
    yield b"run=x " * 65
    yield b"trace=paused,size=4096,events=waits+idle,file=x"
    yield b"colour=red"


def program():
    yield b"plain"
    yield b"plain," + b"x" * 1000
    yield b"counts,tasks=10k,rounds=18446744073709551615,t=5"
    yield b"counts,threads=1M,rounds=0"
    yield b"chooses,lock=dispatch,one=word"
    yield b"chooses,variant=in"
    yield b"most,a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8,i=9,j=0,k=1,l=2,m=3,n=4,o=5,p=z"
    yield b"counts,tasks=99999999999999999999G"


DICTIONARIES = {
    "acpi": ["_S5_", "\\x12", "\\x0a", "\\xff\\xff\\xff\\xff"],
    "multiboot2": ["\\x06\\x00\\x00\\x00", "\\x08\\x00\\x00\\x00", "\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff"],
    "pvh": ["\\x78\\xc5\\x6e\\x33", "\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff"],
    "log_record": ["\\x01\\x00\\x00\\x00", "\\xff\\xff\\xff\\x7f", "\\x03\\x2e", "\\x04\\x01"],
    "command_line": ["run=", "processors=", "sched=", "global", "local", "seed=", "log=", "error", "warning", "info",
                     "debug", "quantum=", "extension=", "chain=", "linger=", "colour=", "off", "on", "plain=",
                     "watchdog=", "memory=", "fail=", "fault=", "safe=", "performance=", "idle=", "auto", "monitor",
                     "serial=", "com1", "pci", "0x3f8", "9600", "end=", "halt", "reboot", "list", "help", "trace=",
                     "paused", ",size=", ",events=", "waits", "+idle", ",file="],
    "program": ["plain", "counts", "chooses", "most", "tasks=", "threads=", "rounds=", "lock=", "variant=", "one=",
                "exchange", "dispatch", "word", "k", "M", "G", ","],
}
SEEDS = {"acpi": acpi, "multiboot2": multiboot2, "pvh": pvh, "log_record": log_record, "command_line": command_line,
         "program": program}
