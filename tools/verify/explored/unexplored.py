"""Functions of sched/, sync/ and the coroutines that no case explores, and why: by function, file or folder.

`run` fails if any other function is not explored, or if one of these is.
"""

OWN = "only its task, or its processor, comes to it"
MODEL = "tools/verify/model/ has another in its place"
REPORT = "says what it finds, and changes nothing"
UNUSED = "looks at an object that is no longer used"
ONCE = "an attempt that does not wait: no case yet, only user/test/"
FOREIGN = "there is no foreign code here: tools/checks/ordinary/"
HINT = "only fetches ahead"
VALUE = "works out a value, or reads one word"
DELEGATION = "made, destroyed and tried in the set-ups and in user/test/ only"


def each(path, names, why):
    return {f"{path}:{name}": why for name in names.split()}


UNEXPLORED = {
    "sched/callback.c": FOREIGN,
    **each("sched/control.c", "control_keep_exceptions control_keep_signals heddle_keep_error", OWN),
    **each("sched/ready.h", "ready_expect_foreign", FOREIGN),
    **each("sched/ready_search.c", "ready_is_alone", MODEL),
    **each("sched/scheduler.c", "stopping", VALUE),
    "sched/suspend_lean.c": "what task_suspend() does, which is explored, on a stack of the machine's; and on the only "
                            "processor what nothing runs beside",
    **each("sched/switch.h", "switch_saved switch_saved_to", "the same: only suspend_lean.c calls them"),
    **each("sched/wait.h", "wait_suspend_alone", "nothing runs beside it: on the only processor"),
    **each("sched/suspend.c", "heddle_suspend_outcome", VALUE),
    **each("sched/task.c", "task_current task_name task_runs task_stack_bounds", VALUE),
    **each("sync/exchange.c", "exchange_count_by_chain exchange_count_delay", REPORT),
    **each("sched/foresee.h", "foresee_free", HINT),
    **each("sync/foresee.h", "foresee_task", HINT),
    **each("sync/future.c", "future_room", VALUE),
    **each("sync/strategy/waiting.c", "letter_is", VALUE),
    **each("sync/strategy/awake.c", "set_level learning_begin try_level try_next is_better end_far_trial "
           "end_near_trial end_trial end_block", "the first task's own; the cases set what it chooses"),
    "sched/error.c": REPORT,
    "sched/attention.c": "asks devices, which are no model here: tools/checks/shell.py",
    "sched/report.c": REPORT,
    "sched/trace.c": "starts and ends what trace_record.c and trace_ring.c do",
    **each("sched/trace_record.c", "is_wanted own_ring trace_put record trace_text_is trace_record_switch "
           "trace_record_create trace_record_wait is_finalizing trace_record_grant trace_record_expire "
           "trace_record_revoke trace_record_acquire trace_record_release trace_record_halt trace_record_wake "
           "trace_record_take", OWN),
    "sched/statistics.c": REPORT,
    "sched/watchdog.c": REPORT,
    **each("sched/quiet.c", "report_deadlock", REPORT),
    "sched/fault.c": "no task here has a fault: user/test/fault.c",
    "sched/system.c": "asks the machine, which is a model here",
    "sched/node.c": MODEL,
    "sched/ready_bwos.c": "no case yet for a policy: its queue is explored, and programs run it",
    "sched/ready_paper.c": "no case yet for a policy: its queues are explored, and user/test/ runs it",
    "sched/task_memory.c": MODEL,
    **each("sched/task_usual.h", "task_take_untouched task_grow_from_block task_begin task_reset task_make_usual "
           "task_name_set", MODEL),
    **each("sched/task.c", "task_create_publish", "publishes a task that was made so, as task_create_full() does"),
    "sched/generator.c": OWN,
    "sched/growth.c": OWN,
    "sched/growth.h": OWN,
    "sched/growth_refusal.c": OWN,
    **each("sched/quantum.c", "left_of quantum_end_extension quantum_make_way "
           "quantum_reset_uncooperative quantum_switch_refused task_set_extension task_set_quantum", OWN),
    **each("sched/nest.h", "nest_put nest_take", OWN),
    **each("sched/task.c", "task_set_priority", "no case yet, only user/test/"),
    **each("sched/task.c", "task_local_get task_local_set", OWN),
    **each("sched/quantum.h", "quantum_place", VALUE),
    **each("sched/queue.c", "queue_scan_count", VALUE),
    **each("sched/task.h", "task_has_stack", VALUE),
    **each("sched/task_wait.h", "task_wait_reset", MODEL),
    **each("sched/wait.h", "wait_is_under_way wait_has_object", VALUE),
    **each("sched/idle.h", "idle_is", VALUE),
    **each("sync/mutex.c", "mutex_exchange", "the task that comes next is like the last one in all cases"),
    **each("sync/task_locks.h", "task_locks_reset task_locks_are_reset", MODEL),
    "sync/added_lock.c": "calls a lock of one's own, which is not there",
    "sync/system_start.c": "starts the machine, which is a model here",
    "sync/baseline/": "what the benchmarks compare with; some spin, which has no end here: user/test/baseline.c",
    **each("sync/barrier.c", "barrier_destroy", UNUSED),
    **each("sync/channel.c", "channel_destroy", UNUSED),
    **each("sync/condition.c", "condition_destroy", UNUSED),
    **each("sync/event.c", "event_destroy", UNUSED),
    **each("sync/exchange.h", "section_begin section_end", "only locks of sync/baseline/ call them"),
    **each("sync/future.c", "future_destroy", UNUSED),
    **each("sync/latch.c", "latch_destroy", UNUSED),
    **each("sync/mutex.c", "measure_wait", "measures, for one program"),
    **each("sync/mutex_settings.c", "mutex_measure", "measures, for one program"),
    **each("sync/mutex_owner.c", "mutex_repair", OWN),
    **each("sync/reader_writer_lock.c", "reader_writer_lock_destroy", UNUSED),
    **each("sync/mutex_owner.c", "mutex_is_owned", VALUE),
    **each("sync/reader_writer_lock.c", "reader_writer_lock_try_write", ONCE),
    **each("sync/semaphore.c", "semaphore_destroy", UNUSED),
    **each("sync/semaphore.c", "semaphore_permits", VALUE),
    **each("sync/strategy/ttas_mcs_lock.c", "scatter", VALUE),
    **each("sync/strategy/waiting.c", "waiting_parse", VALUE),
    **each("user/include/heddle/coroutine/outcome.hpp", "unhandled_exception",
           "no exceptions here: README.md says why"),
    **each("user/include/heddle/thread_executor.hpp", "threads", VALUE),
    "sync/delegation/hqd_lock.c": DELEGATION,
    **each("sync/delegation/help.c", "blame qd_refuse_switch restore_balance", REPORT),
    **each("sync/delegation/qd_lock.c", "qd_lock_destroy", UNUSED),
    **each("sync/delegation/readers.c", "mrqd_lock_destroy", UNUSED),
}
