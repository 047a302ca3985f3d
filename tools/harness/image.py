"""Boot images: the kernel, GRUB and a menu in one file that starts from a CD or USB stick, under BIOS and UEFI."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass

# The modules that the menu below and grub-mkrescue's own start-up use; all of GRUB would make the image four times as
# large.
MODULES = (
    "multiboot2 normal configfile test echo serial terminal all_video part_acorn part_amiga part_apple part_bsd "
    "part_dfly part_dvh part_gpt part_msdos part_plan part_sun part_sunpc"
)
FAILED = "GRUB could not load the kernel"
IMAGES_KEPT = 20
SUFFIX = ".iso"  # of cached images

# multiboot2 has set that variable. UEFI has no text screen; asking for one there gives no screen at all.
TEXT_SCREEN = '\tif [ "$grub_platform" = pc ]; then set gfxpayload=text; fi'

# GRUB's own message is on the screen only; this one also goes to the serial line, which an emulator's runner reads.
NOT_LOADED = ["\tserial --unit=0 --speed=115200", "\tterminal_output --append serial", f"\techo '{FAILED}'"]

ELF64 = b"\x7fELF\x02"
MULTIBOOT2, MULTIBOOT2_WITHIN = (0xE85250D6).to_bytes(4, "little"), 32768


class ImageFailure(Exception):
    """The image could not be made; the text says why."""


@dataclass
class Entry:
    """An entry of the boot menu."""

    title: str
    words: list  # of the command line
    text: bool = False  # on the firmware's text screen, if it has one; else in the screen's own resolution


def quote(word):
    """A word of the command line, quoted for GRUB's shell."""
    if not word.isprintable() or not word.isascii():
        raise ImageFailure(f"the command line may hold printable ASCII only, not {word!r}")
    return "'" + word.replace("'", "'\\''") + "'"


def menu(entries, timeout):
    """The text of grub.cfg."""
    lines = [
        f"set timeout={timeout}",
        "set default=0",
        "# Under UEFI there is no framebuffer without the drivers; under BIOS they take a missing screen for one.",
        'if [ "$grub_platform" = efi ]; then insmod all_video; fi',
    ]
    for entry in entries:
        command_line = " ".join(quote(word) for word in entry.words)
        lines += [
            f"menuentry {quote(entry.title)} {{",
            f"\tif multiboot2 /boot/heddle.elf {command_line}".rstrip() + "; then",
            *([TEXT_SCREEN] if entry.text else []),
            "\t\tboot",
            "\tfi",
            *NOT_LOADED,
            "}",
        ]
    return "\n".join(lines) + "\n"


def check_kernel(path):
    """Refuse a file that GRUB could not boot: a kernel is an ELF64 file with a Multiboot2 header near its start."""
    if not os.path.exists(path):
        raise ImageFailure(f"{path} is not there; `make kernel` builds it")
    with open(path, "rb") as file:
        start = file.read(MULTIBOOT2_WITHIN)
    headers = (start[place : place + 4] for place in range(0, len(start), 8))
    if not start.startswith(ELF64) or MULTIBOOT2 not in headers:
        raise ImageFailure(f"{path} is no kernel (an ELF64 file with a Multiboot2 header); `make kernel` builds one")


def make(kernel, entries, timeout, output):
    """Write an image to `output`."""
    check_kernel(kernel)
    program = shutil.which("grub-mkrescue")
    if program is None:
        raise ImageFailure("grub-mkrescue is not installed; `make setup` installs it")
    os.makedirs(os.path.dirname(output) or ".", exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(output) or ".") as folder:
        os.makedirs(os.path.join(folder, "tree", "boot", "grub"))
        shutil.copyfile(kernel, os.path.join(folder, "tree", "boot", "heddle.elf"))
        with open(os.path.join(folder, "tree", "boot", "grub", "grub.cfg"), "w", encoding="ascii") as file:
            file.write(menu(entries, timeout))
        made = os.path.join(folder, "image.iso")
        command = [
            program, "-o", made, "--locales=", "--fonts=", "--themes=", f"--install-modules={MODULES}",
            os.path.join(folder, "tree"),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0 or not os.path.exists(made):
            last = "\n".join(done.stderr.strip().splitlines()[-5:])
            raise ImageFailure(f"grub-mkrescue failed with exit code {done.returncode}:\n{last}")
        os.replace(made, output)
    return output


def forget_old(folder):
    """Keep the newest images."""
    images = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(SUFFIX)]
    for path in sorted(images, key=os.path.getmtime)[:-IMAGES_KEPT]:
        os.remove(path)


def cached(kernel, words, folder):
    """An image that boots `kernel` with the command line `words` at once; it is made only if it does not exist
    yet."""
    digest = hashlib.sha256()
    with open(kernel, "rb") as file:
        digest.update(file.read())
    entries = [Entry("Heddle", words)]
    text = menu(entries, 0)
    digest.update(f"{MODULES}\n{text}".encode())
    path = os.path.join(folder, digest.hexdigest()[:24] + SUFFIX)
    if os.path.exists(path):
        os.utime(path)
        return path
    make(kernel, entries, 0, path)
    forget_old(folder)
    return path
