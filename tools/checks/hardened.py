"""Some compilers harden by themselves, as Ubuntu's does. What is built for the kernel stays as it is then, and
calls no function that only a C library has."""

import os
import re
import subprocess
import tempfile

from . import building
from .case import Case, Group, verdict

NEEDS = ("build/kernel/heddle.elf", "build/hosted/heddle")
BY_ITSELF = "-D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection -fcf-protection=full"
# Each of these options changes one of the first two, if it is left. The last is foreign code, and has large frames.
FILES = ("build/kernel/user/shell/shell.c.o", "build/kernel/user/test/large_growth.c.o",
         "build/hosted/user/shell/shell.c.o", "build/kernel/user/ports/lz4/lib/lz4.c.o")


def source_of(target):
    return re.sub("^build/[a-z]+/", "", target).removesuffix(".o").replace("user/ports", "build/sources")


def command_for(target):
    """What make would execute to compile it."""
    listed = subprocess.run(["make", "-n", "-W", source_of(target), target], capture_output=True, text=True, check=True,
                            env=building.environment())
    return [line for line in listed.stdout.splitlines() if line.endswith(f" -o {target}")][0]


def compiled(command, added, folder):
    """The object, without what tells how it was compiled."""
    path = os.path.join(folder, "object.o")
    first, _, words = command.partition(" ")
    subprocess.run(["sh", "-c", f"{first} {added} {words} -o {path}"], check=True)
    subprocess.run(["objcopy", "--strip-debug", "--remove-section=.comment", path], check=True)
    with open(path, "rb") as file:
        return file.read()


def same(target):
    if not os.path.exists(source_of(target)):
        return Case(target, "skipped", [f"{source_of(target)} could not be fetched"])
    command = command_for(target).removesuffix(f" -o {target}")
    with tempfile.TemporaryDirectory() as folder:
        differs = compiled(command, "", folder) != compiled(command, BY_ITSELF, folder)
    return verdict(target, [f"it comes out differently with {BY_ITSELF}"] if differs else [])


def groups():
    return [Group("build: by a compiler that hardens by itself", lambda: [same(target) for target in FILES])]
