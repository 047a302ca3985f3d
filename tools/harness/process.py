"""Follow a program line by line, with a time limit, and make sure that it ends."""

import contextlib
import ctypes
import os
import re
import selectors
import signal
import subprocess
import sys
import time
from collections import deque
from dataclasses import dataclass, field

# What firmware and boot loaders send to a terminal: escape sequences, then any other control character except tab.
TERMINAL_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[()][A-Z0-9]|[=>78cDEHM])")
CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

LINES_KEPT = 20000

PR_SET_PDEATHSIG = 1  # linux/prctl.h
C_LIBRARY = ctypes.CDLL(None, use_errno=True)


@dataclass
class Outcome:
    """How a program ended. `status` is None if it could not be started; negative: the signal that ended it."""

    command: list
    status: int = None
    timed_out: bool = False
    stopped: bool = False  # by the caller's on_line
    seconds: float = 0.0
    lines: deque = field(default_factory=lambda: deque(maxlen=LINES_KEPT))
    cut: bool = False  # the last line had no end
    errors: str = ""  # what came on the error stream


def clean(raw):
    """A line as a person reads it: without terminal control."""
    text = raw.decode("utf-8", "replace")
    return CONTROL_CHARACTER.sub("", TERMINAL_SEQUENCE.sub("", text)).rstrip()


class LineCutter:
    """Cuts a stream of bytes into lines."""

    def __init__(self):
        self.rest = b""

    def feed(self, data):
        *lines, self.rest = (self.rest + data).split(b"\n")
        return [clean(line) for line in lines]


def end_on_signals():
    """From now on, a signal to end this tool raises SystemExit, so that what it has started is ended, too."""

    def leave(number, frame):
        del frame
        for other in asked:
            signal.signal(other, signal.SIG_IGN)  # nothing interrupts the cleaning up
        with contextlib.suppress(OSError):  # the terminal may be gone
            os.write(2, f"{os.path.basename(sys.argv[0])}: ended by {signal.Signals(number).name}\n".encode())
        raise SystemExit(128 + number)

    asked = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup
        asked.append(signal.SIGHUP)
    for number in asked:
        signal.signal(number, leave)
    if "MAKELEVEL" in os.environ:  # make may be killed; a shell may be left
        C_LIBRARY.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def die_with(parent):
    """In a child before its program starts: make it end with its parent, even if that is killed."""
    C_LIBRARY.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # the parent ended before that took effect
        os._exit(1)


def end(process):
    """Stop a program and everything that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def follow(command, timeout, on_line=None, on_error_line=None, on_silence=None, silence=10.0, environment=None,
           folder=None):
    """Run `command`, in `folder`, for at most `timeout` seconds. Calls `on_line(line)` for each line of its output; a
    true result stops it. Calls `on_silence(seconds)` whenever nothing came for `silence` seconds; a true result means
    that its time is over."""
    outcome = Outcome(command=list(command))
    start, parent = time.monotonic(), os.getpid()
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            cwd=folder,
            preexec_fn=lambda: die_with(parent),
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
        while selector.get_map() and not outcome.stopped and not outcome.timed_out:
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
                outcome.timed_out = bool(on_silence(silence))
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
