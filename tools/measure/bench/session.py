"""A session of measurements: the groups of a plan, interleaved, resumed where an earlier session ended."""

import os

from harness import parallel

from . import plan, records, runner


class Session:
    """Measures what `path` does not hold yet."""

    def __init__(self, path, origin, progress, versions, make_runner=runner.Runner):
        self.path, self.origin, self.progress = path, origin, progress
        self.versions = versions  # of the code, for each setting
        self.make_runner = make_runner
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        records.keep_whole(path)
        self.finished = {records.key_of(line) for line in records.read(path) if "failure" not in line}
        self.failures = 0

    def missing(self, group):
        """The points of a group that are not measured yet."""
        code = self.versions[group.machine.setting]
        return [point for point in group.points
                if records.key(group.machine, point, code, group.samples) not in self.finished]

    def expected(self, groups):
        """Seconds that are ahead, guessed."""
        return sum(group.seconds * group.samples * len(self.missing(group)) for group in groups)

    def measure(self, group):
        """All rounds of a group; its lines are kept when the last is over."""
        points = self.missing(group)
        if not points:
            return
        found = {point: {} for point in points}  # variant: result lines
        commands, failures = {}, {}
        machine = self.make_runner(group.machine)
        for turn in range(group.samples):
            self.progress.title(f"{group.describe()}, run {turn + 1} of {group.samples}")
            going = [point for point in points if point not in failures]
            self.run(group, machine, machine.batches(going), found, commands, failures)
        self.keep(group, points, found, commands, failures)

    def run(self, group, machine, batches, found, commands, failures):
        """One turn. What is simulated takes no notice of what runs beside it, and all else takes turns."""
        def take(number, results):
            for point, command, lines, sentence in results:
                commands[point] = command
                if sentence:
                    failures[point] = sentence
                for line in lines:
                    found[point].setdefault(line["variant"], []).append(line)
            self.progress.add(group.seconds * len(batches[number]))
            if machine_is_simulated:
                self.progress.title(f"{group.describe()}, {batches[number][0].describe()}")

        machine_is_simulated = group.machine.setting == plan.SIMULATED
        if machine_is_simulated:
            parallel.results([lambda batch=batch: list(machine.run(batch)) for batch in batches], take)
            return
        for number, batch in enumerate(batches):
            take(number, machine.run(batch))

    def keep(self, group, points, found, commands, failures):
        code = self.versions[group.machine.setting]
        lines = []
        for point in points:
            base = records.common(group, point, commands.get(point, []), code, self.origin)
            if point in failures:
                self.failures += 1
                self.progress.say(f"bench: {group.machine.describe()}: {point.describe()}: {failures[point]}")
                lines.append(records.failed(base, failures[point]))
                continue
            lines += [records.measured(base, variant, runs) for variant, runs in found[point].items()]
        records.append(self.path, lines)
