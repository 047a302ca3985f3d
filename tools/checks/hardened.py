"""Some compilers harden by themselves, as Ubuntu's does. What is built for the kernel stays as it is then, and
calls no function that only a C library has."""

import os
import re
import subprocess
import tempfile

from . import building
from .case import Group, verdict

NEEDS = ("build/kernel/heddle.elf", "build/hosted/heddle")
BY_ITSELF = "-D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection -fcf-protection=full"
# Of each kind of code one file, which comes out differently if one of these options is left. The last is foreign code.
FILES = ("build/kernel/user/shell/shell.c.o", "build/hosted/sched/task.c.o", "build/kernel/user/ports/zlib/trees.c.o")


def command_for(target):
    """What make would execute to compile it."""
    source = re.sub("^build/[a-z]+/", "", target).removesuffix(".o").replace("user/ports/zlib", "build/sources/zlib")
    listed = subprocess.run(["make", "-n", "-W", source, target], capture_output=True, text=True, check=True,
                            env=building.environment())
    return [line for line in listed.stdout.splitlines() if line.endswith(f" -o {target}")][0]


def stripped(path):
    """Without what tells how it was compiled."""
    subprocess.run(["objcopy", "--strip-debug", "--remove-section=.comment", path], check=True)
    with open(path, "rb") as file:
        return file.read()


def compiled(target):
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for name, added in (("plain.o", ""), ("hardened.o", BY_ITSELF)):
            command = command_for(target).replace("gcc ", f"gcc {added} ", 1).replace(
                f" -o {target}", f" -o {os.path.join(folder, name)}")
            subprocess.run(["sh", "-c", command], check=True)
            objects.append(stripped(os.path.join(folder, name)))
        return verdict(target, [] if objects[0] == objects[1] else [f"it comes out differently with {BY_ITSELF}"])


def groups():
    return [Group("build: by a compiler that hardens by itself", lambda: [compiled(target) for target in FILES])]
