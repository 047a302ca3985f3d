"""The rules of the code and its layout."""

import shutil
import subprocess

from . import building
from .case import Case, Group, Skipped, failed

NEEDS = ()  # it runs nothing that is built
LINES_SHOWN = 60


def rules():
    done = subprocess.run(["tools/checks/rules/check"], capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    return [Case("rules") if done.returncode == 0 else failed("rules", lines[-LINES_SHOWN:])]


def layout():
    if shutil.which("clang-format") is None:
        raise Skipped("clang-format is not installed; `make setup` installs it")
    success, lines = building.make("check-format")
    return [Case("layout") if success else failed("layout", ["`make format` puts this right:", *lines])]


def groups():
    return [Group("style: rules of the code", rules), Group("style: layout", layout)]
