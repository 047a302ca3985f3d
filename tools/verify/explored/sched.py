"""The queue, the free list, the scheduler."""

from .common import FEW_PRIORITIES, SHORT_RING, SMALL_POOL, TASKS_ONLY

CASES = {
    "queue": {
        "changes": [SMALL_POOL],
        "errors": {
            "no-fence": "-DQUEUE_ERROR_NO_FENCE",
            "clear-early": "-DQUEUE_ERROR_CLEAR_EARLY",
            "validate-next": "-DQUEUE_ERROR_VALIDATE_NEXT",
            "node-of-next": "-DQUEUE_ERROR_NODE_OF_NEXT",
            "first-slot-only": "-DQUEUE_ERROR_FIRST_SLOT_ONLY",
            "second-slot-only": ("sched/hazard.c", "insert(set, first);", ";"),
            "no-scan": ("sched/queue.c", "if (hazard_contains(", "if (false && hazard_contains("),
            "tail-not-validated": ("sched/queue.c", "&queue->tail, memory_order_seq_cst) != tail",
                                   "&queue->tail, memory_order_seq_cst) != tail && false"),
            "next-not-cleared": ("sched/queue.c", "atomic_store_explicit(&node->next, NULL, memory_order_relaxed);",
                                 ";"),
            "never-was-empty": ("sched/queue.c", "return was_empty;", "return was_empty && false;"),
            "always-was-empty": ("sched/queue.c", "return was_empty;", "return was_empty || true;"),
        },
    },
    "free_list": {
        "errors": {"no-tag": ("kernel/free_list.h", "(((top >> 32) + 1) << 32)", "((top >> 32) << 32)")},
    },
    "local_queue": {
        "changes": [SMALL_POOL, *FEW_PRIORITIES, SHORT_RING,
                    ("sched/local_queue.h", "LOCAL_BLOCK 32", "LOCAL_BLOCK 3")],
        "errors": {
            "single-not-cut": ("sched/local_queue.c", "task->ready_next = NULL;", ";"),
            "shared-behind": ("sched/local_queue.c", "|| local_queue_has_shared(queue))", ")"),
            "newest-not-cut": ("sched/local_queue.c", "*queue->end = NULL;", ";"),
            "taken-without-cas": ("sched/ring.h",
                                  "if (atomic_compare_exchange_weak_explicit(&ring->head, &head, head + count, "
                                  "memory_order_acq_rel,\n\t\t                                          "
                                  "memory_order_acquire))",
                                  "atomic_store_explicit(&ring->head, head + count, memory_order_relaxed);\n"
                                  "\t\tif (true)"),
            "overtaken": ("sched/local_queue.c", "if (queue->overflowed || !ring_put(", "if (!ring_put("),
        },
    },
    "scheduler": {
        "sources": [f"tools/verify/model/{name}.c" for name in ("arch", "kernel", "task_memory", "timer")] + [
            f"sched/{name}.c"
            for name in ("hazard queue idle wake ready ready_put ready_global local_queue yield control injection "
                         "quantum run_next scheduler deadlock task suspend wait").split()],
        "changes": TASKS_ONLY + [("sched/ring.h", "RING_TAKE_LIMIT 32", "RING_TAKE_LIMIT 2"),
                                 ("sched/idle.h", "IDLE_WORD_BITS 64", "IDLE_WORD_BITS 4")],
        "errors": {
            "looked-before-announcing": ("sched/scheduler.c",
                                         "arch_settle();\n\tstruct task *task = ready_search(scheduler);",
                                         "arch_settle();\n\tstruct task *task = NULL;"),
            "halted-while-lingering": ("sched/scheduler.c", "if (lingered)\n\t\twake_linger_end();", ";"),
            "lingered-and-not-spread": ("sched/scheduler.c", "if (task && (lingers || claimed))",
                                        "if (task && claimed)"),
            "rested-unsettled": ("sched/scheduler.c", "arch_settle();", ";"),
            "never-interrupted": ("sched/ready.c", "arch_processor_interrupt(owner);", ";"),
            "put-not-ordered": ("sched/ring.h", "if (announce)", "if (false)"),
            "asked-before-published": ("sched/ready_put.c", "put_bound(task);\n\tquantum_ask_if_lower(home, level);",
                                       "quantum_ask_if_lower(home, level);\n\tput_bound(task);"),
            "not-looked-elsewhere": ("sched/ready.c",
                                     "scheduler_policy == SCHEDULER_GLOBAL ? task : search_others_elsewhere(",
                                     "true ? task : search_others_elsewhere("),
            "resume-forgotten": ("sched/suspend.c",
                                 "atomic_exchange_explicit(&left->permit, TASK_PERMIT_NONE, memory_order_acquire);",
                                 "return;"),
            "end-not-atomic": ("sched/task.c",
                               "uintptr_t join = atomic_load_explicit(&left->join, memory_order_acquire);",
                               "uintptr_t join = atomic_load_explicit(&left->join, memory_order_acquire);"
                               "atomic_store_explicit(&left->join, join ? TASK_JOIN_TAKEN : TASK_JOIN_ENDED, "
                               "memory_order_release); if (join == TASK_JOINABLE) return; "
                               "if (join == TASK_JOIN_DETACHED) task_release(left); "
                               "else end_join((struct task *)join); return;"),
            "left-before-published": ("sched/yield.c", "switch_to(next, ready_return, NULL);",
                                      "{ void nothing(struct task *left, void *unused) { (void)left, (void)unused; } "
                                      "ready_return(scheduler->current, NULL); switch_to(next, nothing, NULL); }"),
        },
        "shown_by": {"halted-while-lingering": "linger-global", "lingered-and-not-spread": "linger-two-local",
                     "asked-before-published": "make-way-bound-global", "not-looked-elsewhere": "make-way-local",
                     "resume-forgotten": "suspend-global", "left-before-published": "yield-global"},
    },
}
