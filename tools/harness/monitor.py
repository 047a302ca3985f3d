"""QEMU's monitor: commands to a running machine."""

import socket

PROMPT = b"(qemu) "


def options(path):
    """The options that make QEMU listen at `path`."""
    return ["-monitor", f"unix:{path},server=on,wait=off"]


def ask(path, command):
    """The answer of the monitor that listens at `path`, including the echo."""
    with socket.socket(socket.AF_UNIX) as monitor:
        monitor.settimeout(20)
        monitor.connect(path)
        said = b""
        for text in (None, command):
            if text is not None:
                monitor.sendall(text.encode() + b"\n")
            said = b""
            while not said.endswith(PROMPT):
                data = monitor.recv(65536)
                if not data:
                    return ""
                said += data
    return said.decode("ascii", "replace")
