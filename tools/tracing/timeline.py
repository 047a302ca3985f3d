"""Derives what happened from events: turns of tasks, waits and what ended them, holders of locks."""

from dataclasses import dataclass, field

from . import area

NO_TASK = None
IDLE = "idle"


@dataclass(eq=False)
class Task:
    number: int
    name: str
    born: int = None  # nanoseconds; None: before the trace
    died: int = None
    processor: int = None  # where it last ran
    state: str = "unknown"  # or "ready", "running", "waiting"
    wait: "Wait" = None  # the present one
    maker: "Run" = None  # the run that created it
    runs: list = field(default_factory=list)

    def label(self):
        return f"{self.name} ({self.number})"


@dataclass(eq=False)
class Run:
    task: Task
    processor: int
    begin: int
    end: int = None
    grants: list = field(default_factory=list)  # hand-overs that it made
    by: "Wait" = None  # the wait that ended before it
    before: "Run" = None  # the task's run before


@dataclass(eq=False)
class Wait:
    task: Task
    kind: str
    place: int
    begin: int
    end: int = None  # when it was granted; None: it was not
    giver: object = NO_TASK  # the task that ended it, IDLE, or NO_TASK: its deadline did
    giver_run: Run = None
    run: Run = None  # the run that followed

    def what(self):
        return f"{self.kind} at {self.place:#x}" if self.place else self.kind


@dataclass(eq=False)
class Hold:
    task: Task
    begin: int
    end: int = None


@dataclass(eq=False)
class Lock:
    place: int
    kind: str
    holds: list = field(default_factory=list)


@dataclass(eq=False)
class Timeline:
    trace: area.Trace
    runs: list = field(default_factory=list)  # for each processor, of tasks that are not idle
    waits: list = field(default_factory=list)
    locks: dict = field(default_factory=dict)
    ready: list = field(default_factory=list)  # (time, how many tasks are ready and do not run)
    idle: list = field(default_factory=list)  # (time, how many processors have nothing to run)
    halts: list = field(default_factory=list)  # for each processor: (begin, end)
    counts: dict = field(default_factory=dict)  # of events, by kind
    taken: int = 0  # tasks, from other processors' queues
    migrations: int = 0  # tasks that run on another processor than before
    begin: int = 0
    end: int = 0


