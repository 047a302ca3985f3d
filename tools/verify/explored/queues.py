"""The queues, the free list, the rings of the trace and of input."""

from .common import FEW_PRIORITIES, SHORT_RING, SMALL_POOL, block_of

# The hazard slots, before the tail is set.
CLEARED_EARLY = ("sched/queue.c", "bool was_empty =", "hazard_publish(slots, NULL, NULL);\n\tbool was_empty =")

CASES = {
    "queue": {
        "changes": [SMALL_POOL],
        "errors": {
            "no-fence": ("sched/hazard.h", "atomic_exchange_explicit(&slots->second, second, memory_order_seq_cst);",
                         "atomic_store_explicit(&slots->second, second, memory_order_release);"),
            "clear-early": CLEARED_EARLY,
            # What the paper does for its second hazard pointer.
            "validate-next": ("sched/queue.c",
                              "if (atomic_load_explicit(&queue->head, memory_order_seq_cst) != *head)\n"
                              "\t\t\tcontinue;",
                              ";"),
            "node-of-next": ("sched/queue.c", "item->node = head;", "item->node = next;"),
            "first-slot-only": ("sched/hazard.c", "insert(set, second);", ";"),
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
    "paper_queue": {
        "changes": [SMALL_POOL],
        "errors": {
            # Figure 6, line 18.
            "clear-early": CLEARED_EARLY,
            "first-slot-only": ("sched/paper_queue.c", "swapped |= swap_if_held(&slots->second",
                                "if (false) swapped |= swap_if_held(&slots->second"),
            "not-swapped": ("sched/paper_queue.c",
                            "*node = atomic_exchange_explicit(pool, *node, memory_order_acq_rel);\n\treturn true;",
                            "(void)pool;\n\treturn false;"),
        },
    },
    "trace": {
        "changes": [("sched/trace.h", "TRACE_TEXTS   64", "TRACE_TEXTS   4"),
                    ("sched/trace.h", "TRACE_NAMES   16384", "TRACE_NAMES   2")],
        "errors": {
            "published-first": ("sched/trace_ring.h", "uint64_t position = atomic_load_explicit(&ring->written, "
                                "memory_order_relaxed);",
                                "uint64_t position = atomic_fetch_add_explicit(&ring->written, 1, "
                                "memory_order_relaxed);"),
            "no-second-look": ("sched/trace_ring.c",
                               "oldest(ring, atomic_load_explicit(&ring->written, memory_order_relaxed));",
                               "oldest(ring, written);"),
            "whole-ring": ("sched/trace_ring.c", "written - ring->size + 1", "written - ring->size"),
            "text-of-the-last": ("sched/trace_record.c",
                                 "if (atomic_compare_exchange_strong_explicit(&place->key, &key, text, "
                                 "memory_order_relaxed,\n\t                                            "
                                 "memory_order_relaxed)) {",
                                 "atomic_store_explicit(&place->key, text, memory_order_relaxed);\n\t{"),
            "name-of-anybody": ("sched/trace_record.c", "} else if (owner != mine) {", "} else if (false) {"),
        },
    },
    "input": {
        "changes": [("kernel/input.c", "#define SIZE       1024", "#define SIZE       2")],
        "errors": {
            "polled-by-two": ("kernel/input.c",
                              "if (atomic_exchange_explicit(&polling, true, memory_order_acquire))", "if (false)"),
            "full-not-seen": ("kernel/input.c", "== SIZE)\n", "== SIZE + 1)\n"),
            "counted-first": ("kernel/input.c", "bytes[at % SIZE] = byte;",
                              "atomic_store_explicit(&came, at + 1, memory_order_release);\n"
                              "\tbytes[at % SIZE] = byte;"),
        },
    },
    "free_list": {
        "errors": {"no-tag": ("kernel/free_list.h", "(((top >> 32) + 1) << 32)", "((top >> 32) << 32)")},
    },
    "local_queue": {
        "changes": [SMALL_POOL, *FEW_PRIORITIES, SHORT_RING,
                    block_of(3)],
        "errors": {
            "single-not-cut": ("sched/local_queue.c", "task->ready_next = NULL;", ";"),
            "shared-behind": ("sched/local_queue.c", "if (oldest && !local_queue_has_shared(queue))",
                              "if (oldest)"),
            "newest-not-cut": ("sched/local_queue.h", "*queue->end = NULL;", ";"),
            "taken-without-cas": ("sched/ring.h",
                                  "if (atomic_compare_exchange_weak_explicit(&ring->head, &head, head + count, "
                                  "memory_order_acq_rel,\n\t\t                                          "
                                  "memory_order_acquire))",
                                  "atomic_store_explicit(&ring->head, head + count, memory_order_relaxed);\n"
                                  "\t\tif (true)"),
            "full-not-seen": ("sched/ring.h",
                              "\t\tif (tail - ring->head_seen >= RING_LENGTH)\n\t\t\treturn false;\n", ""),
            "overtaken": ("sched/local_queue.c", "if (queue->overflowed || !ring_put(", "if (!ring_put("),
        },
    },
    "bwos_queue": {
        "changes": [("sched/bwos_queue.h", "BWOS_LENGTH 32", "BWOS_LENGTH 2"),
                    ("sched/bwos_queue.h", "BWOS_BLOCKS 64", "BWOS_BLOCKS 2")],
        "errors": {
            "opened-though-being-read": (
                "sched/bwos_queue.c",
                "block->consumed != end || atomic_load_explicit(&block->stolen, memory_order_acquire) != end",
                "block->consumed != end"),
            "given-back-unread": (
                "sched/bwos_queue.c", "\tsize_t count = end - first;\n",
                "\tsize_t count = end - first;\n\tatomic_fetch_add(&block->stolen, count);\n"
                "\tfor (size_t i = 0; i < count; i++)\n"
                "\t\ttasks[i] = atomic_load(&block->tasks[index_in(first) + i]);\n\treturn count;\n"),
            "taken-over-without-exchange": (
                "sched/bwos_queue.c",
                "atomic_exchange_explicit(&block->reserved, block_word(number, BWOS_LENGTH), memory_order_relaxed);",
                "atomic_load(&block->reserved);\n\tatomic_store(&block->reserved, block_word(number, BWOS_LENGTH));"),
            "reserved-first": (
                "sched/bwos_queue.c", "\tatomic_store_explicit(&block->stolen, block_word(number, 0), "
                "memory_order_relaxed);\n",
                "\tatomic_store(&block->reserved, block_word(number, 0));\n"
                "\tatomic_store(&block->stolen, block_word(number, 0));\n"),
            "owner-not-counted": ("sched/bwos_queue.c", "BWOS_LENGTH - index_in(reserved), memory_order_relaxed",
                                  "0, memory_order_relaxed"),
            "lag-not-seen": ("sched/bwos_queue.c", "return block_number(reserved) - BWOS_BLOCKS + 1;", "return 0;"),
        },
    },
}
