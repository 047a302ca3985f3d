"""The shell: driven from a terminal, a serial line and a keyboard, hosted and in QEMU; afterwards the terminal is as
before."""

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import termios
import time

from harness import emulator, monitor, process

from . import hosted
from .case import Group, verdict

NEEDS = ("build/kernel/heddle.elf", "build/hosted/heddle", "build/hosted-tsan/heddle", "build/hosted-asan/heddle")
PATIENCE = 30
AGAIN = 0.2
PROMPT = "heddle> "
KEYS = {" ": "spc", "\r": "ret", ",": "comma", "=": "equal"}


class Silent(Exception):
    """Expected output is missing."""


class Talk:
    """A program at a terminal, or with pipes, and its output."""

    def __init__(self, command, terminal=True):
        self.said, self.seen = "", 0
        self.master = None
        if terminal:
            self.master, self.slave = pty.openpty()
            self.before = termios.tcgetattr(self.slave)
            streams = {"stdin": self.slave, "stdout": self.slave, "stderr": self.slave}
        else:
            streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        parent = os.getpid()
        self.child = subprocess.Popen(command, start_new_session=True, preexec_fn=lambda: process.die_with(parent),
                                      **streams)
        self.reads = self.master if terminal else self.child.stdout.fileno()
        self.writes = self.master if terminal else self.child.stdin.fileno()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        process.end(self.child)
        for descriptor in (self.master, getattr(self, "slave", None)):
            if descriptor is not None:
                os.close(descriptor)
        for stream in (self.child.stdin, self.child.stdout):
            if stream:
                with contextlib.suppress(OSError):
                    stream.close()

    def type(self, text):
        os.write(self.writes, text.encode("latin-1"))

    def hear(self, pattern, seconds=PATIENCE):
        """Wait until something new matches."""
        end = time.monotonic() + seconds
        while True:
            found = re.search(pattern, self.said[self.seen :])
            if found:
                self.seen += found.end()
                return found
            if time.monotonic() > end:
                raise Silent(f"\"{pattern}\" was not said; the last words: {self.said[-300:]!r}")
            if select.select([self.reads], [], [], 0.1)[0]:
                with contextlib.suppress(OSError):
                    self.said += os.read(self.reads, 65536).decode("latin-1")

    def do(self, line, *patterns):
        self.type(line + "\r")
        return [self.hear(pattern) for pattern in patterns]

    def do_until(self, line, pattern):
        """Type the line again and again until what it says matches: that may take time."""
        end = time.monotonic() + PATIENCE
        while True:
            self.type(line + "\r")
            try:
                return self.hear(pattern, AGAIN)
            except Silent:
                if time.monotonic() > end:
                    raise

    def is_as_before(self):
        return termios.tcgetattr(self.slave) == self.before

    def ends(self):
        try:
            return self.child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Silent(f"it does not end; the last words: {self.said[-300:]!r}") from None


def case(name, function):
    try:
        function()
    except (Silent, AssertionError, OSError) as problem:
        return verdict(name, [f"{type(problem).__name__}: {problem}"])
    return verdict(name, [])


def hosted_command(*words):
    return ["build/hosted/heddle", "processors=2", *words, "run=shell"]


def commands():
    """Each command, with correct and with wrong words."""
    with Talk(hosted_command()) as talk:
        talk.hear(PROMPT)
        assert not talk.is_as_before(), "the terminal still edits lines"
        talk.do("help", "reboot  ", PROMPT)
        talk.do("list", r"section: [^\n]*exchange", r"\n    tasks=", PROMPT)
        talk.do("list hello", "hello: ", "tasks=4", PROMPT)
        talk.do("list nobody", "there is no program nobody", PROMPT)
        talk.do("run hello,tasks=2 switch,rounds=100", "runs on processor", r'"benchmark":"switch".*"ok":true', PROMPT)
        talk.do("run hello,tusks=2", '"tusks=2" is none of its settings', PROMPT)
        talk.do("run", "which program", PROMPT)
        talk.do("run shell", "this is the shell", PROMPT)
        talk.do("tsaks", "did you mean tasks", PROMPT)
        talk.do("frobnicate", "frobnicate is no command; help lists them", PROMPT)
        talk.do("top 1", "switches/s", r"\n\s+0 +\d+ %", r"\n\s+1 +\d+ %", PROMPT)
        talk.do("top never", "from 1 to 3600", PROMPT)
        talk.do("trace on", "command line needs trace=", PROMPT)
        talk.do("tasks", "task main", "circles of waiting tasks", PROMPT)
        talk.do("x" * 300, "longer than 240 characters, and was not carried out", PROMPT)
        talk.do("exit")
        assert talk.ends() == 0
        assert talk.is_as_before(), "the terminal was not set back"


