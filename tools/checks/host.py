"""The library as a guest: signals, child processes, threads and processors of its host program."""

import os
import re
import subprocess
import tempfile

from harness import explain, process

from .case import Case, Group, failed, verdict
from .library import GROWING

NEEDS = ("build/hosted/libheddle.a",)
FOLDER = "tools/checks/host"
PLAIN = "gcc -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -Iuser/include"
WHOLE = "-U_FORTIFY_SOURCE -fplugin=build/plugin/heddle.so"
LIBRARY = "build/hosted/libheddle.a -pthread"
# A program, how to compile it, how to link it, and its cases; none: it has only one.
PROGRAMS = (
    ("signals", "", "", ("blocked", "handlers", "later", "urgent")),
    ("faults", "", "", ("default", "ignored", "handled", "jumps", "process", "task")),
    ("libraries", "", "", ("ready", "timers", "limited", "handler")),
    ("libraries", "", "-static", ("ready", "timers", "limited", "handler")),
    ("children", GROWING, "", ("masks", "own", "end", "pipe")),
    ("children", WHOLE, "", ("masks", "own", "end", "pipe")),
    ("forks", "", "", ("thread", "task", "inside")),
    ("profile", GROWING, "", ()),
    ("deferral", GROWING, "", ()),
    ("polling", f"{GROWING} -fplugin-arg-heddle-poll", "", ()),
    ("stacks", "", "",
     ("overflow", "overflow-unmarked", "calls", "calls-unmarked", "usable", "many", "many-unmarked")),
    ("processors", "", "", ()),
    ("quota", "", "", ()),
    ("blocking", "", "", ("at-once", "many", "from", "cancelled", "stop", "child")),
    ("descriptors", "", "", ("echo", "early", "late", "race", "both", "refused", "threads", "stop", "child")),
    ("report", "", "", ("circle", "kept")),
    ("outside", "", "", ("channels", "futures", "mistakes", "mutexes", "faults", "stopped")),
    ("linked_in", "", "-static", ()),
    ("versions", "", "", ()),
)
TIMEOUT = 60
# What it must print meanwhile, in this order.
OVERFLOW = [
    r"task deep \(\d+\) ends: stack overflow of task deep \(\d+\) \(\d+ bytes\): ", "back trace", r" recurse\+",
    "task wide .* ends: stack overflow of task wide", "task yielding .* ends: stack overflow of task yielding",
]
SAID = {
    "stacks overflow": OVERFLOW,
    "stacks overflow-unmarked": OVERFLOW,
    "stacks calls": [r"task calling \(\d+\) ends: stack overflow", "back trace"],
    "report circle": [r"task first \(\d+\): waits for the mutex at \S+, which task second \(\d+\) holds",
                      r"a circle of waiting tasks", r"\d+ tasks in all, 1 circles", r"processor \d is idle",
                      r"\d+ tasks in all, 1 circles"],
    "report kept": [r"no processor has switched tasks for 1 s", r"processor 0 runs task",
                    r"keep_processor", r"\d+ tasks in all, 0 circles"],
    "outside mutexes": [r"mutex_lock\(\) was called while no machine runs",
                        r"a thread that is no processor has called mutex_lock\(\)",
                        r"mutex_lock\(\) was called while no machine runs"],
    "versions": [r"1 of the 1 objects .* its version 2; this is version 3"],
    "stacks many-unmarked": ["stacks of tasks that are made from now on have no guard"],
}
ONCE = "have no guard"  # once for each machine, and the program starts two

