"""What tools/verify/depth/measure cannot read in the call graphs."""

# what a function of the kernel always has: STACK_RESERVE minus what its caller may use below the limit
ROOM = 240

# Called by assembly that has pushed something.
ROOMS = {"stack_grow_small": ROOM - 88, "stack_shrink_small": ROOM - 40, "quantum_spent": ROOM - 16}

# Runs on the processor's stack, or ends the machine: the use of the task's stack before that. Or it is never called
# by a task.
CUT = {
    "panic": 0,  # may overwrite the rest of its task, which never runs again
    "quantum_switch_refused": 0,
    "memory_exhausted": 0,
    "stack_overflow": 0,
    "arch_call_on_processor_stack": 32,
    "arch_shutdown": 0,
    "arch_restart": 0,
    "arch_input_start": 0,
    "report_tasks": 0,
    "report_all": 0,
    "task_visit": 0,
    "from_outside": 0,
    "await_by_thread": 0,
    "call_by_thread": 0,
    "report_by_thread": 0,
}

# Functions that the compiler does not see: assembly, and the host's C library, measured.
SIZES = {
    # POSIX's layer has them; without it they are not there. Each reads or changes one word of the thread.
    "heddle_thread_pend": 64, "heddle_thread_mask": 64,
    "sigaddset": 64, "sigemptyset": 64, "sigfillset": 64, "sigismember": 64, "sigdelset": 64,
    "pthread_sigmask": 128,
    "context_switch": 24,  # inline, found in the code (SWITCH)
    "heddle_yield": 24,
    "heddle_suspend": 24,
    "task_yield": 72,
    "msr_try_read": 0, "msr_try_write": 0,
    # The address sanitizer of a program, whose tasks are on whole stacks: the program chooses their size.
    "__sanitizer_start_switch_fiber": 0, "__sanitizer_finish_switch_fiber": 0, "__asan_unpoison_memory_region": 0,
    "__lsan_register_root_region": 0, "__lsan_unregister_root_region": 0,
    "the host's clock": 160,  # in the vDSO of the host's kernel: 32 in Linux 6.18
    "a lock of one's own": 928,  # LOCK_STACK (sync/added_lock.h)
    "user code": 112,  # before it has another piece of stack
    "__morestack": 72,  # the same, if STACK_ENTRY() asks for a piece (grow.asm)
}

# Functions that ask for another piece.
GROW = "__morestack"

# Functions that those call. Finalizers run on the processor's stack.
CALLS = {
    "__morestack": ["stack_grow_small", "stack_shrink_small"],
    "heddle_yield": ["arch_yield"],
    "heddle_suspend": ["arch_suspend"],
    "task_yield": ["arch_yield"],
}

# How a switch begins that is inline (arch/x86_64/switch.h), as the disassembler says it.
SWITCH = "mov    %rsp,0x28(%r"

# The steps of objects that sync/serve.c serves.
STEPS = [f"{kind}_step" for kind in "barrier channel condition event future latch semaphore".split()]
# Called without the compiler's knowledge (arch/x86_64/branch.h), as relocations show.
HIDDEN = r"R_X86_64_PLT32\s+(trace_record_\w+)"

# Functions that call by address, and their targets.
INDIRECT = {
    "identity_signature": ["cpuid_of_this"],
    "host_clock": ["the host's clock"],
    "arch_clock": ["the host's clock"],
    "is_in_stack": ["piece_of"],
    "arch_back_trace": ["piece_of"],
    "panic_back_trace": ["piece_of"],
    "serve_carry_out": STEPS,
    "serve_give_up": STEPS,
    "carry_out_once": STEPS,
    "give_up_now": STEPS,
    "serve_once": STEPS,
    "post": STEPS,
    "serve_left": STEPS,
    "serve_own": STEPS,
    "qd_run": ["user code"],
    "qd_try_leave": ["user code"],
    **{f"added_lock_{name}": ["a lock of one's own"] for name in "lock unlock read_lock read_unlock".split()},
    "ccsynch_lock_run": ["user code"],
    "put_line": ["console_put_line"],
    "line_ring_serve": ["console_put_line"],
    "leave_for_good": ["sync_end"],
    "quantum_switch_refused": ["qd_refuse_switch"],
    "task_entry": ["user code"],
    "give_up_end": ["user code"],
    "mutex_release_all": ["qd_owner_ends"],
    "pool_visit": ["visit_used"],
    "line_end": [],
    "screen_write": [],
    "visit_used": ["report_task", "note_circle", "count_task"],
}

# Frames of variable size, and recursive functions: their size, and the largest number of calls.
DYNAMIC = {}
RECURSIVE = {"arch_yield": 1, "arch_suspend": 1}  # tail calls

# Called on what is left of a task's stack, but not by user code.
CALLED_BY_MACHINE = ("quantum_spent", "quantum_switch", "yield_full_inside", "stack_grow_small", "stack_shrink_small")

# Called by the host's threads.
NOT_IN_TASKS = ("heddle_run", "heddle_run_with", "heddle_start", "heddle_stop")

# Functions that may call others with STACK_ENTRY(), because the task may end there.
MAY_GROW = ("heddle_print",)

# The same for calls from user code, but not for calls from the middle of the kernel.
MAY_GROW_FOR_USERS = (
    "heddle_yield", "task_yield", "quantum_spent", "uncooperative_end",
    "mutex_lock", "mutex_lock_until", "mutex_unlock",
    "reader_writer_lock_read", "reader_writer_lock_read_until", "reader_writer_lock_read_unlock",
    "reader_writer_lock_write", "reader_writer_lock_write_until", "reader_writer_lock_write_unlock",
    "semaphore_acquire", "semaphore_acquire_until", "semaphore_release", "qd_delegate",
    "channel_send", "channel_send_until", "channel_try_send",
    "channel_receive", "channel_receive_until", "channel_try_receive", "channel_close",
    "heddle_channel_send", "heddle_channel_receive", "heddle_event_set", "heddle_event_wait",
    "heddle_future_set", "heddle_future_wait", "heddle_spawn", "task_create", "task_exit",
)


# Tests that are compiled for growing stacks (build.mk).
TESTS_THAT_GROW = ("growth.c.o", "fail_growth.c.o")


def is_whole(path):
    """Whether an object's code runs only on whole stacks, of tasks or of the host's threads."""
    return path.parts[:2] == ("user", "delegation") or (
        path.parts[:2] in (("user", "test"), ("user", "ports")) and path.name not in TESTS_THAT_GROW
        and not path.name.startswith("storm"))
