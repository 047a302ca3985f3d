"""Locks that spin, yield, then suspend."""

from .common import SYNC, TASKS_ONLY

CASES = {
    "strategy": {
        "sources": SYNC + [f"sync/strategy/{name}.c"
                           for name in "waiting backoff awake mcs_queue ttas_lock mcs_lock ttas_mcs_lock".split()],
        "changes": TASKS_ONLY + [
            ("user/include/heddle/waiting.h", "HEDDLE_WAITING_AWAKE_MAXIMUM 20000", "HEDDLE_WAITING_AWAKE_MAXIMUM 2"),
            ("sync/strategy/backoff.c", "\t\ttask_yield();",
             "\t\tvoid model_yield(const struct backoff *); model_yield(backoff);"),
            ("sync/strategy/mcs_queue.c",
             "while (!(next = atomic_load_explicit(&place->next, memory_order_acquire)))\n\t\tbackoff_wait(&backoff);",
             "while (!(next = atomic_load_explicit(&place->next, memory_order_acquire))) {"
             "void model_await_link(struct mcs_place *); model_await_link(place); }")],
        "errors": {
            "suspended-by-store": (
                "sync/strategy/backoff.c", "if (atomic_compare_exchange_strong_explicit((_Atomic(uintptr_t) *)",
                "if ((atomic_store((_Atomic(uintptr_t) *)resume_handle, (uintptr_t)left), true)) return;"
                "if (atomic_compare_exchange_strong_explicit((_Atomic(uintptr_t) *)"),
            "suspended-for-good": ("sync/strategy/backoff.c", "\t\treturn;\n\twait_go_on(left",
                                   "\t\treturn;\n\treturn;\n\twait_go_on(left"),
            "suspended-on-its-stack": (
                "sync/strategy/backoff.c", "\tswitch_away(finalize_backoff_suspend, backoff->resume_handle);",
                "\tuintptr_t ready = READY_FOR_SUSPEND; void nothing(struct task *left, void *unused)"
                "{ (void)left, (void)unused; }"
                "if (atomic_compare_exchange_strong(backoff->resume_handle, &ready,"
                "(uintptr_t)task_current())) { void explore_pause(void); explore_pause();"
                "switch_away(nothing, NULL); }"),
            "woken-by-store": (
                "sync/strategy/backoff.c", "atomic_exchange_explicit(resume_handle, state, memory_order_acquire);",
                "atomic_load(resume_handle); atomic_store(resume_handle, state);"),
            "woken-by-none": (
                "sync/strategy/backoff.c", "memory_order_acquire);\n\tif (handle > AWAKE)\n\t\tresume(handle);",
                "memory_order_acquire);\n\t(void)handle;"),
            "gone-place-remembered": ("sync/strategy/awake.c",
                                      "if (awake->last == place)\n\t\tawake->last = NULL;", ""),
            "resumed-by-store": (
                "sync/strategy/backoff.c",
                "atomic_exchange_explicit(resume_handle, KEEP_ACTIVE, memory_order_acq_rel);",
                "atomic_load(resume_handle); atomic_store(resume_handle, KEEP_ACTIVE);"),
            "touched-after-resume": (
                "sync/strategy/backoff.c", "memory_order_acq_rel);\n\tif (handle > AWAKE)",
                "memory_order_acq_rel);\n\tif (handle <= AWAKE) (void)atomic_load(resume_handle);\n"
                "\tif (handle > AWAKE)"),
            "left-without-word": ("sync/strategy/mcs_queue.c",
                                  "next = atomic_exchange_explicit(&queue->first.next, LEFT, memory_order_acq_rel);",
                                  "next = atomic_load(&queue->first.next);"),
            "word-not-seen": ("sync/strategy/mcs_queue.c", "memory_order_acq_rel) != LEFT)",
                              "memory_order_acq_rel) != &place)"),
            "own-next-not-cleared": ("sync/strategy/mcs_queue.c",
                                     "atomic_store_explicit(&queue->first.next, NULL, memory_order_relaxed);", ";"),
            "link-not-awaited": ("sync/strategy/mcs_queue.c", "\tbackoff_start(&backoff, strategy, NULL, NULL);",
                                 "\tif (!next) return;\n\tbackoff_start(&backoff, strategy, NULL, NULL);"),
            "taken-by-store": (
                "sync/strategy/ttas.h", "return atomic_exchange_explicit(word, TTAS_TAKEN, memory_order_acquire)",
                "atomic_store(word, TTAS_TAKEN); return TTAS_FREE"),
            "mcs-touched-after-unlock": ("sync/strategy/mcs_lock.c", "mcs_queue_leave(&lock->queue);",
                                         "mcs_queue_leave(&lock->queue); (void)atomic_load(&lock->common.owner);"),
            "ttas-touched-after-unlock": ("sync/strategy/ttas_lock.c", "ttas_give(&lock->word);",
                                          "ttas_give(&lock->word); atomic_exchange(&lock->common.owner, NULL);"),
            "word-given-first": ("sync/strategy/ttas_mcs_lock.c",
                                 "\tif (entered)\n\t\tmcs_queue_leave(entered);\n\tttas_give(&lock->word);",
                                 "\tttas_give(&lock->word);\n\tif (entered)\n\t\tmcs_queue_leave(entered);"),
            "held-beyond-the-end": ("sync/start.c", "holder_ends(task) + ", ""),
            "named-when-ended": ("sync/strategy/holder.c",
                                 "atomic_store_explicit(&lock->owner, NULL, memory_order_relaxed);", ""),
            "newest-left": ("sync/strategy/holder.h", "*link = lock->entered_next;",
                            "task_current()->locks.entered = lock->entered_next;"),
            "queue-remembered": ("sync/strategy/ttas_mcs_lock.c", "\tlock->entered = NULL;", ""),
        },
        "shown_by": {"word-given-first": "cohort-freed-again"},
    },
}
