"""Commands for GDB about tasks: heddle tasks, heddle backtrace TASK, heddle processors.

Read by `gdb PROGRAM -x tools/gdb.py`: for the kernel under `make debug`, the hosted program, or a core file of it.
The program must be stopped after the scheduler's start; the commands change nothing in it.
"""

import gdb

TASK_FREE = 0
# In the word of a task's wait the phase lies below this (sched/wait.h).
WAITS_ONE = 8
# Where a switch leaves the frame pointer of a task, counted from its stack pointer; the return address
# follows (arch/x86_64/switch.h).
SAVED_FRAME = 8
WORD = 8
# The bytes after the call of a check (quantum.asm), and the first instructions of a function that makes a frame.
CHECK_WORD, CHECK_WORD_SIZE = b"\x0f\x1f\x80", 7
JUMP_SHORT, JUMP = 0xEB, 0xE9
PUSH_FRAME_POINTER = b"\x55"
# The function that runs another one on a further piece of stack (grow.asm), and how it is called.
GROWTH = "__morestack"
CALL, CALL_SIZE = 0xE8, 5
# The first piece of a growing stack is the rest of the task's block (sched/task.h).
TASK_BLOCK = 1088
# Slabs in the first block of a pool's directory (kernel/pool.c).
DIRECTORY_FIRST = 256


def value_of(expression):
    return gdb.parse_and_eval(expression)


def constant(name):
    """An enumerator, or the address of what is named &NAME."""
    return int(value_of(name))


def number_of(value):
    """A number, also from C's _Atomic types."""
    return int(value.cast(value.type.unqualified()))


def word_at(address):
    pointer = gdb.lookup_type("unsigned long").pointer()
    return int(gdb.Value(address).cast(pointer).dereference())


def objects_of(pool, type_name):
    """Every object that a pool (kernel/pool.c) ever made."""
    pointer = gdb.lookup_type(type_name).pointer()
    state = pool["state"]
    if int(state) == 0:
        return
    first = DIRECTORY_FIRST
    slab_type = gdb.lookup_type("struct slab").pointer()
    for number in range(number_of(state["slab_count"])):
        block = (number // first + 1).bit_length() - 1
        directory = state["directory"][block]
        slab = directory.cast(slab_type)[number - ((1 << block) - 1) * first]
        memory = int(slab["memory"].cast(gdb.lookup_type("unsigned long")))
        for place in range(number_of(slab["made"])):
            yield gdb.Value(memory + place * int(state["spacing"])).cast(pointer).dereference()


def all_tasks():
    pool = value_of("'sched/task_memory.c'::task_pool")
    return [task for task in objects_of(pool, "struct task") if number_of(task["state"]) != TASK_FREE]


def schedulers():
    """(processor, scheduler) of each processor with a scheduler."""
    processors = value_of("processors")
    for index in range(int(value_of("processor_count"))):
        processor = processors[index]
        if int(processor["scheduler"]):
            yield processor, processor["scheduler"].dereference()


def running():
    """The processor of each running task, by the task's address."""
    return {int(scheduler["current"]): int(processor["index"]) for processor, scheduler in schedulers()}


def task_number(task):
    return int(task["pooled"]["number"])


def priority_of(task):
    """As programs have it (heddle/task.h), not the scheduler's level."""
    return int(task["schedule"]["priority"]) + constant("HEDDLE_PRIORITY_IDLE")


def state_name(task, where):
    if int(task.address) in where:
        return f"running on processor {where[int(task.address)]}"
    if number_of(task["state"]) == constant("TASK_ENDED"):
        return "ended, not joined yet"
    phase = number_of(task["wait"]["word"]) % WAITS_ONE
    if phase <= constant("WAIT_PREPARING"):
        return "ready"
    if phase == constant("WAIT_SUSPENDED"):
        return "suspended"
    waited = task["wait_cold"]["object"]
    if int(waited["kind"]) == constant("&wait_for_end") and int(task["waits_for"]):
        return f"waits for the end of task {task_number(task['waits_for'].dereference())}"
    if int(waited["kind"]) == constant("&wait_for_time"):
        return f"sleeps until {int(task['wait_cold']['timer']['deadline'])} ns"
    return f"waits for the {waited['kind'].string()} at {hex(int(waited['object']))}"


def place_of(address):
    """The function and line of an address."""
    block = gdb.block_for_pc(address)
    while block and not (block.function and block.superblock and not block.superblock.function and (
            block.superblock.is_static or block.superblock.is_global)):
        block = block.superblock  # out of what was inlined
    line = gdb.find_pc_line(address)
    symbol = gdb.execute(f"info symbol {address}", to_string=True).split(" ")[0]  # what is no C has only that
    name = block.function.print_name if block else symbol
    where = f" at {line.symtab.filename}:{line.line}" if line.symtab else ""
    return f"0x{address:016x} in {name}{where}"


def is_check_without_frame(address):
    """Whether a check there returns to a place where its function has not yet made its frame
    (arch/x86_64/context.c)."""
    code = bytes(gdb.selected_inferior().read_memory(address, 32))
    place = 0
    while code[place : place + 3] == CHECK_WORD:
        place += CHECK_WORD_SIZE
    size = {JUMP_SHORT: 2, JUMP: 5}.get(code[place], 0)
    if place == 0 or size == 0:
        return False
    distance = int.from_bytes(code[place + 1 : place + size], "little", signed=True)
    target = address + place + size + distance
    return bytes(gdb.selected_inferior().read_memory(target, 1)) == PUSH_FRAME_POINTER


def is_growth(address):
    return gdb.execute(f"info symbol {address}", to_string=True).split(" ")[0] == GROWTH


def is_growth_call(address):
    """Whether the instruction before that address calls __morestack, as a function does before it makes its frame."""
    code = bytes(gdb.selected_inferior().read_memory(address - CALL_SIZE, CALL_SIZE))
    return code[0] == CALL and is_growth(address + int.from_bytes(code[1:], "little", signed=True))


def pieces_of(task):
    """The bounds of each piece of a task's stack, the newest first."""
    context, segment = task["context"], task["segment"]
    yield int(context["stack_low"]), int(context["stack_low"]) + int(context["stack_size"])
    if not task["grows"] or not int(segment):
        return
    while int(segment["older"]):
        segment = segment["older"]
        yield int(segment["canary"].address), int(segment) + int(segment["bytes"])
    yield int(task.address) + task.type.sizeof, int(task.address) + TASK_BLOCK


def back_trace(task):
    """The return addresses of a task that does not run, innermost first: everything keeps frame pointers."""
    pieces = list(pieces_of(task))
    frame = int(task["context"]["stack_pointer"]) + SAVED_FRAME
    while pieces:
        low, high = pieces[0]
        if not low <= frame <= high - 2 * WORD:
            del pieces[0]
            continue
        # The byte before a return address belongs to the call.
        address = word_at(frame + WORD)
        if address == 0 or gdb.block_for_pc(address - 1) is None:
            return
        grown = is_growth_call(address)
        if not grown and not is_growth(address - 1):
            yield address - 1
        if grown or is_check_without_frame(address):
            yield word_at(frame + 2 * WORD) - 1
        outer = word_at(frame)
        if low <= outer <= frame:
            return
        frame = outer


class Heddle(gdb.Command):
    """Heddle's tasks and processors: heddle tasks, heddle backtrace TASK, heddle processors."""

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE, True)


