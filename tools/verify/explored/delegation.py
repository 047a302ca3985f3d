"""Locks to whose holder critical sections are delegated."""

from .common import SYNC, TASKS_ONLY

CASES = {
    "delegation": {
        "sources": SYNC,
        "changes": [*TASKS_ONLY, ("user/include/heddle/mrqd_lock.h", "MRQD_GROUPS 16", "MRQD_GROUPS 2"),
                    ("sync/delegation/qd_lock.c", "RETRIES     32", "RETRIES     1"),
                    ("sync/delegation/qd_lock.c", "DONE_PAUSES 16", "DONE_PAUSES 0"),
                    ("sync/delegation/queue.c", "AWAIT_PAUSES 64", "AWAIT_PAUSES 0")],
        "errors": {
            "waited-before-queued": ("sync/delegation/help.c", "HELPED || help_waiting(lock, first))",
                                     "HELPED || help_waiting(lock, mutex_first(&lock->mutex)))"),
            "closed-by-store": (
                "sync/delegation/queue.c", "/* OPEN, empty -> CLOSED, empty. */",
                "if (atomic_load(&lock->tail) == tail) {"
                "atomic_store(&lock->tail, lock->next * TAKEN); return true; }"),
            "skipped-and-not-marked": ("sync/delegation/queue.c", "if (skipped)", "if (false)"),
            "closer-goes-by": ("sync/delegation/queue.c", "memory_order_acq_rel) != AWAITED)",
                               "memory_order_acq_rel) != AWAITED || true)"),
            "awaited-by-store": (
                "sync/delegation/queue.c",
                "if (atomic_compare_exchange_strong_explicit(&call.slot->section, &expected, AWAITED,",
                "if (atomic_load(&call.slot->section) == EMPTY && (atomic_store(&call.slot->section, AWAITED), true))"
                "return; if (atomic_compare_exchange_strong_explicit(&call.slot->section, &expected, AWAITED,"),
            "rest-forgotten": ("sync/delegation/help.c", "while (help_oldest(lock, end) == HELPED) {",
                               "while (false && end) {"),
            "done-by-store": (
                "sync/delegation/help.c", "if (atomic_exchange_explicit(&task->delegated, QD_DONE,",
                "uint32_t old = atomic_load(&task->delegated); atomic_store(&task->delegated, QD_DONE);"
                "if (old == QD_PENDING) return; if (false && atomic_exchange_explicit(&task->delegated, QD_DONE,"),
            "full-and-taken": ("sync/delegation/queue.c", "> (int64_t)lock->count)", "> (int64_t)lock->count + 1)"),
            "reader-does-not-look": ("sync/delegation/readers.c", "memory_order_seq_cst) == MUTEX_FREE)",
                                     "memory_order_seq_cst) == MUTEX_FREE || true)"),
            "reader-tries-once": ("sync/delegation/readers.c", "} while (!change_awaiting(lock, holder, NOBODY));",
                                  "if (!change_awaiting(lock, holder, NOBODY)) return; } while (false);"),
            "holder-looks-first": ("sync/delegation/readers.c",
                                   "LOOKING, memory_order_seq_cst);\n\t\tif (mrqd_is_read(lock))",
                                   "LOOKING, memory_order_relaxed);\n\t\tif (true)"),
        },
        "shown_by": {"rest-forgotten": "limit-three", "reader-does-not-look": "reader", "reader-tries-once": "reader",
                     "holder-looks-first": "reader"},
    },
}
