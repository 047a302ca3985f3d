"""The kernel of this machine's distribution (Debian, Ubuntu), and the archive that it unpacks as its initial file
system.

The kernel's package is downloaded and unpacked in build/linux/, not installed: neither root nor a change of the
machine is needed. A package that only depends on the newest kernel says which one that is."""

import os
import re
import shutil
import subprocess
import tarfile

FOLDER = "build/linux/distribution"
# The smallest kernels of a distribution: for virtual machines.
NEWEST = ("linux-image-cloud-amd64", "linux-image-virtual")
LIMIT = 300  # seconds for a command
ARCHIVE_END = "TRAILER!!!"
DIRECTORY, PROGRAM = 0o040755, 0o100755


class Failure(Exception):
    """There is no kernel; the text says why, and what to do."""


def command(*words, folder=None):
    """The output of a command; Failure with its error message."""
    try:
        done = subprocess.run(
            words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"{words[0]} took longer than {LIMIT} s; is the network reachable?") from None
    except OSError as error:
        raise Failure(f"{words[0]}: {error.strerror}") from None
    if done.returncode != 0:
        said = re.findall(r"^[EW]: (.*)", done.stderr, re.MULTILINE) or done.stderr.split("\n")
        raise Failure(f"{' '.join(words[:2])} failed: {said[0]}")
    return done.stdout


def kernel_package():
    """The name of the package with the newest kernel."""
    for tool in ("apt-get", "apt-cache", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise Failure(f"the kernel comes from a package, for which {tool} is needed; or set LINUX_KERNEL=FILE")
    for name in NEWEST:
        found = re.search(r"Depends: (linux-image-\d\S+)", command("apt-cache", "depends", name) if known(name) else "")
        if found:
            return found[1]
    raise Failure(
        f"apt knows none of {', '.join(NEWEST)}: `apt-get update` fetches its lists; or set LINUX_KERNEL=FILE"
    )


def known(name):
    return bool(command("apt-cache", "pkgnames", name).split())


def kernel_of(package, folder):
    """Extract the kernel from a downloaded package; returns its path."""
    words = ["dpkg-deb", "--fsys-tarfile", package]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as unpacker:
        try:
            with tarfile.open(fileobj=unpacker.stdout, mode="r|") as files:
                for member in files:
                    name = os.path.basename(member.name)
                    if member.isfile() and name.startswith("vmlinuz-"):
                        path = os.path.join(folder, name)
                        with open(path + ".partial", "wb") as kernel:
                            shutil.copyfileobj(files.extractfile(member), kernel)
                        os.rename(path + ".partial", path)
                        return path
        except (tarfile.TarError, EOFError) as error:
            raise Failure(f"{os.path.basename(package)} cannot be unpacked ({error})") from None
        finally:
            unpacker.kill()
    raise Failure(f"{os.path.basename(package)} holds no kernel")


def fetch(say):
    """The path of a kernel: an existing one, else that of the distribution's package."""
    os.makedirs(FOLDER, exist_ok=True)
    there = sorted(name for name in os.listdir(FOLDER) if re.fullmatch(r"vmlinuz-[\w.+-]+(?<!\.partial)", name))
    if there:
        return os.path.join(FOLDER, there[-1])
    package = kernel_package()
    say(f"fetching {package}, into {FOLDER}/")
    command("apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", package, folder=FOLDER)
    archives = [name for name in os.listdir(FOLDER) if name.startswith(f"{package}_") and name.endswith(".deb")]
    if not archives:
        raise Failure(f"apt-get download {package} brought no package")
    archive = os.path.join(FOLDER, archives[0])
    path = kernel_of(archive, FOLDER)
    os.remove(archive)
    return path


def entry(number, name, mode, data=b""):
    """One file of an archive as `cpio --format=newc` writes it: a header in hexadecimal digits, name and contents."""
    encoded = name.encode() + b"\0"
    fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(encoded), 0)
    header = b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
    return header + bytes(-len(header) % 4) + data + bytes(-len(data) % 4)


def pack(program, path):
    """Write the archive of the initial file system: the program, which the kernel starts as /init, and two empty
    folders."""
    with open(program, "rb") as file:
        contents = file.read()
    parts = [entry(1, "proc", DIRECTORY), entry(2, "sys", DIRECTORY), entry(3, "init", PROGRAM, contents)]
    with open(path, "wb") as archive:
        archive.write(b"".join([*parts, entry(0, ARCHIVE_END, 0)]))
    return path
