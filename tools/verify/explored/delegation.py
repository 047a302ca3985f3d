"""Locks to whose holder critical sections are delegated."""

from .common import DELEGATION, TASKS_ONLY

CHANGES = [*TASKS_ONLY, ("user/include/heddle/mrqd_lock.h", "HEDDLE_MRQD_GROUPS 16", "HEDDLE_MRQD_GROUPS 2"),
           ("user/include/heddle/hqd_lock.h", "HEDDLE_HQD_NODES_MAXIMUM 8", "HEDDLE_HQD_NODES_MAXIMUM 2"),
           ("sync/delegation/qd_lock.c", "RETRIES 32", "RETRIES 1"),
           ("sync/delegation/await.c", "DONE_PAUSES  16", "DONE_PAUSES  0"),
           ("sync/delegation/await.c", "AWAIT_PAUSES 64", "AWAIT_PAUSES 0")]

# Each virtual processor is a thread, with variables of its own.
THREADS = [
    ("user/delegation/lock.h", "LL_SLOTS  64", "LL_SLOTS  2"),
    ("user/delegation/lock.h", "LL_GROUPS 16", "LL_GROUPS 1"),
    ("user/include/heddle/delegation/locks/locks.h", "LL_HELP_LIMIT 1024", "LL_HELP_LIMIT 2"),
    ("user/delegation/wait.c", "#define YIELDS 1000", "#define YIELDS 0"),
    ("user/delegation/wait.c", "\tabort();", "\tvoid model_misused(const char *) __attribute__((noreturn));"
     "model_misused(sentence);"),
    ("user/delegation/wait.c",
     "int kept = errno;\n\tsyscall(SYS_futex, word, operation, value, timeout);\n\terrno = kept;",
     "(void)timeout; void model_sleep(const volatile void *, uint32_t); void model_wake(const volatile void *);"
     "operation == FUTEX_WAIT_PRIVATE ? model_sleep(word, value) : model_wake(word);"),
    ("user/delegation/wait.c",
     "int kept = errno;\n\tbool passed = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) ||",
     "void explore_settle(void); explore_settle(); return true; int kept = errno;\n"
     "\tbool passed = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) ||"),
    ("user/delegation/lock.h", "extern _Thread_local char ll_this_thread;",
     "unsigned explore_processor(void); extern struct thread { _Alignas(8) char name; } ll_threads[4];\n"
     "#define ll_this_thread ll_threads[explore_processor()].name\n"),
    ("user/delegation/holder.c", "_Thread_local char ll_this_thread;", "struct thread ll_threads[4];"),
    ("user/delegation/holder.c", "static _Thread_local OOLock *buffer_of;",
     "static OOLock *buffers[4];\n#define buffer_of buffers[explore_processor()]\n"),
    ("user/delegation/readers.c", "static _Thread_local unsigned number;",
     "static unsigned numbers[4]; unsigned explore_processor(void);\n#define number numbers[explore_processor()]\n"),
]