class Builder:
    """Goes through the events once."""

    def __init__(self, trace):
        self.trace = trace
        self.line = Timeline(trace)
        self.tasks = {}
        processors = range(len(trace.rings))
        self.idle_numbers = {ring.idle_task for ring in trace.rings}
        self.current = [self.first_task(processor) for processor in processors]
        self.before = [None for _ in processors]  # the task that the processor left last
        self.run = [None for _ in processors]
        self.before_run = [None for _ in processors]
        self.held = {}
        self.ready_count = 0
        self.halted = {}
        self.line.runs = [[] for _ in processors]
        self.line.halts = [[] for _ in processors]

    def first_task(self, processor):
        """The task that a processor runs when its events begin: its first switch says which task it left."""
        ring = self.trace.rings[processor]
        if ring.lost() == 0:
            return self.task(ring.idle_task)
        for event in self.trace.events:
            if event.processor == processor and event.kind == area.SWITCH:
                return self.task(event.place)
        return None

    def name_of(self, number):
        if number in self.idle_numbers:
            return "idle"
        name, always = self.trace.names.get(number, ("task", True))
        return name if always else f"{name}, or another name"

    def task(self, number):
        if number not in self.tasks:
            self.tasks[number] = Task(number, self.name_of(number))
        return self.tasks[number]

    def is_idle(self, task):
        return task is not None and task.number in self.idle_numbers

    def build(self):
        events, line = self.trace.events, self.line
        if events:
            line.begin, line.end = events[0].time, events[-1].time
        for processor, task in enumerate(self.current):
            if task and not self.is_idle(task):
                self.start(processor, task, line.begin)
        self.count(line.begin)
        for event in events:
            line.counts[event.kind] = line.counts.get(event.kind, 0) + 1
            HANDLERS[event.kind](self, event)
        for processor, run in enumerate(self.run):
            if run:
                run.end = line.end
        for lock, hold in self.held.values():
            hold.end = line.end
        for processor, begin in self.halted.items():
            line.halts[processor].append((begin, line.end))
        return line

    # ------------------------------------------------------------------------------------------- states

    def become(self, task, state):
        if self.is_idle(task):
            return
        self.ready_count += (state == "ready") - (task.state == "ready")
        task.state = state

    def count(self, time):
        """Record both counters, if they have changed."""
        idle = sum(self.is_idle(task) for task in self.current)
        for counter, value in ((self.line.ready, self.ready_count), (self.line.idle, idle)):
            if not counter or counter[-1][1] != value:
                counter.append((time, value))

    def start(self, processor, task, time):
        run = Run(task, processor, time, before=task.runs[-1] if task.runs else None)
        if task.wait and task.wait.end is not None:
            run.by = task.wait
            task.wait.run = run
            task.wait = None
        if task.processor not in (None, processor):
            self.line.migrations += 1
        task.processor = processor
        task.runs.append(run)
        self.line.runs[processor].append(run)
        self.run[processor] = run
        self.become(task, "running")

    def finish(self, processor, time):
        run = self.run[processor]
        self.before_run[processor] = run
        self.run[processor] = None
        if run is None:
            return
        run.end = time
        task = run.task
        if task.died is not None:
            self.become(task, "dead")
        elif task.wait is not None and task.wait.end is None:
            self.become(task, "waiting")
        else:
            self.become(task, "ready")

    def end_wait(self, event, giver, run):
        task = self.task(event.number)
        wait = task.wait
        if wait is None or wait.end is not None:
            if task.state in ("running", "ready"):
                return  # its beginning is lost, or so is its switch
            wait = Wait(task, "something", event.place, self.line.begin)
            self.add_wait(task, wait)
        wait.end, wait.giver, wait.giver_run = event.time, giver, run
        if run is not None:
            run.grants.append(wait)
        if task.state != "running":
            self.become(task, "ready")
        self.count(event.time)

    def add_wait(self, task, wait):
        task.wait = wait
        self.line.waits.append(wait)

    # ------------------------------------------------------------------------------------------- events

    def on_switch(self, event):
        processor = event.processor
        self.before[processor] = self.current[processor]
        self.finish(processor, event.time)
        task = self.task(event.number)
        self.current[processor] = task
        if not self.is_idle(task):
            self.start(processor, task, event.time)
        self.count(event.time)

    def on_wait(self, event):
        task = self.current[event.processor]
        if task is not None:
            kind = self.trace.kinds.get(event.number, "something")
            self.add_wait(task, Wait(task, kind, event.place, event.time))

    def on_grant(self, event):
        giver = self.current[event.processor]
        self.end_wait(event, IDLE if self.is_idle(giver) else giver, self.run[event.processor])

    def on_grant_left(self, event):
        giver = self.before[event.processor]
        self.end_wait(event, IDLE if self.is_idle(giver) else giver, self.before_run[event.processor])

    def on_expire(self, event):
        self.end_wait(event, NO_TASK, None)

    def on_revoke(self, event):
        wait = self.task(event.number).wait
        if wait is None:
            return
        if wait.giver_run is not None:
            wait.giver_run.grants.remove(wait)
        wait.end = wait.giver = wait.giver_run = None
        self.become(wait.task, "waiting")
        self.count(event.time)

    def on_acquire(self, event):
        task = self.current[event.processor]
        lock = self.line.locks.setdefault(event.place, Lock(event.place, self.trace.kinds.get(event.number, "lock")))
        self.release(event.place, event.time)
        hold = Hold(task, event.time)
        lock.holds.append(hold)
        self.held[event.place] = lock, hold

    def release(self, place, time):
        _, hold = self.held.pop(place, (None, None))
        if hold:
            hold.end = time

    def on_release(self, event):
        self.release(event.place, event.time)

    def on_create(self, event):
        self.tasks.pop(event.number, None)
        task = self.task(event.number)
        task.born, task.maker = event.time, self.run[event.processor]
        self.become(task, "ready")
        self.count(event.time)

    def on_end(self, event):
        self.task(event.number).died = event.time

    def on_halt(self, event):
        self.halted[event.processor] = event.time

    def on_run(self, event):
        begin = self.halted.pop(event.processor, None)
        if begin is not None:
            self.line.halts[event.processor].append((begin, event.time))

    def on_wake(self, event):
        pass

    def on_take(self, event):
        self.line.taken += event.number


HANDLERS = {
    area.SWITCH: Builder.on_switch, area.WAIT: Builder.on_wait, area.GRANT: Builder.on_grant,
    area.GRANT_LEFT: Builder.on_grant_left, area.EXPIRE: Builder.on_expire, area.REVOKE: Builder.on_revoke,
    area.ACQUIRE: Builder.on_acquire, area.RELEASE: Builder.on_release, area.CREATE: Builder.on_create,
    area.END: Builder.on_end, area.HALT: Builder.on_halt, area.RUN: Builder.on_run, area.WAKE: Builder.on_wake,
    area.TAKE: Builder.on_take,
}


def build(trace):
    return Builder(trace).build()
