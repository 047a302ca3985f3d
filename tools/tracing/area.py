"""What a traced machine leaves in memory (sched/trace.h): events, kinds of objects that tasks wait for, task
names."""

import struct
from dataclasses import dataclass, field

MAGIC = 0x6563617274646568
VERSION = 1
KINDS = 64
NAMES = 16384

HEADER = struct.Struct("<QII5Q6QQ")
KIND = struct.Struct("<Q40s")
NAME = struct.Struct("<II24s")
RING = struct.Struct("<4Q")
EVENT = struct.Struct("<QQ")

(SWITCH, WAIT, GRANT, GRANT_LEFT, EXPIRE, REVOKE, ACQUIRE, RELEASE, CREATE, END, HALT, RUN, WAKE, TAKE) = range(1, 15)
EVENT_NAMES = ("nothing", "switch", "wait", "grant", "grant by the task before", "expire", "revoke", "acquire",
               "release", "create", "end", "halt", "run", "wake", "take")

CYCLES_BITS = 48


class BadTrace(Exception):
    """The bytes are not a trace, or not a complete one: a sentence."""


@dataclass(frozen=True)
class Event:
    time: int  # nanoseconds
    processor: int
    kind: int
    number: int
    place: int


@dataclass
class Ring:
    written: int  # events in all
    kept: int  # of these, the newest
    idle_task: int

    def lost(self):
        return self.written - self.kept


@dataclass
class Trace:
    rings: list = field(default_factory=list)
    events: list = field(default_factory=list)  # of all processors, in the order of time
    kinds: dict = field(default_factory=dict)  # number: text
    names: dict = field(default_factory=dict)  # task's number: (name, whether it has always had that name)
    untold: int = 0
    finished: bool = False  # the run came to its end

    def lost(self):
        return sum(ring.lost() for ring in self.rings)


def text(raw):
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace")


class Clock:
    """Converts cycle counters to nanoseconds since the boot."""

    def __init__(self, start, soon, end):
        self.start = start
        other = end if end[0] else soon
        cycles, nanoseconds = other[0] - start[0], other[1] - start[1]
        if cycles <= 0 or nanoseconds <= 0:
            raise BadTrace("its clock stands still: the machine stopped before it was measured")
        self.rate = nanoseconds / cycles

    def nanoseconds(self, cycles):
        since = (cycles - self.start[0]) % (1 << CYCLES_BITS)
        if since >> (CYCLES_BITS - 1):  # counters of processors differ a little
            since -= 1 << CYCLES_BITS
        return self.start[1] + round(since * self.rate)


def need(data, length, what):
    if len(data) < length:
        raise BadTrace(f"it is cut: it has {len(data)} bytes, and {what} ends at {length}")


def read_ring(data, place, index, events_at, size):
    """The ring, and (cycles, kind, number, place) of each event that it still has."""
    written, ring_size, ahead, idle_task = RING.unpack_from(data, place)
    if ring_size != size:
        raise BadTrace(f"the ring of processor {index} says that it has {ring_size} events, all have {size}")
    # The slot of the next event may be half written (sched/trace_ring.h).
    kept = written if written < size else size - 1
    found = []
    for position in range(written - kept, written):
        when, what = EVENT.unpack_from(data, events_at + position % size * EVENT.size)
        number = (when & 0xfff) << 16 | what >> 48
        found.append(((when >> 16) - ahead, when >> 12 & 15, number, what & 0xffffffffffff))
    return Ring(written, kept, idle_task), found


def read(data):
    """The trace in these bytes."""
    need(data, HEADER.size, "its beginning")
    (magic, version, processors, length, ring_offset, ring_bytes, size, event_offset, *moments,
     untold) = HEADER.unpack_from(data)
    if magic != MAGIC:
        raise BadTrace("it does not begin as a trace does")
    if version != VERSION:
        raise BadTrace(f"it is of version {version}, and this tool reads version {VERSION}: they are of two commits")
    need(data, length, "the last ring")
    start, soon, end = [tuple(moments[i : i + 2]) for i in (0, 2, 4)]
    trace = Trace(untold=untold, finished=end[0] != 0)
    clock = Clock(start, soon, end)
    at = HEADER.size
    for number in range(KINDS):
        key, raw = KIND.unpack_from(data, at + number * KIND.size)
        if key:
            trace.kinds[number] = text(raw)
    at += KINDS * KIND.size
    for number in range(NAMES):
        owner, changes, raw = NAME.unpack_from(data, at + number * NAME.size)
        if owner:
            trace.names[owner - 1] = text(raw), changes == 0
    for index in range(processors):
        ring, found = read_ring(data, ring_offset + index * ring_bytes, index, event_offset + index * size * EVENT.size,
                                size)
        trace.rings.append(ring)
        for cycles, kind, number, place in found:
            if not SWITCH <= kind <= TAKE:
                raise BadTrace(f"an event of processor {index} is of kind {kind}, which is none")
            trace.events.append(Event(clock.nanoseconds(cycles), index, kind, number, place))
    trace.events.sort(key=lambda event: event.time)  # stable: events of one processor stay in order
    return trace
