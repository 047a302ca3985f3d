"""When something goes wrong, the report says what happened, where, and in which task, and the machine ends as it
should."""

import re

from harness import emulator, explain

from . import hosted
from .case import Group, verdict

KERNEL = "build/kernel-debug/heddle.elf"

# What happens; the setting of run=misbehave, or the run; how it ends; what must be printed, in this order. A
# processor that is found at the first instruction of a function has not made its frame yet, so its back trace may
# lack the caller.
SUCCESS, FAILURE, PANIC = "success", "failure", "panic"
WRONG = (
    ("a fault in a task", "how=fault", SUCCESS, (r"task faulty \(\d+\) ends", r"write_nowhere\+", r"ended by a fault")),
    ("a stack overflow", "how=overflow", SUCCESS, (r"task deep \(\d+\) ends: stack overflow",
                                                   r"recurse\+0x\w+, \d+ times", r"task_entry\+",
                                                   r"ended by a fault")),
    ("a deadlock", "how=deadlock", FAILURE, (r"deadlock", r"task main .* waits for the end of task forgotten",
                                             r"task forgotten .* suspended")),
    ("a task that does not switch", "how=stuck,seconds=4", SUCCESS, (r"has not switched", r"runs task stuck",
                                                                      r"(stay_busy|clock)\+", r"no error")),
    ("a panic", "how=panic", PANIC, (r"^panic: asked for", r"running task main", r"program_run_words\+")),
    ("a yield in an uncooperative region", "how=yield", PANIC, (
        r"^panic: task_yield\(\) in task rude \(\d+\).*uncooperative.*call it", r"running task rude",
        r"yield_uncooperative\+")),
    ("an end of an uncooperative region that was not begun", "how=end", PANIC, (
        r"^panic: uncooperative_end\(\) in task confused \(\d+\).*no uncooperative_begin\(\)", r"end_without_begin\+")),
    ("a mutex locked twice", "how=relock", PANIC, (
        r"^panic: mutex_lock\(\) on the mutex at .* in task eager \(\d+\).*holds", r"lock_twice\+")),
    ("a mutex unlocked by another task", "how=unlock", PANIC, (
        r"^panic: mutex_unlock\(\) on the mutex at .* in task stranger \(\d+\).*does not hold", r"unlock_anyway\+")),
    ("a held mutex destroyed", "how=destroy", PANIC, (
        r"^panic: mutex_destroy\(\) on the mutex at .* in task hasty \(\d+\)", r"destroy_held\+")),
    ("a small object given back twice", "how=delete-twice", PANIC, (
        r"^panic: heddle_delete\(0x\w+\): nothing is in use there: it was given back before",
        r"running task generous", r"delete_wrongly\+")),
    ("memory that heddle_new() has not made", "how=delete-foreign", PANIC, (
        r"^panic: heddle_delete\(0x\w+\): nothing is in use there.*heddle_new\(\) has not made it",
        r"delete_wrongly\+")),
    ("too many permits", "how=release", PANIC, (
        r"^panic: semaphore_release\(\) on the semaphore at .* in task generous \(\d+\)", r"release_too_many\+")),
    ("a latch counted too far down", "how=count-down", PANIC, (
        r"^panic: latch_count_down\(\) on the latch at .* in task early \(\d+\)", r"count_too_far_down\+")),
    ("a task that ends while it holds a mutex", "how=end-holding", SUCCESS, (
        r"task forgetful \(\d+\) ends while it holds the mutex at", r"the next holder: .*ended")),
    ("two tasks that wait for each other's mutex", "how=circle", FAILURE, (
        r"deadlock", r"task main \(\d+\): waits for the mutex at .*, which task contrary \(\d+\) holds",
        r"a circle of waiting tasks", r"1 circles of waiting tasks")),
    ("an MCS lock locked twice", "run=misuse,how=relock", PANIC, (
        r"^panic: mcs_lock_lock\(\) on the MCS lock at .* in task contrary \(\d+\).*holds", r"lock_twice\+")),
    ("an MCS lock unlocked by another task", "run=misuse,how=unlock", PANIC, (
        r"^panic: mcs_lock_unlock\(\) on the MCS lock at .* in task contrary \(\d+\).*does not hold",
        r"unlock_anyway\+")),
    ("a held MCS lock destroyed", "run=misuse,how=destroy", PANIC, (
        r"^panic: mcs_lock_destroy\(\) on the MCS lock at .* in task contrary \(\d+\)", r"destroy_held\+")),
    ("a task that ends while it holds an MCS lock", "run=misuse,how=end", SUCCESS, (
        r"task contrary \(\d+\) ends while it holds 1 locks that are not handed on", )),
    ("two tasks that wait for each other's MCS lock", "run=misuse,how=circle", FAILURE, (
        r"deadlock", r"task main \(\d+\): waits for the MCS lock at .*, which task contrary \(\d+\) holds",
        r"a circle of waiting tasks", r"1 circles of waiting tasks")),
    ("a delegated section that switches", "how=switch-in-section", PANIC, (
        r"^panic: task_yield\(\) in task restless \(\d+\), in a section .* delegated to the qd lock at .*must not",
        r"yield_in_section\+")),
    ("a buffer that is never closed", "how=never-close", PANIC, (
        r"^panic: task_yield\(\) in task open \(\d+\), which has a buffer of the qd lock at .* open",
        r"never_close\+")),
    ("a buffer closed twice", "how=close-twice", PANIC, (
        r"^panic: qd_close_buffer\(\) on the qd lock at .* in task thorough \(\d+\).*closed before", r"close_twice\+")),
    ("a message larger than the queue", "how=delegate-too-much", PANIC, (
        r"^panic: qd_delegate\(\) on the qd lock at .* in task talkative \(\d+\).*larger than the whole queue",
        r"delegate_too_much\+")),
    ("a lock with delegation unlocked by another task", "how=unlock-delegation", PANIC, (
        r"^panic: qd_unlock\(\) on the qd lock at .* in task stranger \(\d+\).*does not hold", r"unlock_delegation\+")),
    ("a generator resumed after its end", "run=misuse_generator,how=ended", PANIC, (
        r"^panic: generator_resume\(\) on the generator at .* in task contrary \(\d+\): it has ended",
        r"generator_main\+", r"resume_to_the_end\+")),
    ("a generator resumed by itself", "run=misuse_generator,how=inside", PANIC, (
        r"^panic: generator_resume\(\) on the generator at .* in task contrary \(\d+\), which is running",
        r"resume_itself\+")),
    ("a generator that uses more than its stack", "run=misuse_generator,how=overflow", SUCCESS, (
        r"task contrary \(\d+\) ends: stack overflow: .* more than what is left of its stack .* does not grow",
        r"ended by a fault")),
    ("a generator that runs into a guard", "run=misuse_generator,how=guard", SUCCESS, (
        r"task contrary \(\d+\) ends: stack overflow of task contrary", r"recurse\+", r"ended by a fault")),
    ("a fault in the kernel", "how=kernel-fault", PANIC, (
        r"^panic: .*task_resume_body\+", r"\brax\b", r"program_run_words\+")),
)
HOSTED_STATUS = {
    SUCCESS: explain.HOSTED_SUCCESS, FAILURE: explain.HOSTED_FAILURE, PANIC: explain.HOSTED_PANIC,
}
KERNEL_STATUS = {
    SUCCESS: emulator.EXIT_SUCCESS, FAILURE: emulator.EXIT_FAILURE, PANIC: emulator.EXIT_PANIC,
}


