"""The scheduler."""

from .common import FEW_PRIORITIES, SHORT_RING, SMALL_POOL, block_of

SCHEDULER = [f"tools/verify/model/{name}.c" for name in "arch kernel task_memory timer scheduling".split()] + [
    f"sched/{name}.c"
    for name in ("hazard queue idle wake ready ready_bound ready_put ready_search ready_global ready_added local_queue "
                 "yield control injection quantum run_next balance brisk owed scheduler quiet task task_end exit "
                 "suspend switch wait").split()]
# With the real timers.
TIMED = [source for source in SCHEDULER if not source.endswith("model/timer.c")] + [
    "tools/verify/model/pool.c", "sched/timer.c", "sched/timer_watch.c"]
OFTEN = [("sched/ready.h", "READY_CHORE_PICK 32", "READY_CHORE_PICK 2"),
         ("sched/ready.h", "READY_TURN_PICK  64", "READY_TURN_PICK  4")]
# A processor that does not share is interrupted at once, without regard to the clock, of which two looks end a
# linger.
IMPATIENT = [("sched/ready.h", "READY_PATIENCE   10000000", "READY_PATIENCE 0"),
             ("sched/ready.h", "READY_PATIENCE_FOREIGN 50000", "READY_PATIENCE_FOREIGN UINT64_MAX"),
             ("sched/ready.h", "return arch_clock() | 1;", "return 1;")]
# Few of the cases have checks, and fewer have time. Those of `brisk` say themselves which tasks are short.
NONE_JUDGED_SHORT = ("sched/brisk.c", "if (now - haul.taken_at < contended(SHORT) * tasks) {",
                     "if (false && now < tasks) {")
SMALL_SCHEDULER = [SMALL_POOL, *IMPATIENT, SHORT_RING, *FEW_PRIORITIES,
                   ("sched/ring.h", "RING_TAKE_LIMIT 32", "RING_TAKE_LIMIT 2"),
                   ("sched/idle.h", "IDLE_WORD_BITS 64", "IDLE_WORD_BITS 4"), NONE_JUDGED_SHORT]


def balanced_every(picks):
    return ("sched/balance.h", "BALANCE_PICK 256", f"BALANCE_PICK {picks}")


# No processor looks before it announces itself.
ANNOUNCED_AT_ONCE = ("sched/scheduler.c", "is_over()) {\n\t\tstruct task *task = ready_search(scheduler);",
                     "is_over()) {\n\t\tstruct task *task = NULL;")
BRISK = [*SMALL_SCHEDULER, block_of(4), "-DMODEL_POOLS=1", "-DMODEL_CLOCK_END=3",
         ("sched/timer.h", "TIMER_LATE 1000000", "TIMER_LATE 1"),
         ("sched/scheduler.c", "LOOK_AGAIN    1000000", "LOOK_AGAIN 10")]
LIGHT_TASKS = "-DMODEL_LIGHT_TASKS=true"
HAND_OVER = [*SCHEDULER, "tools/verify/model/pool.c", "sched/error.c",
             *(f"sync/{name}.c" for name in "mutex mutex_plain waiter exchange deferral".split())]

