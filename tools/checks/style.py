"""The rules of the code and its layout."""

import subprocess

from .case import MISSING, Case, Group, Skipped, failed

NEEDS = ()  # it runs nothing that is built
LINES_SHOWN = 60


def said(*command):
    """(The status of a command, the last lines that it said)"""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr).splitlines()[-LINES_SHOWN:]


def rules():
    status, lines = said("tools/checks/rules/check")
    return [Case("rules") if status == 0 else failed("rules", lines)]


def layout():
    status, lines = said("tools/checks/rules/layout", "--check")
    if status == MISSING:
        raise Skipped(" ".join(lines))
    return [Case("layout") if status == 0 else failed("layout", ["`make format` puts this right:", *lines])]


def groups():
    return [Group("style: rules of the code", rules), Group("style: layout", layout)]
