"""Where results come from: the host, the versions, the command, the date."""

import datetime
import os
import platform
import subprocess


def first_line(*command):
    """The first line that a command prints; empty if it cannot be run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.split("\n")[0].strip()


def host_processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def host():
    return f"{host_processor()}, {os.cpu_count()} processors, {platform.system()} {platform.release()}"


def versions(emulator=""):
    """What is measured, and with what; `emulator`: its program."""
    return {
        "heddle": first_line("git", "describe", "--always", "--dirty"),
        "compiler": first_line("gcc", "--version"),
        "emulator": first_line(emulator, "--version") if emulator else "",
    }


def now():
    """The time of a result, to the second, with the time zone."""
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")


def turn(start, number):
    """The name of a turn: one run of each of what is compared, side by side. `start`: when the first turn began."""
    return f"{start} turn {number + 1}"


def metadata(description, command, emulated):
    """What is stored with results of a `command`; `emulated`: it ran in an emulator."""
    return {
        "machine": description,
        "host": host(),
        "versions": versions(command[0] if emulated else ""),
        "command": command,
    }