def editing():
    """Keys that edit the line, completion and history."""
    with Talk(hosted_command()) as talk:
        talk.hear(PROMPT)
        talk.do("lisr hello\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x7ft", "tasks=4", PROMPT)
        talk.do("run hel\t,ta\t2", "run=hello,tasks=2 starts", PROMPT)
        talk.type("re\t")
        talk.hear("reboot ")
        talk.type("\x03")
        talk.hear(r"\^C")
        talk.type("t\t")
        talk.hear("  tasks  top  trace")
        talk.type("\x15")
        talk.do("\x1b[A", "run=hello,tasks=2 starts", PROMPT)
        talk.type("\x04")
        assert talk.ends() == 0


def only_waits(talk):
    """The waits for mutexes are shown, however many sleeps of the shell came after them, and nothing else."""
    start = talk.seen
    talk.do("trace show 500 mutex", "processor 0: ", "processor 1: ", PROMPT)
    shown = [line for line in talk.said[start : talk.seen].splitlines() if "cycles ago" in line]
    assert len(shown) >= 2, talk.said[start : talk.seen]
    assert all(re.search(r"its task (waits|has the lock) mutex at", line) for line in shown), shown


def behind():
    """Programs in the background, a deadlock among them, and what the shell shows about them."""
    with Talk(hosted_command("trace=paused,file=/dev/shm/heddle-check.trace")) as talk:
        talk.hear(PROMPT)
        talk.do("trace on", PROMPT)
        talk.do("run misbehave,how=circle &", PROMPT)
        talk.do_until("locks", r"mutex at 0x[0-9a-f]+: task \w+ \(\d+\) holds it, 1 wait")
        talk.do("trace off", PROMPT)
        talk.do("tasks", "a circle of waiting tasks", "1 circles", PROMPT)
        talk.do("run misbehave", "runs already", PROMPT)
        only_waits(talk)
        talk.do("trace show 0", "from 1 to 512", PROMPT)
        talk.do("run fairness", "run=fairness starts")
        talk.do("list hello", "fairness", "tasks=4", PROMPT)  # typed ahead
        talk.do("run misbehave,how=deadlock", "runs already", PROMPT)
        talk.do("run storm,seconds=20", "run=storm")
        talk.type("\x03")
        talk.hear("goes on in the background")
        talk.type("\x1c")
        talk.hear("circles of waiting tasks")
        talk.do("run hello &", "hello has ended: 1 of 1 succeeded")
        talk.do("exit", "2 programs that run in the background end here")
        talk.ends()
    os.unlink("/dev/shm/heddle-check.trace")


def restarts():
    """The program restarts with the same arguments, at the same terminal; and a signal ends it."""
    with Talk(hosted_command()) as talk:
        talk.hear(PROMPT)
        talk.do("reboot", "starts again", "run=shell starts", PROMPT)
        talk.do("help", "reboot  ", PROMPT)
        talk.child.send_signal(signal.SIGTERM)
        assert talk.ends() == -signal.SIGTERM, "SIGTERM does not end it"
        assert talk.is_as_before(), "the terminal was not set back"