# What Heddle calls of the C library: where a machine is started or stopped, by threads that are no processors, at the
# end of the program, where it has panicked, where tracing is set up or begins and ends, and where a terminal is stopped
# and goes on. While the scheduler works it calls nothing: there it may be asked for tasks (arch/hosted/requests.c).
OUTSIDE = set(
    """__errno_location __isoc23_fscanf __isoc23_sscanf __isoc99_fscanf __isoc99_sscanf __sched_cpualloc
    __sched_cpufree _exit abort access atexit calloc close dl_iterate_phdr dprintf epoll_create1 epoll_ctl eventfd execv
    fclose fgets fopen free fstat getauxval gettid madvise mincore mmap mprotect munmap nanosleep open pause poll
    posix_fallocate pthread_atfork pthread_attr_destroy pthread_attr_getstack pthread_attr_init
    pthread_attr_setguardsize pthread_attr_setstacksize pthread_cond_broadcast pthread_cond_init pthread_cond_wait
    pthread_create pthread_getattr_np pthread_join pthread_mutex_init pthread_mutex_lock pthread_mutex_unlock
    pthread_self pthread_sigmask raise read sched_getaffinity sched_setaffinity sigaction sigaddset sigaltstack
    sigemptyset sigfillset signal snprintf strchr strcspn strerror strrchr syscall tcgetattr tcsetattr unlink
    usleep""".split()
)
# And those called on behalf of a task, from its code (arch/hosted/ways.asm, locks.c, task_signals.c, children.c,
# kept.c, callback.c).
FOR_TASKS = set(
    """_Unwind_GetGR __cxa_get_globals __cxa_guard_abort __cxa_guard_acquire __cxa_guard_release clock_gettime execv
    execve execvp execvpe fexecve flockfile ftrylockfile funlockfile heddle_thread_mask heddle_thread_pend longjmp
    mtx_lock mtx_timedlock mtx_trylock mtx_unlock pthread_cond_clockwait popen posix_spawn posix_spawnattr_getflags
    posix_spawnattr_init posix_spawnattr_setflags posix_spawnattr_setsigmask posix_spawnp pthread_kill
    pthread_mutex_clocklock pthread_mutex_timedlock pthread_mutex_trylock pthread_rwlock_clockrdlock
    pthread_rwlock_clockwrlock pthread_rwlock_rdlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock
    pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_rwlock_unlock pthread_rwlock_wrlock pthread_spin_lock
    pthread_spin_trylock pthread_spin_unlock sigismember sigpending sigsuspend sigtimedwait system""".split()
)
# And of the sanitizer of the program, if it has one (arch/hosted/sanitizer.c), which asks for no tasks.
OF_SANITIZERS = set(
    """__asan_unpoison_memory_region __lsan_register_root_region __lsan_unregister_root_region
    __sanitizer_finish_switch_fiber __sanitizer_start_switch_fiber""".split()
)
BY_THE_LINKER = {"_GLOBAL_OFFSET_TABLE_", "__real_pthread_create", "heddle_polled", "heddle_unswitched"}
BOUNDS = ("__start_heddle_", "__stop_heddle_")  # of sections, by the linker as well


def build(name, compiled, linked, program):
    """Sentences on what went wrong; None: the compiler cannot build it."""
    for command in (f"{PLAIN} {compiled} -c {FOLDER}/{name}.c -o {program}.o",
                    f"gcc {linked} {program}.o {LIBRARY} -o {program}"):
        done = subprocess.run(command.split(), capture_output=True, text=True, check=False)
        if "currently only supported on" in done.stderr:
            return None
        if done.returncode != 0:
            return [f"{command}:", *done.stderr.splitlines()]
    return []


def run_program(name, compiled, linked, cases):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, name)
        wrong = build(name, compiled, linked, program)
        if wrong is None:
            return [Case(name, "skipped", ["the compiler has no -fsplit-stack"])]
        if wrong:
            return [failed(name, wrong)]
        return [judged(f"{name} {case}".strip(), process.follow([program, *case.split()], TIMEOUT))
                for case in cases or ("",)]


def not_said(name, outcome):
    """What should have been printed and was not, or too often."""
    lines = outcome.errors.splitlines()
    for pattern in SAID.get(name, ()):
        place = next((number for number, line in enumerate(lines) if re.search(pattern, line)), None)
        if place is None:
            return [f"no line (or not at its place) matches \"{pattern}\""]
        lines = lines[place:]
    return [f"more than once: {ONCE}"] if sum(ONCE in line for line in outcome.errors.splitlines()) > 2 else []


def judged(name, outcome):
    if outcome.status == 0 and list(outcome.lines)[-1:] == ["done"]:
        return verdict(name, not_said(name, outcome))
    end = "it hangs" if outcome.timed_out else f"it ended with status {outcome.status}"
    return failed(name, [end, *explain.last_lines(outcome), *outcome.errors.splitlines()[-20:]])


def calls_outside():
    done = subprocess.run(["nm", "-u", "build/hosted/core.o"], capture_output=True, text=True, check=True)
    known = OUTSIDE | FOR_TASKS | OF_SANITIZERS | BY_THE_LINKER
    called = {line.split()[-1].split("@")[0] for line in done.stdout.splitlines()} - known
    return verdict("what Heddle calls of the C library", [f"{name}: may it be called while the scheduler works?"
                                                          for name in sorted(called) if not name.startswith(BOUNDS)])


def groups():
    def cases():
        return [case for program in PROGRAMS for case in run_program(*program)] + [calls_outside()]

    return [Group("hosted: a guest in another program", cases)]
