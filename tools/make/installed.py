"""What is installed of Heddle, and where: files and links, by their paths below the prefix."""

import glob
import os
import re
import subprocess
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
HEADERS = "user/include"
TEMPLATES = "tools/make/package"
TEMPLATE = re.compile(r"@([A-Z]+)@")
ODD = re.compile(r"[^\w/.+~,=:-]")  # characters that make, pkg-config or a shell would not take literally


class Refused(Exception):
    """A sentence about what cannot be done."""


def checked(name, path, absolute):
    """A path that a person gave; refuses invalid ones."""
    if not path:
        raise Refused(f"{name} is empty: give a folder, as PREFIX=/usr/local")
    odd = ODD.search(path)
    if odd:
        raise Refused(f"{name}={path} has the character {odd[0]!r}, with which programs could not be built from there")
    if absolute and not os.path.isabs(path):
        raise Refused(f"{name}={path} is relative; heddle.pc names it for programs anywhere: give the whole path, "
                      f"as {name}={os.path.abspath(path)}")
    if not absolute and (os.path.isabs(path) or ".." in path.split("/")):
        raise Refused(f"{name}={path} is not a folder below PREFIX: give it as {name}=lib")
    return os.path.normpath(path)


def output(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def words(prefix, libdir, compiler):
    """The values for the templates."""
    version = output("tools/make/names", "version")
    series = version.rpartition(".")[0]
    return {
        "PREFIX": prefix, "LIBDIR": libdir, "UP": os.path.relpath(".", libdir), "VERSION": version, "SERIES": series,
        "COMPILER": "gcc-" + output(compiler, "-dumpversion").partition(".")[0],
        "SONAME": f"libheddle.so.{series}", "LIBRARY": f"libheddle.so.{version}",
    }


def filled(name, known):
    with open(os.path.join(ROOT, TEMPLATES, name), encoding="utf-8") as file:
        return TEMPLATE.sub(lambda found: known[found[1]], file.read()).encode()


def content(path):
    with open(os.path.join(ROOT, path), "rb") as file:
        return file.read()


def stripped(path):
    """Without debugging information; the names of functions stay, for back traces."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "stripped")
        output("objcopy", "--strip-debug", path, name)
        return content(name)


def files(prefix, libdir, compiler):
    """(content of files, targets of links), by path below the prefix."""
    known = words(prefix, libdir, compiler)
    whole = {
        f"{libdir}/libheddle.a": stripped("build/hosted/libheddle.a"),
        f"{libdir}/libheddle-posix.a": stripped("build/hosted/libheddle-posix.a"),
        f"{libdir}/libheddle-delegation.a": stripped("build/hosted/libheddle-delegation.a"),
        f"{libdir}/{known['LIBRARY']}": stripped("build/hosted/libheddle.so"),
        f"{libdir}/heddle/{known['COMPILER']}/heddle.so": stripped("build/plugin/heddle.so"),
        f"{libdir}/pkgconfig/heddle.pc": filled("heddle.pc", known),
        f"{libdir}/pkgconfig/heddle-static.pc": filled("heddle-static.pc", known),
        f"{libdir}/pkgconfig/heddle-posix.pc": filled("heddle-posix.pc", known),
        f"{libdir}/pkgconfig/heddle-delegation.pc": filled("heddle-delegation.pc", known),
        f"{libdir}/cmake/Heddle/HeddleConfig.cmake": filled("HeddleConfig.cmake", known),
        f"{libdir}/cmake/Heddle/HeddleConfigVersion.cmake": filled("HeddleConfigVersion.cmake", known),
        "share/doc/heddle/copyright": content("LICENSE"),
    }
    for path in glob.glob(os.path.join(ROOT, HEADERS, "heddle", "**", "*.h*"), recursive=True):
        whole["include/" + os.path.relpath(path, os.path.join(ROOT, HEADERS))] = content(path)
    del whole["include/heddle/program.h"]  # of programs that are linked into Heddle's own
    links = {f"{libdir}/{known['SONAME']}": known["LIBRARY"], f"{libdir}/libheddle.so": known["SONAME"]}
    return whole, links


def write(root, whole, links):
    """Replace each file, so that a running program keeps its library."""
    for path, data in whole.items():
        name = os.path.join(root, path)
        with open(name + ".new", "wb") as file:
            file.write(data)
        os.chmod(name + ".new", 0o755 if ".so" in os.path.basename(path) else 0o644)
        os.replace(name + ".new", name)
    for path, target in links.items():
        name = os.path.join(root, path)
        if os.path.lexists(name):
            os.remove(name)
        os.symlink(target, name)

