"""A trace in Perfetto's own format, protocol buffers. Chrome's JSON traces would not do: they have tracks only for
threads, not for a lock; microseconds, although a hand-over takes tens of nanoseconds; and three times as many bytes.

The field numbers are those of protos/perfetto/trace/ in Perfetto's sources (perfetto.dev): trace_packet.proto,
track_event/track_event.proto, track_descriptor.proto, counter_descriptor.proto, debug_annotation.proto. The encoding
of messages: protobuf.dev, "Encoding".
"""

import struct

VARINT, FIXED, BYTES = 0, 1, 2

# TracePacket
PACKET, TIMESTAMP, SEQUENCE, TRACK_EVENT, SEQUENCE_FLAGS, TRACK_DESCRIPTOR = 1, 8, 10, 11, 13, 60
# TrackDescriptor
UUID, TRACK_NAME, PARENT, COUNTER, CHILD_ORDERING, RANK = 1, 2, 5, 8, 11, 12
ORDER_EXPLICIT = 3
# CounterDescriptor
UNIT, UNIT_COUNT = 3, 2
# TrackEvent
ANNOTATIONS, TYPE, EVENT_TRACK, CATEGORY, EVENT_NAME, COUNTER_VALUE, FLOWS, FLOWS_END = 4, 9, 11, 22, 23, 30, 47, 48
SLICE_BEGIN, SLICE_END, INSTANT, COUNT = 1, 2, 3, 4
# DebugAnnotation
ANNOTATION_UINT, ANNOTATION_STRING, ANNOTATION_NAME = 3, 6, 10

ROOT_PROCESSORS, ROOT_LOCKS, READY, IDLE = 1, 2, 3, 4
FIRST_PROCESSOR = 1000
FIRST_LOCK = 1000000


def varint(value):
    out = bytearray()
    value &= (1 << 64) - 1
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3 | VARINT) + varint(value)


def fixed(field, value):
    return varint(field << 3 | FIXED) + struct.pack("<Q", value)


def nested(field, value):
    return varint(field << 3 | BYTES) + varint(len(value)) + value


def string(field, value):
    return nested(field, value.encode())


class Writer:
    """Packets of one sequence, written in the order of time."""

    def __init__(self):
        self.packets = []  # (time, order, bytes)

    def descriptor(self, uuid, name, parent=0, rank=0, ordered=False, counter=False):
        body = number(UUID, uuid) + string(TRACK_NAME, name)
        if parent:
            body += number(PARENT, parent) + number(RANK, rank)
        if ordered:
            body += number(CHILD_ORDERING, ORDER_EXPLICIT)
        if counter:
            body += nested(COUNTER, number(UNIT, UNIT_COUNT))
        self.packets.append((-1, number(SEQUENCE, 1) + nested(TRACK_DESCRIPTOR, body)))

    def event(self, time, kind, track, body=b""):
        event = number(TYPE, kind) + number(EVENT_TRACK, track) + body
        self.packets.append((time, number(TIMESTAMP, time) + number(SEQUENCE, 1) + nested(TRACK_EVENT, event)))

    def slice(self, begin, end, track, name, category):
        self.event(begin, SLICE_BEGIN, track, string(EVENT_NAME, name) + string(CATEGORY, category))
        self.event(end, SLICE_END, track)

    def instant(self, time, track, name, category, body=b""):
        self.event(time, INSTANT, track, string(EVENT_NAME, name) + string(CATEGORY, category) + body)

    def count(self, time, track, value):
        self.event(time, COUNT, track, number(COUNTER_VALUE, value))

    def bytes(self):
        self.packets.sort(key=lambda packet: packet[0])  # stable: an end before the next beginning
        return b"".join(nested(PACKET, packet) for _, packet in self.packets)


def note(name, value):
    """Further fields of a slice."""
    body = string(ANNOTATION_NAME, name)
    body += number(ANNOTATION_UINT, value) if isinstance(value, int) else string(ANNOTATION_STRING, value)
    return nested(ANNOTATIONS, body)


def begin_of_run(run, flows):
    """The start of its flow: the hand-over that ended the wait before it."""
    body = note("task", run.task.number)
    wait = run.by
    if wait is not None:
        body += note("waited for", wait.what()) + note("waited, ns", wait.end - wait.begin)
        if wait in flows:
            body += fixed(FLOWS_END, flows[wait])
    return body


def write_processor(writer, line, index, flows):
    track = FIRST_PROCESSOR + index
    ring = line.trace.rings[index]
    if ring.lost():
        first = next((event.time for event in line.trace.events if event.processor == index), line.begin)
        writer.instant(first, track, f"{ring.lost()} events before this were lost", "lost", note("lost", ring.lost()))
    for run in line.runs[index]:
        begin = run.begin
        writer.event(begin, SLICE_BEGIN, track, string(EVENT_NAME, run.task.label()) + string(CATEGORY, "task") +
                     begin_of_run(run, flows))
        for wait in run.grants:
            flow = fixed(FLOWS, flows[wait]) if wait in flows else b""
            # A finalizer hands over after its task has left.
            writer.instant(min(wait.end, run.end), track, f"hands over {wait.what()}", "hand-over",
                           note("to", wait.task.label()) + flow)
        writer.event(run.end, SLICE_END, track)
    for begin, end in line.halts[index]:
        writer.slice(begin, end, track, "halted", "idle")


def write(line):
    """The file's bytes."""
    writer = Writer()
    writer.descriptor(ROOT_PROCESSORS, "processors", ordered=True)
    writer.descriptor(READY, "ready tasks", counter=True)
    writer.descriptor(IDLE, "idle processors", counter=True)
    writer.descriptor(ROOT_LOCKS, "locks", ordered=True)
    given = [wait for wait in line.waits if wait.giver_run is not None and wait.run is not None]
    flows = {wait: number for number, wait in enumerate(given, 1)}
    for index in range(len(line.runs)):
        writer.descriptor(FIRST_PROCESSOR + index, f"processor {index}", ROOT_PROCESSORS, index)
        write_processor(writer, line, index, flows)
    busiest = sorted(line.locks.values(), key=lambda lock: -len(lock.holds))
    for rank, lock in enumerate(busiest):
        track = FIRST_LOCK + rank
        writer.descriptor(track, f"{lock.kind} at {lock.place:#x}", ROOT_LOCKS, rank)
        for hold in lock.holds:
            label = hold.task.label() if hold.task else "a task"
            writer.slice(hold.begin, hold.end, track, label, "lock")
    for track, counter in ((READY, line.ready), (IDLE, line.idle)):
        for time, value in counter:
            writer.count(time, track, value)
    return writer.bytes()
