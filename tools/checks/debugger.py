"""The commands for GDB, on the hosted program, on a core file of it, and on the kernel in QEMU."""

import os
import resource
import shutil
import socket
import subprocess
import tempfile

from .case import Group, Skipped, verdict

PROGRAM = "run=tokenring,tasks=5"
LOOK = [
    "-ex", "heddle tasks", "-ex", "heddle processors", "-ex", "heddle backtrace main", "-ex", "heddle backtrace 99",
]
STOP = ["-ex", "set pagination off", "-ex", "break heddle_suspend", "-ex", "ignore 1 200"]
# The main task waits for the players; its back trace leads there.
EXPECTED = ("run_programs", "waits for the end of task", "player", "switches", "in task_join", "there is no task 99")


def gdb(*arguments, timeout=60):
    """GDB's complete output."""
    if shutil.which("gdb") is None:
        raise Skipped("gdb is not installed; `make setup` installs it")
    command = ["gdb", "-q", "-nx", "-batch", "-x", "tools/gdb.py", *arguments]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
        timeout=timeout, stdin=subprocess.DEVNULL,
    )
    return done.stdout


def judged(name, said, expected=EXPECTED):
    missing = [text for text in expected if text not in said]
    if not missing:
        return verdict(name, [])
    return verdict(name, [f"GDB did not say {', '.join(missing)}, but:", *said.splitlines()[-40:]])


def hosted():
    program = "build/hosted-debug/heddle"
    said = gdb(*STOP, "-ex", f"run processors=2 {PROGRAM}", *LOOK, "--args", program)
    return [judged("hosted", said)]


def deadlock():
    """A breakpoint stops at a deadlock, before its report, with all tasks there."""
    program = "build/hosted-debug/heddle"
    said = gdb("-ex", "set pagination off", "-ex", "break report_deadlock", "-ex",
               "run processors=2 run=misbehave,how=deadlock", "-ex", "heddle tasks", "--args", program)
    before = [] if "error: deadlock" not in said else ["it was reported before GDB stopped"]
    return [judged("at a deadlock", said, ("Breakpoint 1, report_deadlock", "forgotten", "suspended")),
            verdict("before the report", before)]


CORE_MOST = 64 << 20  # what nobody uses has no place there: a core may also go through a pipe, which has no holes


def core_size(path):
    length = os.stat(path).st_size
    return verdict("size of the core file", [f"{length} bytes"] if length > CORE_MOST else [])


def core():
    """The core file is written by the system, which decides where it goes."""
    with open("/proc/sys/kernel/core_pattern", encoding="ascii") as file:
        if file.read().strip() not in ("core", "core.%p"):
            raise Skipped("core files do not go to the working folder on this system")
    program = os.path.abspath("build/hosted-debug/heddle")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["timeout", "-s", "ABRT", "1", program, "processors=2", "run=tokenring,tasks=5,rounds=100000000"],
            cwd=folder, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2),
        )
        files = [name for name in os.listdir(folder) if name.startswith("core")]
        if not files:
            raise Skipped("the system left no core file")
        path = os.path.join(folder, files[0])
        said = gdb(program, path, "-ex", "set pagination off", *LOOK)
        return [judged("core file", said), core_size(path)]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def kernel():
    port, program = free_port(), "build/kernel-debug/heddle.elf"
    command = [
        "tools/run", "--debug", "--port", str(port), "--processors", "4", "--firmware", "direct", "--binary", program,
        PROGRAM[len("run=") :],
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as machine:
        try:
            connect = ["-ex", "set tcp connect-timeout 20", "-ex", f"target remote 127.0.0.1:{port}"]
            said = gdb(program, *connect, *STOP, "-ex", "continue", *LOOK, "-ex", "kill")
        finally:
            machine.kill()
    return [judged("kernel", said)]


def groups():
    return [
        Group("debug: tasks in GDB, hosted", hosted),
        Group("debug: at a deadlock, hosted", deadlock),
        Group("debug: tasks in GDB, core file", core),
        Group("debug: tasks in GDB, kernel", kernel),
    ]