CASES = {
    "delegation_threads": {
        "sources": [*(f"user/delegation/{name}.c" for name in "holder readers calls wait".split()),
                    "sync/delegation/queue.c"],
        "changes": THREADS,
        "errors": {
            "held-by-store": (
                "user/delegation/lock.h",
                "atomic_compare_exchange_strong_explicit(&lock->word, &word, ll_own_name(),",
                "(atomic_store(&lock->word, ll_own_name()), true) || "
                "atomic_compare_exchange_strong_explicit(&lock->word, &word, ll_own_name(),"),
            "waiter-forgotten": ("user/delegation/lock.h", "\tll_changed(&lock->word);", "\t;"),
            "sleeps-without-barrier": ("user/delegation/wait.c", "bool certain = barrier_everywhere();",
                                       "(void)barrier_everywhere; bool certain = true;"),
            "closed-unseen": ("user/delegation/lock.h", "TATAS_LOCK || qd_close_empty(&lock->queue));",
                              "TATAS_LOCK || !qd_has_rest(&lock->queue));"),
            "done-and-not-told": ("user/delegation/calls.c", "\tll_changed(state);", "\t;"),
            "closer-goes-by": ("user/delegation/lock.h", "\tll_changed(&slot->section);", "\t;"),
            "readers-not-awaited": ("user/delegation/holder.c", "\t\tll_await_readers(lock);", "\t\t;"),
            "reader-goes-by": ("user/delegation/readers.c", "\tll_changed(&group->readers);", "\t;"),
        },
        "shown_by": {"readers-not-awaited": "read-delegate"},
    },
    "delegation": {
        "sources": DELEGATION,
        "changes": CHANGES,
        "errors": {
            "waited-before-queued": ("sync/delegation/help.c", "HELPED || help_waiting(lock, first))",
                                     "HELPED || help_waiting(lock, mutex_first(&lock->mutex)))"),
            "closed-by-store": (
                "sync/delegation/queue.h", "/* OPEN, empty -> CLOSED, empty. */",
                "if (atomic_load(&lock->tail) == tail) {"
                "atomic_store(&lock->tail, lock->next * QD_TAKEN); return true; }"),
            "skipped-and-not-marked": ("sync/delegation/queue.c", "if (skipped)", "if (false)"),
            "closer-goes-by": ("sync/delegation/delegation.h", "qd_awaited(lock, slot);\n}", ";\n}"),
            "delegator-goes-by": ("sync/delegation/qd_lock.c", "\tqd_awaited(lock, slot);\n",
                                  "\t(void)lock, (void)slot;\n"),
            "awaited-by-store": (
                "sync/delegation/await.c",
                "if (atomic_compare_exchange_strong_explicit(&slot->section, &expected, QD_AWAITED,",
                "if (atomic_load(&slot->section) == QD_EMPTY && (atomic_store(&slot->section, QD_AWAITED), true))"
                "return; if (atomic_compare_exchange_strong_explicit(&slot->section, &expected, QD_AWAITED,"),
            "rest-forgotten": ("sync/delegation/help.c",
                               "while (help_oldest(lock, open ? end : qd_end(lock)) == HELPED)",
                               "while (false && end)"),
            "done-by-store": (
                "sync/delegation/help.c", "if (atomic_exchange_explicit(&task->locks.delegated, QD_DONE,",
                "uint32_t old = atomic_load(&task->locks.delegated); atomic_store(&task->locks.delegated, QD_DONE);"
                "if (old == QD_PENDING) return; "
                "if (false && atomic_exchange_explicit(&task->locks.delegated, QD_DONE,"),
            "full-and-taken-one": ("sync/delegation/queue.h", "!qd_has_room(lock, number, 1) ||",
                                   "!qd_has_room(lock, number, 0) ||"),
            "one-taken-by-store": (
                "sync/delegation/queue.h", "!atomic_compare_exchange_strong_explicit(&lock->tail, &tail,",
                "atomic_load(&lock->tail) != tail || (atomic_store(&lock->tail, tail + QD_TAKEN), false) ||"
                "!sizeof atomic_compare_exchange_strong_explicit(&lock->tail, &tail,"),
            "head-seen-early": ("sync/delegation/queue.h", "&lock->head_seen, head, memory_order_release);",
                                "&lock->head_seen, head + 1, memory_order_release);"),
            "closed-and-taken": ("sync/delegation/queue.h", "if (!(tail & QD_OPEN))", "if (false)"),
            "waits-and-helped": ("sync/delegation/help.c", "&& !slot->waiting)", ")"),
            "full-and-taken": ("sync/delegation/queue.c", "skipped + slots))", "skipped + slots - 1))"),
            "reader-does-not-look": ("sync/delegation/readers.c", "memory_order_seq_cst) == MUTEX_FREE)",
                                     "memory_order_seq_cst) == MUTEX_FREE || true)"),
            "reader-goes-by": ("sync/delegation/readers.c", "if (holder && wait_grant(", "if (false && wait_grant("),
            "turn-not-ended": ("sync/delegation/help.c", "lock->help++;\n\t\tend_wait(waiting, HEDDLE_OK);",
                               "lock->help++;"),
            "turn-for-lock": ("sync/delegation/qd_lock.c", "*held = !qd_is_done(turn.task);", "*held = true;"),
            "readers-awaited-by-store": (
                "sync/delegation/readers.c",
                "if (atomic_compare_exchange_weak_explicit(&group->readers, &readers, (readers + COUNTED) | AWAITED,",
                "if ((atomic_store(&group->readers, (readers + COUNTED) | AWAITED), true) ||"
                "atomic_compare_exchange_weak_explicit(&group->readers, &readers, (readers + COUNTED) | AWAITED,"),
        },
        "shown_by": {
            "rest-forgotten": "limit-three",
            "turn-not-ended": "buffer-full",
            "turn-for-lock": "buffer-full",
            "reader-does-not-look": "reader",
            "reader-goes-by": "reader",
            "readers-awaited-by-store": "reader",
            "done-by-store": "wait",
            "awaited-by-store": "two",
            "one-taken-by-store": "nested",
        },
    },
    "delegation_ends": {
        "sources": DELEGATION,
        "changes": CHANGES,
        "errors": {
            "named-and-believed": ("sync/delegation/delegation.h", "mutex_is_held(&lock->mutex, task);", "true;"),
            "rest-left-behind": ("sync/delegation/help.c",
                                 "if (hand_over(lock))\n\t\t\t\treturn true;\n\t\t\tcontinue;",
                                 "mutex_unlock(&lock->mutex);\n\t\t\treturn true;"),
            "not-held-again": ("sync/mutex.c", "if (!next)\n\t\tmutex_hold_again(mutex, task);", ""),
            "reader-leaves-rest": ("sync/delegation/help.c", "open ? end : qd_end(lock)", "end"),
            "ends-without-waiting": ("sched/task_end.c",
                                     "switch_away(task->ending_wait, NULL);\n", ""),
            "skipped-and-under-way": ("sync/delegation/queue.c", "if (word != QD_SKIPPED) {",
                                      "*first = slot; if (word != QD_SKIPPED) {"),
            "ended-section-twice": ("sync/delegation/help.c", "if (lock->busy)\n\t\tend_busy(lock);", ""),
            "ended-and-not-told": ("sync/delegation/help.c", "end_wait(lock->current, HEDDLE_OWNER_DIED);", ";"),
            "buffer-left-open": ("sync/start.c", "if (task->locks.buffer)", "if (false)"),
            "refused-and-nested": ("sync/delegation/help.c", "if (!nested)\n\t\treturn NULL;",
                                   "static struct qd_nested spare; if (!nested) nested = &spare;"),
        },
        "shown_by": {"named-and-believed": "deadline-delegates", "rest-left-behind": "limit-deadline",
                     "not-held-again": "limit-deadline", "reader-leaves-rest": "reader-nested",
                     "ends-without-waiting": "ends-buffer", "skipped-and-under-way": "ends-buffer-behind-skipped",
                     "ended-section-twice": "ends-in-section",
                     "ended-and-not-told": "ends-in-section", "buffer-left-open": "ends-with-buffer",
                     "refused-and-nested": "no-heap"},
    },
    "mrqd_lock": {
        "sources": DELEGATION,
        "changes": [*CHANGES, ("sync/delegation/readers.c", "CALM_LEAST   9", "CALM_LEAST   0"),
                    ("sync/delegation/readers.c", "LOOKS        256", "LOOKS        1")],
        "errors": {
            "share-kept": ("sync/start.c", "if (mrqd_is_share(share))\n\t\t\tmrqd_release_share(task, share);",
                           "if (mrqd_is_share(share))\n\t\t\t;"),
            "ticket-of-another": ("sync/delegation/readers.c", "wait_grant(holder, ticket, HEDDLE_OK)",
                                  "wait_grant(holder, atomic_load(&lock->ticket), HEDDLE_OK)"),
            "looks-and-does-not-arrive": ("sync/delegation/readers.c", "if (is_free(lock) && arrive(lock, task))",
                                          "if (is_free(lock))"),
            "let-in-and-not-counted": ("sync/delegation/readers.c", "\t\tcount_in(lock, task);\n", ""),
            "let-in-and-not-told": ("sync/delegation/readers.c", "&task->locks.delegated, QD_DONE,",
                                    "&task->locks.delegated, QD_SUSPENDED,"),
            "gone-and-let-in": ("sync/delegation/readers.c", "if (!waiter_grant(first))\n\t\t\tcontinue;",
                                "waiter_grant(first);"),
            "waits-not-counted": ("sync/delegation/readers.c", "(readers + COUNTED) | AWAITED,", "readers | AWAITED,"),
            "given-up-and-awaited": ("sync/delegation/readers.c", "\tif (error != HEDDLE_OK)\n\t\tatomic_fetch_and",
                                     "\tif (false)\n\t\tatomic_fetch_and"),
            "left-and-looked-at": ("sync/delegation/readers.c", "\tif (holder && wait_grant(",
                                   "\t(void)mrqd_is_read(lock);\n\tif (holder && wait_grant("),
            "refused-and-counted": (
                "sync/delegation/readers.c",
                "if (!reads_reserve(task))\n\t\treturn HEDDLE_NO_MEMORY;\n"
                "\tif (arrive(lock, task) || arrive_soon(lock, task, deadline))",
                "if (arrive(lock, task) && !reads_reserve(task))\n\t\treturn HEDDLE_NO_MEMORY;\n"
                "\tif (reads_reserve(task))"),
        },
        "shown_by": {"let-in-and-not-counted": "let-in", "let-in-and-not-told": "let-in",
                     "gone-and-let-in": "let-in-until", "share-kept": "readers-end",
                     "ticket-of-another": "numbers", "waits-not-counted": "numbers",
                     "left-and-looked-at": "freed",
                     "refused-and-counted": "no-share"},
    },
    "hqd_lock": {
        "sources": [*DELEGATION, "sync/delegation/hqd_lock.c"],
        "changes": CHANGES,
        "errors": {
            "outer-first": ("sync/mutex_owner.c", "while (mutex && !mutex->owner_ends)", "while (false)"),
            "outer-kept": ("sync/delegation/help.c",
                           "lock->kind == HEDDLE_QD_NODE ? give_mutex(lock->outer) : NULL;", "NULL;"),
            "outer-kept-at-the-end": ("sync/delegation/help.c", "*outer = give_mutex(all);", "*outer = NULL;"),
            "outer-given-first": ("sync/delegation/help.c",
                                  "*next = give_mutex(&lock->mutex), *outer = give_mutex(all);",
                                  "*outer = give_mutex(all), *next = give_mutex(&lock->mutex);"),
            "opened-without-place": ("sync/delegation/help.c", "if (patience == QD_KEPT && !has_place(lock))",
                                     "if (has_place(lock), false)"),
            "place-taken-twice": ("sync/mutex.c", "ASSERT(task->locks.waiter && task->locks.waiter->use == mutex);",
                                  "waiter_take(task, mutex);"),
            "node-without-outer": ("sync/delegation/help.c", "error = mutex_try_lock(lock->outer);",
                                   "error = HEDDLE_OK;"),
        },
        "shown_by": {"outer-first": "ends", "outer-given-first": "freed", "outer-kept": "limit-deadline",
                     "opened-without-place": "one-place", "place-taken-twice": "deadline",
                     "node-without-outer": "one-place"},
    },
}
