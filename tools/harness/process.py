"""Follow a program line by line, and never wait for it longer than asked."""

import os
import re
import selectors
import signal
import subprocess
import time
from collections import deque
from dataclasses import dataclass, field

# What firmware and boot loaders send to a terminal: escape sequences, then any other control character but tab.
TERMINAL_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[()][A-Z0-9]|[=>78cDEHM])")
CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

LINES_KEPT = 20000


@dataclass
class Outcome:
    """How a program ended. `status` is None where it could not be started; negative: the signal that ended it."""

    command: list
    status: int = None
    timed_out: bool = False
    stopped: bool = False  # by the caller's on_line
    seconds: float = 0.0
    lines: deque = field(default_factory=lambda: deque(maxlen=LINES_KEPT))
    cut: bool = False  # the last line had no end
    errors: str = ""  # what came on the error stream


def clean(raw):
    """A line as a person reads it: without what is meant for a terminal."""
    text = raw.decode("utf-8", "replace")
    return CONTROL_CHARACTER.sub("", TERMINAL_SEQUENCE.sub("", text)).rstrip()


class LineCutter:
    """Cuts a stream of bytes into lines."""

    def __init__(self):
        self.rest = b""

    def feed(self, data):
        *lines, self.rest = (self.rest + data).split(b"\n")
        return [clean(line) for line in lines]


def end(process):
    """Stop a program and all that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def follow(command, timeout, on_line=None, on_error_line=None, on_silence=None, silence=10.0, environment=None):
    """Run `command` for at most `timeout` seconds. `on_line(line)` is called for each line of its output; a true answer
    stops it. `on_silence(seconds)` is called whenever nothing came for `silence` seconds."""
    outcome = Outcome(command=list(command))
    start = time.monotonic()
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=None if environment is None else {**os.environ, **environment},
        )
    except OSError as error:
        outcome.errors = f"{command[0]}: {error.strerror}"
        return outcome
    try:
        read_all(process, outcome, start + timeout, on_line, on_error_line, on_silence, silence)
    finally:
        if outcome.timed_out or outcome.stopped or process.poll() is None:
            end(process)
        outcome.status = process.wait()
        outcome.seconds = time.monotonic() - start
        process.stdout.close()
        process.stderr.close()
    return outcome


def read_all(process, outcome, deadline, on_line, on_error_line, on_silence, silence):
    """Read both streams until they end, the time is over or the caller has seen enough."""
    cutters = {process.stdout: LineCutter(), process.stderr: LineCutter()}
    errors = deque(maxlen=LINES_KEPT)
    heard = time.monotonic()
    with selectors.DefaultSelector() as selector:
        for stream in cutters:
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map() and not outcome.stopped:
            now = time.monotonic()
            if now >= deadline:
                outcome.timed_out = True
                break
            for key, _ in selector.select(min(deadline - now, 1.0)):
                heard = time.monotonic()
                data = os.read(key.fd, 65536)
                if not data:
                    selector.unregister(key.fileobj)
                for line in cutters[key.fileobj].feed(data):
                    if key.fileobj is process.stderr:
                        errors.append(line)
                        if on_error_line:
                            on_error_line(line)
                    else:
                        outcome.lines.append(line)
                        if on_line and on_line(line):
                            outcome.stopped = True
            if on_silence and time.monotonic() - heard >= silence:
                heard = time.monotonic()
                on_silence(silence)
    rest = clean(cutters[process.stdout].rest)
    if rest:
        outcome.lines.append(rest)
        outcome.cut = True
        if on_line:
            on_line(rest)
    outcome.errors = "\n".join([*errors, clean(cutters[process.stderr].rest)]).strip()
    if not outcome.timed_out and not outcome.stopped:
        try:
            process.wait(timeout=max(deadline - time.monotonic(), 1.0))
        except subprocess.TimeoutExpired:
            outcome.timed_out = True
