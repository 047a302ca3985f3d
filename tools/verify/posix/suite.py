"""A suite: programs that are built and run in several ways."""

import shutil
import tempfile

from .ways import Outcome


class Suite:
    """What each suite says of itself, and the functions that raise NotImplementedError here."""

    name = title = ""
    known = ""  # the path of the list of what is known not to pass
    shows_parts = False

    def owns(self, name):
        """Whether a test or part of this name, or the suite itself, can only be here. Needs no sources."""
        raise NotImplementedError

    def programs(self):
        """The names of all, in order. Raises sources.Missing."""
        raise NotImplementedError

    def part(self, name):
        raise NotImplementedError

    def left_out(self, name):
        """Why it is neither built nor run, or None."""
        del name

    def strand(self, name):
        """Programs of one strand do not run at the same time."""
        return name

    def prepare(self, way, folder):
        """What all programs are linked with, in a folder that is there until the last has run."""

    def build(self, name, way, target):
        """The errors of the compiler or the linker."""
        raise NotImplementedError

    def run(self, name, way, target, folder):
        """The outcome of running it in the folder."""
        raise NotImplementedError

    def judge(self, name, way):
        """Build and run it in a folder of its own."""
        folder = tempfile.mkdtemp(prefix="heddle-posix-")
        try:
            target = f"{folder}/program"
            complaints = self.build(name, way, target)
            if complaints:
                return Outcome("not-built", complaints)
            return self.run(name, way, target, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
