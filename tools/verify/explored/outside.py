"""What comes to the scheduler by time, and from threads outside the machine."""

from .common import FEW_PRIORITIES, SHORT_RING, block_of
from .sched import OFTEN, SCHEDULER, SMALL_SCHEDULER, TIMED

CASES = {
    "deadline": {
        "sources": TIMED,
        # LOOK_AGAIN is out of reach: no second look makes up for a mistake.
        "changes": [*SMALL_SCHEDULER, *OFTEN, block_of(2), "-DMODEL_POOLS=1", "-DMODEL_CLOCK_END=3",
                    ("sched/timer.h", "TIMER_LATE 1000000", "TIMER_LATE 1"),
                    ("sched/scheduler.c", "LOOK_AGAIN    1000000", "LOOK_AGAIN 10")],
        "errors": {
            "nobody-watches": ("sched/scheduler.c", "earlier(own, timer_watch(scheduler))", "own"),
            "not-told-when-busy": ("sched/timer_watch.c", "\t\ttimer_watch_set(scheduler, deadline);", "\t\t;"),
            "not-expired": ("sched/ready_search.c", "\ttimer_expire(scheduler);\n}", "}"),
            "no-chores": ("sched/ready.c", "\ttimer_expire(scheduler);\n\tinjection_accept();\n\tif (sch",
                          "\tinjection_accept();\n\tif (sch"),
            "not-asked": ("sched/quiet.c", "\tif (machine_stops()) {", "\tif (true) {"),
            "though-one-has-left": (
                "sched/quiet.c", "if (atomic_compare_exchange_strong_explicit(&quiet, &all, all | QUIET_OVER, "
                "memory_order_seq_cst,\n\t\t                                            memory_order_relaxed))",
                "atomic_fetch_or(&quiet, QUIET_OVER);"),
            "waits-for-who-sleeps": ("sched/quiet.c", "\tif (machine_stops()) {",
                                     "\tif (machine_stops() && timer_count() == 0) {"),
        },
        "shown_by": {"no-chores": "beside-yields", "waits-for-who-sleeps": "stop-asleep",
                     "though-one-has-left": "stop-sent", "not-asked": "alone", "not-told-when-busy": "beside-busy"},
    },
    "timer_watch": {
        "changes": [SHORT_RING, *FEW_PRIORITIES, ("sched/timer.h", "TIMER_LATE 1000000", "TIMER_LATE 1")],
        "errors": {
            "not-told": ("sched/timer_watch.c", "\t\twake_watcher();", "\t\t;"),
            "told-before-stored": (
                "sched/timer_watch.c", "atomic_exchange_explicit(&scheduler->watched, deadline, memory_order_seq_cst);",
                "atomic_store_explicit(&scheduler->watched, deadline, memory_order_relaxed);"),
            "read-before-said": (
                "sched/timer_watch.c",
                "atomic_exchange_explicit(&watched_until, UINT64_MAX, memory_order_seq_cst);",
                "atomic_store_explicit(&watched_until, UINT64_MAX, memory_order_relaxed);"),
            "not-passed-on": ("sched/timer_watch.c", "if (is_any_watched())", "if (false)"),
            "passed-on-and-kept": ("sched/timer_watch.c",
                                   "atomic_exchange_explicit(&watcher, NO_WATCHER, memory_order_seq_cst);", ";"),
        },
    },
    "injection": {
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, block_of(2)],
        "errors": {
            "nobody-woken": ("sched/injection.c", "\twake_for_injection();", "\t;"),
            "source-forgotten": ("sched/quiet.c", "&& !injection_is_open()", ""),
            "stop-seen-too-early": ("sched/quiet.c", "() && !machine_stops();", "();"),
            "stop-not-said": ("sched/scheduler.c", "memory_order_seq_cst);\n\tscheduler_wake_all();",
                              "memory_order_seq_cst);"),
            "newest-first": ("sched/injection.c", "list_reverse(atomic_exchange_explicit(",
                             "(atomic_exchange_explicit("),
        },
    },
    "external_wait": {
        "sources": SCHEDULER + ["sched/external_wait.c"],
        "changes": [*SMALL_SCHEDULER, block_of(2)],
        "errors": {
            "ended-twice": ("sched/external_wait.c", "if (wait_grant(task, wait->ticket, wait->outcome)) {",
                            "if (wait_grant(task, wait->ticket, wait->outcome) || true) {"),
            "late-forgotten": ("sched/external_wait.c", "\tif (late != WAITING)", "\tif (false && late)"),
            "not-looked-at": ("sched/external_wait.c", "memory_order_acq_rel) == ACCEPTED)",
                              "memory_order_acq_rel) == WAITING)"),
            "forgotten-here": ("sched/external_wait.c", "injection_submit_here(waits->newest, waits->oldest);", ";"),
            "not-settled": ("sched/external_wait.c", "if (wait_begin_kept(&object) != HEDDLE_OK)", "if (true)"),
        },
    },
}