class Tasks(gdb.Command):
    """heddle tasks: list the tasks, with what each waits for."""

    def __init__(self):
        super().__init__("heddle tasks", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        del argument, from_tty
        where = running()
        tasks = all_tasks()
        for task in tasks:
            bound = int(task["schedule"]["bound"])
            place = f", bound to processor {bound}" if bound >= 0 else ""
            function = str(task["function"]).split("<")[-1].rstrip(">")
            name = task["name"].string("ascii", "replace")
            gdb.write(
                f"{task_number(task):6}  {name:24} priority {priority_of(task)}  {function:24} "
                f"{state_name(task, where)}{place}\n"
            )
        gdb.write(f"{len(tasks)} tasks\n")


def chosen_task(word, where):
    """The task with a number, or the first one with a name that does not run."""
    for task in all_tasks():
        if word.isdigit() and task_number(task) == int(word):
            return task
        if task["name"].string("ascii", "replace") == word and int(task.address) not in where:
            return task
    raise gdb.GdbError(f"there is no task {word}; heddle tasks lists them")


class Backtrace(gdb.Command):
    """heddle backtrace TASK: the back trace of a task that is not running, by its number or name (see heddle tasks)."""

    def __init__(self):
        super().__init__("heddle backtrace", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        del from_tty
        where = running()
        task = chosen_task(argument.strip(), where)
        if int(task.address) in where:
            raise gdb.GdbError(
                f"task {argument} runs on processor {where[int(task.address)]}: choose that with the command thread, "
                "then type backtrace"
            )
        if state_name(task, where).startswith("ended"):
            raise gdb.GdbError(f"task {argument} has ended: it has no stack any more")
        for level, address in enumerate(back_trace(task)):
            gdb.write(f"#{level:<3} {place_of(address)}\n")


class Processors(gdb.Command):
    """heddle processors: what each processor runs, and how often it has switched."""

    def __init__(self):
        super().__init__("heddle processors", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        del argument, from_tty
        for processor, scheduler in schedulers():
            task = scheduler["current"].dereference()
            idle = int(scheduler["current"]) == int(scheduler["idle_task"])
            what = "idle" if idle else f"task {task_number(task)} ({task['name'].string('ascii', 'replace')})"
            switches = number_of(scheduler["counters"]["switches"])
            gdb.write(f"{int(processor['index']):5}  node {int(processor['node'])}  {switches:12} switches  {what}\n")


for command in (Heddle, Tasks, Backtrace, Processors):
    command()