def pipes():
    """Lines from a file: the shell ends after the last one."""
    done = subprocess.run(hosted_command(), input="run hello\nlist hello", text=True, capture_output=True,
                          timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr[-300:]
    assert "runs on processor" in done.stdout and "tasks=4" in done.stdout, done.stdout[-500:]


def watched(variant):
    """Programs run while the shell looks at what they do, under a sanitizer."""
    lines = ("run hello section,tasks=20 &", "run switch,rounds=100", "locks", "tasks", "trace show 20", "top",
             "run tokenring,tasks=20", "trace show 400", "trace show 100 waits", "exit")
    with tempfile.TemporaryDirectory() as folder:
        command = hosted.command(variant, "processors=3", f"trace=on,size=256,file={folder}/trace", "run=shell")
        done = subprocess.run(command, input="\n".join(lines), text=True, capture_output=True, timeout=120, check=False,
                              env={**os.environ, **hosted.SANITIZERS})
    assert done.returncode == 0, (done.stderr or done.stdout)[-1500:]
    assert done.stdout.count("goes on with task") > 20 and "switches/s" in done.stdout, done.stdout[-1500:]


def machine(words, **changes):
    return emulator.command(emulator.Machine(processors="2", memory="256M", firmware="direct", words=words, **changes))


def serial_line():
    with Talk(machine(["run=shell", "trace=paused"]), terminal=False) as talk:
        talk.hear(PROMPT)
        talk.do("list hel\t", "tasks=4", PROMPT)
        talk.do("trace on", PROMPT)
        talk.do("run switch,rounds=100", r'"ok":true', PROMPT)
        talk.do("trace show 5", "processor 1: ", PROMPT)
        talk.type("\x1c")
        talk.hear("circles of waiting tasks")
        talk.do("rebot", "did you mean reboot", PROMPT)
        talk.do("exit")
        assert talk.ends() == emulator.EXIT_SUCCESS


def serial_reboot():
    with Talk(machine(["run=shell"], restarts=True), terminal=False) as talk:
        talk.hear(PROMPT)
        talk.do("reboot", "starts again", "run=shell starts", PROMPT)
        talk.do("exit")
        assert talk.ends() == emulator.EXIT_SUCCESS


def key_without_shell():
    """While any program runs, the key reports what all tasks do, and everything goes on."""
    with Talk(machine(["run=misbehave,how=stuck,seconds=6"]), terminal=False) as talk:
        talk.hear("starts")
        talk.type("ignored\x1c")
        talk.hear("task stuck", 10)
        talk.hear("circles of waiting tasks", 10)
        assert talk.ends() == emulator.EXIT_SUCCESS


def keyboard():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "monitor")
        with Talk(machine(["run=shell"], extra=monitor.options(path)), terminal=False) as talk:
            talk.hear(PROMPT)

            def press(text):
                for key in text:
                    name = KEYS.get(key, key.lower())
                    monitor.ask(path, f"sendkey {'shift-' if key.isupper() else ''}{name} 20")
                    talk.hear(re.escape(key.strip()) if key.strip() else "", 10)

            press("Lx")
            monitor.ask(path, "sendkey backspace 20")
            monitor.ask(path, "sendkey ctrl-u 20")
            press("list")
            press(" hello,=")
            for _ in range(2):
                monitor.ask(path, "sendkey backspace 20")
            monitor.ask(path, "sendkey ret 20")
            talk.hear("tasks=4")
            talk.hear(PROMPT)
            monitor.ask(path, "sendkey up 20")
            talk.hear("list hello")
            monitor.ask(path, "sendkey ret 20")
            talk.hear("tasks=4")
            talk.hear(PROMPT)
            monitor.ask(path, "sendkey ctrl-d 20")
            assert talk.ends() == emulator.EXIT_SUCCESS


def run_tool(leave, expected):
    """`make run RUN=shell` at a terminal: afterwards the terminal is as before, however the run ends."""
    with Talk(["tools/run", "--hosted", "--processors", "2", "shell"]) as talk:
        talk.hear(PROMPT)
        assert not talk.is_as_before(), "the terminal still edits lines"
        talk.do("run switch,rounds=100", r'"ok":true', PROMPT)
        talk.type("\x03")
        talk.hear(r"\^C")
        leave(talk)
        status = talk.ends()
        assert status == expected, f"status {status}: {talk.said[-300:]!r}"
        assert talk.is_as_before(), "the terminal was not set back"


def run_tool_on_a_file():
    """`make run RUN=shell < FILE`."""
    with tempfile.TemporaryFile() as file:
        file.write(b"run switch,rounds=100\nexit\n")
        file.seek(0)
        done = subprocess.run(["tools/run", "--hosted", "--processors", "2", "shell"], stdin=file, text=True,
                              capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0 and "1 result in " in done.stdout, f"{done.stdout[-300:]} {done.stderr[-300:]}"


def cases():
    return [
        case("hosted: commands, and what is wrong in them", commands),
        case("hosted: keys, completion, history", editing),
        case("hosted: programs in the background", behind),
        case("hosted: starting again; the end by a signal", restarts),
        case("hosted: lines from a file", pipes),
        *[case(f"{variant}: at once", lambda variant=variant: watched(variant))
          for variant in ("hosted-tsan", "hosted-asan")],
        case("QEMU: a serial line", serial_line),
        case("QEMU: starting again", serial_reboot),
        case("QEMU: a key without a shell", key_without_shell),
        case("QEMU: a keyboard", keyboard),
        case("tools/run: lines from a file", run_tool_on_a_file),
        case("tools/run: exit", lambda: run_tool(lambda talk: talk.do("exit", r"1 result in "), 0)),
        case("tools/run: control and ]", lambda: run_tool(lambda talk: talk.type("\x1d"), 0)),
        case("tools/run: SIGTERM", lambda: run_tool(lambda talk: talk.child.send_signal(signal.SIGTERM), 143)),
    ]


def groups():
    return [Group("shell: at a terminal, a serial line and a keyboard", cases)]