def words(setting):
    return ["watchdog=1", setting if setting.startswith("run=") else f"run=misbehave,{setting}"]


def judged(name, outcome, wanted_status, patterns):
    lines = [*outcome.lines, *outcome.errors.splitlines()]
    sentences, rest = [], lines
    if outcome.timed_out:
        sentences.append("it hangs")
    elif outcome.status != wanted_status:
        sentences.append(f"it ended with status {outcome.status} instead of {wanted_status}")
    for pattern in patterns:
        place = next((number for number, line in enumerate(rest) if re.search(pattern, line)), None)
        if place is None:
            sentences.append(f"no line (or not at its place) matches \"{pattern}\"")
        else:
            rest = rest[place:]
    return verdict(name, [*sentences, "it printed:", *lines[-60:]] if sentences else [])


def in_hosted():
    cases = []
    for name, setting, ending, patterns in WRONG:
        outcome = hosted.run("hosted-debug", "processors=2", *words(setting), timeout=30)
        cases.append(judged(name, outcome, HOSTED_STATUS[ending], patterns))
    return cases


def in_kernel(processors):
    cases = []
    for name, setting, ending, patterns in WRONG:
        machine = emulator.Machine(
            processors=processors, memory="512M", firmware="direct", kernel=KERNEL, words=words(setting)
        )
        outcome = emulator.follow(emulator.command(machine), 60)
        cases.append(judged(name, outcome, KERNEL_STATUS[ending], patterns))
    return cases


def groups():
    return [
        Group("reports: what goes wrong, hosted", in_hosted),
        Group("reports: what goes wrong, kernel, 2 processors", lambda: in_kernel("2")),
        Group("reports: what goes wrong, kernel, 64 processors", lambda: in_kernel("64")),
    ]
