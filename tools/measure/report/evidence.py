"""All results together, except those of other versions of the code than the newest."""

import collections
from dataclasses import dataclass, field

from . import reading, validation


@dataclass
class Evidence:
    measurements: list = field(default_factory=list)
    failures: list = field(default_factory=list)  # measurements without samples
    troubles: list = field(default_factory=list)
    validation: tuple = ([], 0)  # what validation.read() gives

    def find(self, row, **conditions):
        """The measurements of a row for which each named attribute or parameter has that value, or one of a tuple."""
        return matching(self.measurements, row, conditions)

    def find_failed(self, row, **conditions):
        """The same of what failed, which may lack the variant."""
        return matching(self.failures, row, {name: value for name, value in conditions.items() if name != "variant"})

    def troubles_of(self, about):
        """What went wrong with some rows, given as pairs of a file and a row."""
        return [trouble for trouble in self.troubles if (trouble.source, trouble.row) in about]

    def sources(self):
        return {found.source for found in self.measurements}

    def versions(self, name):
        """All values that lines have for a version, such as "compiler", the most frequent first."""
        counts = collections.Counter()
        for found in self.measurements:
            if version(found, name):
                counts[version(found, name)] += 1
        return [version for version, _ in counts.most_common()]

    def dates(self):
        return sorted(found.origin["date"] for found in self.measurements if found.origin["date"])


def matching(measurements, row, conditions):
    wanted = {name: tuple(map(str, value)) if isinstance(value, tuple) else (str(value),)
              for name, value in conditions.items()}
    return [found for found in measurements if found.row == row
            and all(found.value(name) in values for name, values in wanted.items())]


def version(found, name):
    return str(found.origin["versions"].get(name, ""))


def tree(text):
    """A version of the tree, ignoring uncommitted changes."""
    return text.removesuffix("-dirty")


def stale(found, why):
    """The troubles of lines that are left out, one for each file and version."""
    counts = collections.Counter((item.source, why(item)) for item in found)
    return [
        reading.Trouble(source, 0, "", "", f"{count} line{' is' if count == 1 else 's are'} left out: {reason}")
        for (source, reason), count in counts.items()
    ]


def same_code(found):
    """(measurements of the newest code of each setting, the others) of the suite."""
    newest = {}
    for item in sorted(found, key=lambda item: (item.origin["date"], item.line)):
        newest[item.setting] = version(item, "code")
    kept = [item for item in found if version(item, "code") == newest[item.setting]]
    return kept, [item for item in found if version(item, "code") != newest[item.setting]]


def load(folder):
    """Everything in a folder."""
    evidence = Evidence(validation=validation.read(folder))
    trees = set()
    for source in reading.FILES:
        found, troubles = reading.read_file(folder, source)
        evidence.troubles += troubles
        failed = [trouble.failed for trouble in troubles if trouble.failed]
        if source == "heddle":
            found, old = same_code(found)
            newest = same_code(failed + found)[0]
            failed = [item for item in failed if item in newest]
            evidence.troubles += stale(old, lambda item: f"measured with another version, {version(item, 'heddle')}")
            trees = {tree(version(item, "heddle")) for item in found}
        else:
            old = [item for item in found if trees and version(item, "heddle")
                   and tree(version(item, "heddle")) not in trees]
            evidence.troubles += stale(
                old, lambda item: f"measured with version {version(item, 'heddle')}, the suite with {min(trees)}"
            )
            found = [item for item in found if item not in old]
        evidence.measurements += found
        evidence.failures += failed
    return evidence