CASES = {
    "scheduler": {
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, block_of(2)],
        "errors": {
            "looked-before-announcing": ("sched/scheduler.c",
                                         "arch_remote_barrier();\n\tstruct task *task = ready_search(scheduler);",
                                         "arch_remote_barrier();\n\tstruct task *task = NULL;"),
            "halted-while-lingering": ("sched/scheduler.c", "if (lingered)\n\t\twake_linger_end();", ";"),
            "lingered-and-not-spread": ("sched/scheduler.c", "if (task && (lingers || claimed))",
                                        "if (task && claimed)"),
            "rested-unsettled": ("sched/scheduler.c", "arch_remote_barrier();", ";"),
            "looked-before-put": (
                "sched/ready_put.c",
                "local_queue_put(queue, task);\n"
                "\treturn !brisk_is(scheduler) && sees_resting_in_chain(scheduler) && "
                "share_and_wake(scheduler, queue);",
                "bool rests = sees_resting_in_chain(scheduler);\n\tlocal_queue_put(queue, task);\n"
                "\treturn rests && share_and_wake(scheduler, queue);"),
            "looked-before-appended": (
                "sched/ready_put.c",
                "if (__builtin_expect(!plain_put(scheduler, task), 0)) {\n\t\tpublish_full(task, scheduler);\n"
                "\t\treturn;\n\t}\n\tif (plain_is_seen(scheduler, task->schedule.priority))",
                "bool seen = plain_is_seen(scheduler, task->schedule.priority);\n"
                "\tif (!plain_put(scheduler, task)) {\n\t\tpublish_full(task, scheduler);\n\t\treturn;\n\t}\n"
                "\tif (seen)"),
            "never-interrupted": ("sched/ready_search.c", "arch_processor_interrupt(owner);", ";"),
            "put-not-ordered": (
                "sched/ring.h", "atomic_exchange_explicit(&ring->tail, tail, memory_order_seq_cst);", "(void)tail;"),
            "relied-and-not-looked-again": ("sched/ready_put.c", "if (scheduler->relies)", "if (false)"),
            "asked-before-published": (
                "sched/ready_put.c", "ready_bound_put(task);\n\tquantum_ask_if_lower(home, level);",
                "quantum_ask_if_lower(home, level);\n\tready_bound_put(task);"),
            "bound-woken-before-put": (
                "sched/ready_bound.c",
                "\tqueue_enqueue(&scheduler->bound_remote[task->schedule.priority], &task->item);\n"
                "\tplain_forbid(scheduler);\n\twake_home(home);",
                "\twake_home(home);\n"
                "\tqueue_enqueue(&scheduler->bound_remote[task->schedule.priority], &task->item);"),
            "not-looked-elsewhere": ("sched/ready.c",
                                     "task ? task : find_on_processor_stack(ready_search_others",
                                     "true ? task : find_on_processor_stack(ready_search_others"),
            "resume-forgotten": ("sched/wait.c", "\tdeliver_permit(left);\n", ""),
            "end-not-atomic": ("sched/task_end.c",
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
        "shown_by": {"looked-before-announcing": "wake-local", "rested-unsettled": "wake-local",
                     "never-interrupted": "wake-local", "put-not-ordered": "linger-two-foreign",
                     "relied-and-not-looked-again": "linger-two-local", "halted-while-lingering": "linger-global",
                     "lingered-and-not-spread": "linger-two-local", "asked-before-published": "make-way-bound-global",
                     "not-looked-elsewhere": "make-way-local", "resume-forgotten": "suspend-global",
                     "left-before-published": "yield-global", "bound-woken-before-put": "wake-bound-local",
                     "looked-before-put": "make-way-local"},
    },
    "bound": {
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, block_of(4)],
        "errors": {
            "own-before-remote": (
                "sched/ready_bound.c", "if (ready_bound_has_remote(scheduler))",
                "if (!(levels_of(scheduler) & bound_bit(level)) && ready_bound_has_remote(scheduler))"),
            "put-as-own-from-elsewhere": ("sched/ready_bound.c", "if (home == processor_current())", "if (true)"),
            "not-forbidden": ("sched/ready_bound.c", "\tplain_forbid(scheduler);\n\twake_home(home);",
                              "\twake_home(home);"),
        },
        "shown_by": {"not-forbidden": "in-turn-local"},
    },
    "ready_added": {
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, block_of(2)],
        "errors": {
            "put-nowhere": ("sched/ready_added.c", "ready_added->put(task);", "(void)task;"),
        },
    },
    # A task that is put is shared in a block of two, or stays its owner's.
    "join": {
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, block_of(2)],
        "errors": {
            "may-still-withdraw": ("sched/task_end.c",
                                   "!word_compare_exchange(&left->join, &join, join | TASK_JOIN_ENDING,",
                                   "false && !word_compare_exchange(&left->join, &join, join,"),
            "taken-though-it-goes-on": ("sched/task_end.c",
                                        "!wait_grant(joiner, joiner->join_ticket, HEDDLE_OK))\n\t\treturn NULL;",
                                        "(atomic_store(&left->join, TASK_JOIN_TAKEN), "
                                        "!wait_grant(joiner, joiner->join_ticket, HEDDLE_OK)))\n\t\treturn NULL;"),
            "though-bound": ("sched/task_end.c", " || joiner->schedule.bound != HEDDLE_TASK_ANY_PROCESSOR)", ")"),
        },
        "shown_by": {"may-still-withdraw": "cancelled", "taken-though-it-goes-on": "cancelled",
                     "though-bound": "bound"},
    },
    # The same with tasks that have touched nothing, which end on the plain way.
    "join-light": {
        "file": "join",
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, block_of(2), LIGHT_TASKS],
        "errors": {
            "ended-by-store": ("sched/task_end.c",
                               "!word_change(&left->join, TASK_JOINABLE, TASK_JOIN_ENDED, memory_order_release))",
                               "(atomic_store(&left->join, TASK_JOIN_ENDED), false))"),
        },
        "shown_by": {"ended-by-store": "bound"},
    },
    "yield": {
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, *OFTEN, block_of(2)],
        "errors": {
            "never-interrupted-by-busy-ones": (
                "sched/ready_search.c", "if (!task && is_overdue(victim->scheduler))", "if (false)"),
        },
        "shown_by": {"never-interrupted-by-busy-ones": "in-the-way"},
    },
    "yield-own": {
        "file": "yield",
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, block_of(4)],
        "errors": {},
    },
    "exchange": {
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, block_of(4), ANNOUNCED_AT_ONCE],
        "errors": {
            "nobody-looked-at": ("sched/switch.h",
                                 "plain_is_seen(scheduler, level) && ready_is_seen(level, more)", "false"),
            "looked-at-before": (
                "sched/switch.h",
                "\tlocal_queue_append(scheduler->plain_queue, left, room);\n"
                "\tif (__builtin_expect(plain_is_seen(scheduler, level) && ready_is_seen(level, more), 0)) {",
                "\tbool seen = plain_is_seen(scheduler, level) && ready_is_seen(level, more);\n"
                "\tlocal_queue_append(scheduler->plain_queue, left, room);\n\tif (seen) {"),
            "told-nobody": ("sched/switch.h", "switch_contexts(left, next, ready_look, NULL);",
                            "switch_plainly(scheduler, left, next);\n"
                            "\t\tarch_context_swap(&left->context, &next->context);"),
            "left-before-published": ("sched/switch.h", "\tlocal_queue_append(scheduler->plain_queue, left, room);\n",
                                      "\tready_publish(left);\n"),
        },
    },
    "hand_over": {
        "sources": HAND_OVER,
        "changes": [*SMALL_SCHEDULER, block_of(4), ANNOUNCED_AT_ONCE, "-DMODEL_POOLS=1"],
        "errors": {
            "given-to-who-gave-up": ("sync/mutex.c", "!waiter_try_grant(first, next))",
                                     "(waiter_try_grant(first, next), false))"),
            "looked-at-before-it-ended": ("sync/mutex.c", "!switch_may_make_way(scheduler, task) ||",
                                          "!switch_may_exchange(scheduler, task, next) ||"),
            "told-by-the-next-only": ("sched/ready_put.c", "\t\tscheduler->relies = true;\n\t\treturn false;",
                                      "\t\treturn false;"),
            "not-shared-when-looked-at": ("sched/ready_put.c", "together ? local_queue_share(queue) : ", ""),
            "held-still": ("sync/mutex.c", "\ttask->held = mutex->held_next;\n\tmutex_set_owner(mutex, next);\n",
                           "\tmutex_set_owner(mutex, next);\n"),
        },
        "shown_by": {"given-to-who-gave-up": "cancelled", "looked-at-before-it-ended": "cancelled",
                     "told-by-the-next-only": "told-at-a-check", "not-shared-when-looked-at": "told-at-a-check"},
    },
    # Tasks that have touched nothing, and end while others are ready.
    "exit": {
        "file": "hand_over",
        "sources": HAND_OVER,
        "changes": [*SMALL_SCHEDULER, block_of(4), ANNOUNCED_AT_ONCE, "-DMODEL_POOLS=1", LIGHT_TASKS],
        "errors": {
            "next-forgotten": ("sched/exit.c", "if (__builtin_expect(!next, 0))",
                               "if (!next || !(next = plain_take(scheduler, task)))"),
        },
    },
    # Each task that is put fills a block.
    "hand_over-block": {
        "file": "hand_over",
        "sources": HAND_OVER,
        "changes": [*SMALL_SCHEDULER, block_of(1), ANNOUNCED_AT_ONCE, "-DMODEL_POOLS=1"],
        "errors": {
            "shared-before-it-was-left": ("sched/switch.h", "switch_contexts(left, next, finalize_publish, NULL);",
                                          "ready_publish(left);\n\t\tswitch_plainly(scheduler, left, next);\n"
                                          "\t\tarch_context_swap(&left->context, &next->context);"),
        },
    },
    "moved": {
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, block_of(4), ANNOUNCED_AT_ONCE],
        "errors": {
            "moved-and-not-looked": ("sched/ready.c", "ready_share_moved(scheduler);", ";"),
            "plainly-moved-and-not-looked": (
                "sched/ready.c", "brisk_is(scheduler) || !ready_must_share_moved())", "true)"),
            "looked-and-gone-on-plainly": ("sched/ready.c", "\tplain_forbid(scheduler);\n\treturn false;",
                                           "\treturn false;"),
        },
        "shown_by": {"moved-and-not-looked": "at-the-end", "plainly-moved-and-not-looked": "by-a-yield",
                     "looked-and-gone-on-plainly": "by-a-wait"},
    },
    "moved-block": {
        "file": "moved",
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, block_of(2), ANNOUNCED_AT_ONCE],
        "errors": {
            "shared-and-not-looked": ("sched/ready_put.c", "local_queue_has_own(queue) && local_queue_has_room(queue);",
                                      "local_queue_has_own(queue);"),
        },
    },
    "balance": {
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, *OFTEN, block_of(4), ANNOUNCED_AT_ONCE, balanced_every(2)],
        "errors": {
            "offered-and-not-looked": ("sched/balance.c", "if (wake_is_resting())", "if (false)"),
            "fetched-and-not-looked": (
                "sched/balance.c", "\t/* While we held them, no processor could find them. */\n"
                "\tready_share_moved(scheduler);", ""),
            "taken-without-exchange": (
                "sched/balance.c",
                "uintptr_t offer = atomic_exchange_explicit(&owner->offer, 0, memory_order_acq_rel);",
                "uintptr_t offer = owner->offer; atomic_store_explicit(&owner->offer, 0, memory_order_release);"),
            "not-ended": ("sched/local_queue.c", "\t*end = NULL;\n", ""),
        },
        "shown_by": {"offered-and-not-looked": "rests", "fetched-and-not-looked": "rests-4",
                     "taken-without-exchange": "yields", "not-ended": "rests-4"},
    },
    # The next look comes too late to take anything back.
    "balance-seldom": {
        "file": "balance",
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, *OFTEN, block_of(4), ANNOUNCED_AT_ONCE, balanced_every(16)],
        "errors": {"not-taken-back": ("sched/ready.c", "if (!task && balance_offer(scheduler))", "if (false)")},
    },
    "run_next": {
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, *OFTEN, block_of(2)],
        "errors": {
            "not-robbed": ("sched/ready_search.c", "run_next_is_free(word) ? 1u << slot_level(word) : 0;", "0;"),
            "nobody-woken": ("sched/run_next.c", "\tquantum_ask(home);\n\ttell_others(word);",
                             "\tquantum_ask(home);\n\t(void)word;"),
            "nobody-woken-for-the-one-behind": ("sched/run_next.c", "ran_next = true;\n\ttell_others(word);",
                                                "ran_next = true;\n\t(void)word;"),
            "before-the-one": ("sched/run_next.c", "\thome->scheduler->ran_next = true;\n", ""),
            "passed-over-and-nobody-woken": ("sched/scheduler.c", "\t\trun_next_look(scheduler);\n", ""),
            "home-not-woken": ("sched/run_next.c", "|| wake_home(home))", ")"),
            "bound-robbed": ("sched/run_next.h", "word != 0 && !(word & SLOT_BOUND)", "word != 0"),
            "taken-without-cas": (
                "sched/run_next.c", "} while (!atomic_compare_exchange_weak_explicit(&scheduler->run_next, &word, 0,",
                "if (1) { atomic_store(&scheduler->run_next, 0); break; }"
                "} while (!atomic_compare_exchange_weak_explicit(&scheduler->run_next, &word, 0,"),
            "no-turn": ("sched/ready.c", "levels_here(scheduler) | (sent ? 1u << slot_level(sent) : 0);",
                        "levels_here(scheduler) | (sent & 0);"),
        },
        "shown_by": {"bound-robbed": "bound-local", "taken-without-cas": "yield-global", "no-turn": "low-local",
                     "nobody-woken-for-the-one-behind": "after-one-local",
                     "passed-over-and-nobody-woken": "higher-local", "before-the-one": "behind-one-local"},
    },
    "stop": {
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, block_of(2)],
        "errors": {
            "each-by-itself": ("sched/scheduler.c", "while (!quiet_is_over()) {",
                               "while (!quiet_is_over()) { if (stopping() && !scheduler->levels) return;"),
            "not-said": ("sched/quiet.c", "\t\t\tscheduler_wake_all();", "\t\t\t;"),
            "though-one-is-claimed": ("sched/quiet.c", " || !idle_all(processor_count)", ""),
        },
        "shown_by": {"though-one-is-claimed": "bound-local"},
    },
    "brisk": {
        "sources": TIMED,
        "changes": BRISK,
        "errors": {
            "checked-and-not-told": ("sched/ready_put.c", "if (brisk_is(scheduler))\n\t\tbrisk_end",
                                     "if (false)\n\t\tbrisk_end"),
            "looked-before-it-ended": ("sched/brisk.c", "\tset_brisk(scheduler, 0);\n\tready_share_moved(scheduler);",
                                       "\tready_share_moved(scheduler);\n\tset_brisk(scheduler, 0);"),
            "not-watched": ("sched/timer.c", "return earliest(scheduler) < brisk_until ?", "return true ?"),
        },
        "shown_by": {"not-watched": "watched", "looked-before-it-ended": "watched"},
    },
    # Each look finds that what it had found no longer holds.
    "brisk_begun": {
        "sources": TIMED,
        "changes": [*BRISK, ("sched/brisk.c", "SHORT       1000", "SHORT       0")],
        "errors": {
            "begun-and-not-shared": ("sched/brisk.c", "\tready_share_moved(scheduler);", "\tready_must_share_moved();"),
        },
    },
    "brisk_give": {
        "sources": TIMED,
        "changes": [*BRISK, *OFTEN, ("sched/brisk.c", "GIVE_LEAST  20000", "GIVE_LEAST  0")],
        "errors": {
            "taken-and-not-given": ("sched/brisk.c", "\trun_next_publish(task, (unsigned)to);", ""),
            "given-before-it-was-taken": ("sched/brisk.c", "more ? local_queue_take_own(queue)",
                                          "more ? local_queue_own(queue)"),
        },
    },
    "control": {
        "sources": SCHEDULER,
        "changes": [*SMALL_SCHEDULER, block_of(4)],
        "errors": {
            "left-behind": ("sched/control.c", "if (left->schedule.keeps)", "if (false)"),
            "not-loaded": ("sched/control.c", "if (next->schedule.keeps)", "if (false)"),
            "left-plainly": ("sched/yield.c", "\tuint32_t more = plain_more(scheduler, left);",
                             "\tleft->schedule.keeps = 0;\n\tuint32_t more = plain_more(scheduler, left);"),
            "come-to-plainly": ("sched/yield.c",
                                "__builtin_expect(next->schedule.ties.word != left->schedule.ties.word, 0)", "false"),
        },
    },
}
