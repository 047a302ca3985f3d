"""A session of measurements: the groups of a plan, interleaved, resumed where an earlier session ended."""

import os

from harness import origin, parallel

from . import plan, records, runner


class Session:
    """Measures what `path` does not hold yet."""

    def __init__(self, path, where, progress, versions, make_runner=runner.Runner):
        self.path, self.origin, self.progress = path, where, progress
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

    def measure(self, family):
        """All turns of some groups, whose lines are kept when the last is over. In each turn each of their points is
        measured once."""
        missing = [(group, self.missing(group)) for group in family]
        measured = [Measured(group, points, self.make_runner(group.machine)) for group, points in missing if points]
        start = origin.now()
        for number in range(max((one.group.samples for one in measured), default=0)):
            for one in measured:
                self.progress.title(f"{one.group.describe()}, run {number + 1} of {one.group.samples}")
                self.run(one, origin.turn(start, number))
        for one in measured:
            self.keep(one)

    def run(self, one, turn):
        """One turn. What is simulated takes no notice of what runs beside it, and all else takes turns."""
        def take(number, results):
            one.take(turn, results)
            self.progress.add(one.group.seconds * len(batches[number]))
            if machine_is_simulated:
                self.progress.title(f"{one.group.describe()}, {batches[number][0].describe()}")

        batches = one.runner.batches([point for point in one.points if point not in one.failures])
        machine_is_simulated = one.group.machine.setting == plan.SIMULATED
        if machine_is_simulated:
            parallel.results([lambda batch=batch: list(one.runner.run(batch)) for batch in batches], take)
            return
        for number, batch in enumerate(batches):
            take(number, one.runner.run(batch))

    def keep(self, one):
        group, lines = one.group, []
        for point in one.points:
            base = records.common(group, point, one.commands.get(point, []), self.versions[group.machine.setting],
                                  self.origin)
            if point in one.failures:
                self.failures += 1
                self.progress.say(f"bench: {group.machine.describe()}: {point.describe()}: {one.failures[point]}")
                lines.append(records.failed(base, one.failures[point]))
                continue
            lines += [records.measured(base, variant, runs) for variant, runs in one.found[point].items()]
        records.append(self.path, lines)


class Measured:
    """What came of the points of a group so far."""

    def __init__(self, group, points, machine):
        self.group, self.points, self.runner = group, points, machine
        self.found = {point: {} for point in points}  # variant: pairs of the turn and a result line
        self.commands, self.failures = {}, {}

    def take(self, turn, results):
        for point, command, lines, sentence in results:
            self.commands[point] = command
            if sentence:
                self.failures[point] = sentence
            for line in lines:
                self.found[point].setdefault(line["variant"], []).append((turn, line))
