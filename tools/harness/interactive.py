"""A program with a person at the terminal: typed keys go to it one by one, and its output appears at once."""

import contextlib
import os
import selectors
import subprocess
import sys
import termios
import time

from . import process

LEAVE = b"\x1d"  # control and ], as in telnet
END_OF_INPUT = b"\x04"  # control and D
PROMPT = b"heddle> "  # what is typed earlier is kept until then: setting up a serial line would lose it


@contextlib.contextmanager
def raw_terminal(descriptor):
    """Keys arrive at once, and none is a signal; output is treated as before. Restored at the end."""
    if not os.isatty(descriptor):
        yield
        return
    before = termios.tcgetattr(descriptor)
    changed = termios.tcgetattr(descriptor)
    changed[0] &= ~(termios.ICRNL | termios.IXON)
    changed[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN)
    changed[6][termios.VMIN], changed[6][termios.VTIME] = 1, 0
    termios.tcsetattr(descriptor, termios.TCSADRAIN, changed)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


class Talk:
    """Connects our standard input and output with a program's."""

    def __init__(self, child, outcome, on_line):
        self.child, self.outcome, self.on_line = child, outcome, on_line
        self.typed, self.heard, self.is_ready = b"", b"", False
        self.cutters = {child.stdout: process.LineCutter(), child.stderr: process.LineCutter()}

    def type(self):
        """False: no more input will come."""
        data = os.read(sys.stdin.fileno(), 4096)
        if os.isatty(sys.stdin.fileno()) and LEAVE in data:
            self.outcome.stopped = True
            return False
        self.typed += data or END_OF_INPUT
        self.hand_on()
        return bool(data)

    def hand_on(self):
        if self.is_ready and self.typed:
            with contextlib.suppress(BrokenPipeError):
                os.write(self.child.stdin.fileno(), self.typed)
            self.typed = b""

    def say(self, stream):
        """False: the stream has ended."""
        data = os.read(stream.fileno(), 65536)
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        if not self.is_ready:
            self.heard = self.heard[-len(PROMPT) :] + data
            self.is_ready = PROMPT in self.heard
            self.hand_on()
        for line in self.cutters[stream].feed(data):
            self.outcome.lines.append(line)
            self.on_line(line)
        return bool(data)

    def run(self):
        with selectors.PollSelector() as selector:  # input may be a file, which epoll refuses
            selector.register(sys.stdin, selectors.EVENT_READ)
            for stream in self.cutters:
                selector.register(stream, selectors.EVENT_READ)
            speaking = len(self.cutters)
            while speaking and not self.outcome.stopped:
                for key, _ in selector.select():
                    goes_on = self.type() if key.fileobj is sys.stdin else self.say(key.fileobj)
                    if not goes_on:
                        selector.unregister(key.fileobj)
                        speaking -= key.fileobj is not sys.stdin


def follow(command, on_line):
    """Until it ends, or control and ] is typed. Calls `on_line(line)` for each line of its output."""
    outcome = process.Outcome(command=list(command))
    start, parent = time.monotonic(), os.getpid()
    try:
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 start_new_session=True, preexec_fn=lambda: process.die_with(parent))
    except OSError as error:
        outcome.errors = f"{command[0]}: {error.strerror}"
        return outcome
    try:
        with raw_terminal(sys.stdin.fileno()):
            Talk(child, outcome, on_line).run()
            if not outcome.stopped:
                child.wait()
    finally:
        if child.poll() is None:
            process.end(child)
        outcome.status = child.wait()
        outcome.seconds = time.monotonic() - start
        for stream in (child.stdin, child.stdout, child.stderr):
            with contextlib.suppress(OSError):
                stream.close()
    return outcome
