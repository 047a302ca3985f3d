"""Waits and the locks that exchange."""

from .common import OBJECTS, SYNC, TASKS_ONLY

# The server leaves without a look at requests that were left since.
LEFT_BY_STORE = ("sync/serve.h", "uintptr_t expected = SERVE_BUSY;",
                 "uintptr_t expected = SERVE_BUSY;\n\tif (atomic_load(&object->word) == SERVE_BUSY) { "
                 "atomic_store(&object->word, SERVE_FREE); return true; }")

# Not the task for which the current task leaves by itself.
FORGOTTEN_BY_A_SWITCH = ("sched/switch.h", "\towed_settle_any(scheduler);\n", "")

PLAIN_AT_FIRST = "-DMUTEX_AT_FIRST=MUTEX_PLAIN"
# A mutex is plain after any lock without a wait.
PLAIN_SOON = ("sync/mutex_plain.h", "#define MUTEX_PERIOD 64", "#define MUTEX_PERIOD 1")
# A task that is to try again waits until that may help.
AWAITED = ("sync/mutex.c", "ready_publish(left); /* to try again, as after a yield */",
           "{ void model_refuse(struct task *, struct mutex *); model_refuse(left, mutex); }")

CASES = {
    "mutex": {
        "sources": SYNC,
        "changes": TASKS_ONLY,
        "errors": {
            "let-go-with-queue": ("sync/mutex.c", "if (__builtin_expect(first != NULL, 0))", "if (false)"),
            "pushed-without-looking": ("sync/mutex_word.h",
                                       "if (__builtin_expect(!waiter->next && word != MUTEX_LOCKED, 0))", "if (false)"),
            "armed-before-push": ("sync/mutex.c", "if (waiter_renew(waiter, ticket) || mutex_push(mutex, waiter))",
                                  "wait_arm(left, ticket);\n\tif (waiter_renew(waiter, ticket) || "
                                  "mutex_push(mutex, waiter))"),
            "any-ticket": ("sync/waiter.c", "wait_grant(waiter->task, wait_ticket_of(wait), HEDDLE_OK)",
                           "wait_grant(waiter->task, wait_ticket(waiter->task), HEDDLE_OK)"),
            "discarded-by-store": (
                "sync/waiter.c",
                "return atomic_compare_exchange_strong_explicit(&waiter->wait, wait, WAITER_DISCARDED,",
                "if ((atomic_store(&waiter->wait, WAITER_DISCARDED), true)) return true;"
                "return atomic_compare_exchange_strong_explicit(&waiter->wait, wait, WAITER_DISCARDED,"),
            "not-renewed": ("sync/waiter.h", "if (old != WAITER_DISCARDED &&",
                            "if (false && old != WAITER_DISCARDED &&"),
            "not-orphaned": ("sync/waiter.c", "if (wait == WAITER_DISCARDED ||",
                             "if (true || wait == WAITER_DISCARDED ||"),
            "touched-after-unlock": ("sync/mutex.c", "extension_end(task);\n\tif (next ",
                                     "extension_end(task);\n\t(void)mutex_has_stack(mutex);\n\tif (next "),
            "alone-among-others": ("kernel/alone.h", "return processor_count == 1;", "return processor_count > 0;"),
        },
    },
    "mutex_from_plain": {
        "file": "mutex",
        "sources": [*SYNC, "tools/verify/model/plain.c"],
        "changes": [*TASKS_ONLY, PLAIN_AT_FIRST, PLAIN_SOON, AWAITED],
        "errors": {
            "owner-after-a-look": ("sync/mutex.c",
                                   "\tmutex_set_owner(mutex, NULL);\n"
                                   "\tif (__builtin_expect(!mutex_unlock_plainly(mutex), 0) &&",
                                   "\tbool plain = mutex->word == (MUTEX_PLAIN | MUTEX_LOCKED);\n"
                                   "\tmutex_set_owner(mutex, NULL);\n"
                                   "\tif (plain) atomic_store(&mutex->word, MUTEX_PLAIN);\n\telse if ("),
            "mark-overwritten": ("sync/mutex_plain.h", "relaxed) != (MUTEX_PLAIN | MUTEX_LOCKED))",
                                 "relaxed) == MUTEX_LOCKED)"),
            "queued-at-a-plain-one": ("sync/mutex_word.h", "!waiter->next && word != MUTEX_LOCKED, 0))",
                                      "word == MUTEX_FREE || word == MUTEX_PLAIN, 0))"),
        },
    },
    "mutex_plain": {
        "sources": ["sync/mutex_plain.c"],
        "changes": [],
        "errors": {
            "no-barrier": ("sync/mutex_plain.c", "\t\tarch_remote_barrier();", "\t\t;"),
            "any-owner": ("sync/mutex_plain.c",
                          "return atomic_load_explicit(&mutex->owner, memory_order_relaxed) &&", "return"),
            "one-mark": ("sync/mutex_plain.c",
                         "atomic_fetch_add_explicit(&marks, MUTEX_BITS + 1, memory_order_relaxed)", "0"),
        },
    },
    "deferral": {
        "sources": SYNC + ["sync/semaphore.c", "sync/condition.c"],
        "changes": TASKS_ONLY,
        "errors": {
            "not-put-back": ("sync/mutex_lent.h", "\tmutex->first = next->locks.waiter;\n", ""),
            "waits-no-more": ("sched/owed.c", "\twait_take_back(task);", "\t(void)task;"),
            "request-not-looked-at": ("sched/wait.c", "if (phase == WAIT_ARMED)", "if (false)"),
            "looked-at-before": ("sched/wait.c",
                                 "\tatomic_exchange_explicit(&task->wait.word, wait_word(wait_ticket(task), phase)",
                                 "\tif (phase == WAIT_ARMED)\n\t\twait_look(task);\n"
                                 "\tatomic_store(&task->wait.word, wait_word(wait_ticket(task), phase));\n\treturn;\n"
                                 "\tatomic_exchange_explicit(&task->wait.word, wait_word(wait_ticket(task), phase)"),
            "kept-is-cancelled": ("sched/wait.c", "phase = (enum wait_phase)task->wait.phase;", "phase = WAIT_ARMED;"),
            "deadline-passes": ("sync/deferral.c", "|| has_deadline(next) ||", "||"),
            "forgotten-by-a-switch": FORGOTTEN_BY_A_SWITCH,
            "forgotten-by-a-wait": ("sched/switch.c", "scheduler->owed ? owed_leave(scheduler) : NULL",
                                    "scheduler->owed ? (owed_leave(scheduler), NULL) : NULL"),
            "taken-back-when-gone": ("sched/owed.c", "\treturn owed_forget(scheduler);",
                                     "\tconst void *giver = scheduler->owed_giver;\n\tstruct task *task = "
                                     "owed_forget(scheduler);\n\tscheduler->owed_giver = giver;\n\treturn task;"),
            "taken-back-when-left": ("sched/owed.c",
                                     "\tstruct task *task = owed_forget(scheduler);\n\tscheduler->chain",
                                     "\tstruct task *task = scheduler->owed;\n\tscheduler->owed = NULL;\n"
                                     "\tscheduler->chain"),
            "two-at-once": ("sync/deferral.c", "!scheduler->owed && ", ""),
            "made-ready-as-well": ("sync/mutex.c", "if (next && !deferral_begin(&mutex->deferral, mutex, next))",
                                   "if (next && (deferral_begin(&mutex->deferral, mutex, next), true))"),
        },
    },
    "lent": {
        "sources": SYNC + ["sync/semaphore.c"],
        "changes": TASKS_ONLY,
        "errors": {
            "not-put-back": ("sync/mutex_lent.h", "\tmutex->first = next->locks.waiter;\n", ""),
            "settled": ("sched/owed.c", "\tif (return_any(scheduler))\n\t\treturn;\n", ""),
            "left-for": ("sched/owed.c", "\tif (return_any(scheduler))\n\t\treturn NULL;\n", ""),
            "yielded-to": ("sched/owed.c", "bool is_given = scheduler->owed_giver;\n\tif (is_given)",
                           "bool is_given = scheduler->owed_giver || scheduler->owed_lent;\n\tif (is_given)"),
            "checked": ("sched/owed.c", "\tif (scheduler->owed_giver) {", "\tif (scheduler->owed_giver || "
                        "scheduler->owed_lent) {"),
            "ended-with": ("sync/mutex.c", "\tmutex_return_lent(mutex);\n", ""),
            "for-ever": ("sched/owed.h", "\tscheduler->owed_lent = NULL;\n\ttrace_grant", "\ttrace_grant"),
            "twice": ("sched/owed.h", "\tscheduler->owed_giver = NULL;\n\ttrace_revoke", "\ttrace_revoke"),
            "to-none": ("sched/owed.h", "\tscheduler->owed_giver = scheduler->owed_lent;\n",
                        "\tscheduler->owed = NULL;\n"),
            "still-first": ("sync/mutex_lent.h", "\tmutex->first = first->next;\n", ""),
            "owner-still": ("sync/mutex_lent.h", "\ttask->held = mutex->held_next;\n", ""),
            "more-in-a-row": ("sync/deferral.h", "|| deferral->row >= command_line.chain ", ""),
        },
    },
    "writer_deferral": {
        "sources": SYNC,
        "changes": TASKS_ONLY,
        "errors": {
            "not-put-back": ("sync/reader_writer_deferral.c", "\tlock->first = waiter;\n", ""),
            "not-at-the-head": ("sync/reader_writer_deferral.c", "waiter->next = lock->first;", "waiter->next = NULL;"),
            "not-queued": ("sync/reader_writer_deferral.c",
                           "\tatomic_fetch_or_explicit(&lock->state, QUEUED, memory_order_relaxed);\n", ""),
            "waits-no-more": ("sync/reader_writer_deferral.c", "\twait_take_back(next);", ""),
            "waits-before-put-back": ("sync/reader_writer_deferral.c", "\twaiter->next = lock->first;\n",
                                      "\twait_take_back(next);\n\twaiter->next = lock->first;\n"),
            "readers-too": ("sync/reader_writer_deferral.c",
                            "next->locks.waiter->use == reader_writer_use(lock, true) &&", ""),
            "made-ready-as-well": ("sync/reader_writer_lock.c", "!writes || !reader_writer_defer(lock, &granted)",
                                   "!writes || (reader_writer_defer(lock, &granted), true)"),
            "taken-back-to-read": ("sync/reader_writer_lock.c", "if (writes && owed_is_of(", "if (owed_is_of("),
        },
        "shown_by": {"waits-before-put-back": "cancel"},
    },
    "deferred_wake": {
        "sources": SYNC + ["sync/semaphore.c"],
        "changes": TASKS_ONLY,
        "errors": {
            "ready-as-well": ("sync/granted.c", "!deferral_of_wake(first))", "(deferral_of_wake(first), true))"),
            "forgotten-at-a-check": ("sched/owed.c", "static void publish(void *task)\n{\n\tready_publish(task);",
                                     "static void publish(void *task)\n{\n\t(void)task;"),
            "forgotten-by-a-switch": FORGOTTEN_BY_A_SWITCH,
        },
    },
    "semaphore": {
        "sources": SYNC + ["sync/semaphore.c"],
        "changes": TASKS_ONLY,
        "errors": {
            "left-by-store": LEFT_BY_STORE,
            "published-before-left": ("sync/serve.c",
                                      "serve_others(object, kind->step, granted);\n\tgranted_exchange(granted);",
                                      "granted_exchange(granted);\n\tserve_others(object, kind->step, granted);"),
            "not-withdrawn": ("sync/serve.c", "\tif (__builtin_expect(call->abandoned, 0))", "\tif (false)"),
            "waited-not-set": ("sync/semaphore.c", "\tmark_waited(semaphore);\n", ""),
            "given-while-served": ("sync/semaphore.c", "\tif (!is_waited(semaphore))\n\t\treturn HEDDLE_BUSY;\n", ""),
            "not-looked-at-requests": ("sync/serve.c", "\twait_look(left);\n", ""),
            "looked-before-left": ("sync/serve.c",
                                   "\twait_arm_unseen(left, wait_leave(left));\n",
                                   "\twait_arm_unseen(left, wait_leave(left));\n\twait_look(left);\n"
                                   "\tif (serve_try_leave(object)) return;\n"),
            "armed-when-left": ("sync/serve.c",
                                "\twait_arm_unseen(left, wait_leave(left));\n"
                                "\t/* From here on the call may be gone. */\n"
                                "\tif (__builtin_expect(!serve_try_leave(object), 0))\n"
                                "\t\tserve_in_its_place(object, step);\n",
                                "\tuint64_t ticket = wait_leave(left);\n"
                                "\tif (__builtin_expect(!serve_try_leave(object), 0))\n"
                                "\t\tserve_in_its_place(object, step);\n"
                                "\twait_arm_unseen(left, ticket);\n"),
        },
    },
    "reader_writer_lock": {
        "sources": SYNC,
        "changes": TASKS_ONLY,
        "errors": {
            "left-before-readers": ("sync/reader_writer_queue.c", "(state & READERS) == (seen & READERS) &&", ""),
            "left-with-stack": ("sync/reader_writer_queue.c", "&& (queued || !is_awaited(state))", ""),
            "run-before-left": ("sync/reader_writer_queue.c", "granted_add(granted, task);", "ready_publish(task);"),
            "again-not-set": ("sync/reader_writer_queue.c", "state | (state & SERVED ? AGAIN : 0);", "state;"),
            "not-looked-again": ("sync/reader_writer_lock.c",
                                 "if (error != HEDDLE_OK && writes)\n\t\treader_writer_look_again(lock);", ""),
            "who-gave-up-writes": ("sync/reader_writer_lock.c", "return reader_writer_is_writer(lock, task) ||",
                                   "return atomic_load(&lock->writer) == task ||"),
            "nobody-told": ("sync/reader_writer_lock.c", "lock->owner_died = HEDDLE_OWNER_DIED;", ""),
            "share-not-given-back": ("sync/reader_writer_lock.c", "reader_writer_release(lock, READER);", ";"),
        },
        "shown_by": {"again-not-set": "deadline-both"},
    },
    "gathering": {
        "sources": SYNC + [f"sync/{name}.c" for name in "barrier latch event".split()],
        "changes": TASKS_ONLY,
        "errors": {
            "barrier-gave-up-and-counts": ("sync/barrier.c", "barrier->arrived -= !request->target->done;", ""),
            "barrier-wait-cancelled": (
                "sync/barrier.c", "kept ? serve_kept(&barrier->served, &kind, &request)",
                "kept ? serve(&barrier->served, &kind, &request, deadline, false)"),
            "barrier-past-the-server": (
                "sync/barrier.c", "if (serve_is_free(&barrier->served, &barrier->waiting))", "if (true)"),
            "latch-past-the-server": ("sync/latch.c", " && serve_is_left(&latch->served)", ""),
            "event-past-the-server": ("sync/event.c", " && serve_is_left(&event->served)", ""),
            "only-one-let-go": ("sync/granted.c", "\twhile (request) {", "\tif (request) {"),
            "all-go-before-it-is-left": ("sync/granted.c", "\t\tif (kept)\n\t\t\tgranted_publish(&one);",
                                         "\t\tif (true)\n\t\t\tgranted_publish(&one);"),
            "task-of-another-request-stays": ("sync/granted.c", "\t\tif (kept)\n\t\t\tgranted_publish(&one);",
                                              "\t\tif (kept || granted->first)\n\t\t\tgranted_publish(&one);"),
        },
    },
    "condition": {
        "sources": SYNC + ["sync/condition.c"],
        "changes": TASKS_ONLY,
        "errors": {
            "mutex-given-up-first": (
                "sync/condition.c",
                "serve_in_finalizer(&call.condition->served, condition_step, call.request, &granted);\n"
                "\tif (call.mutex)\n\t\tcall.next = mutex_pass(call.mutex, false);",
                "if (call.mutex) call.next = mutex_pass(call.mutex, false);"
                "serve_in_finalizer(&call.condition->served, condition_step, call.request, &granted);"),
            "who-gave-up-counts": ("sync/condition.c", "left -= condition_notify(", "left--, condition_notify("),
            "one-mutex-for-all": ("sync/condition.c", "struct mutex *mutex = waiting->mutex;",
                                  "static struct mutex *mutex; if (!mutex) mutex = waiting->mutex;"),
            "not-kept": ("sync/condition.c", "if (!wait_keep(task, ticket))", "if (false)"),
            "late-and-kept": ("sync/condition.c", "\tmutex_unlock(mutex);\n", ""),
            "not-withdrawn": ("sync/condition.c", "\tcondition_withdraw(condition, &request);\n", ""),
            "those-that-leave-not-awaited": ("sync/condition.c", "== QUIESCE && users_of(condition) > 0", "> QUIESCE"),
            "those-that-left-count": ("sync/condition.c", " && request->target->operation == WAIT)", " && false)"),
            "those-notified-count": (
                "sync/condition.c", "\t\treturn false;\n\tchange_users(condition, -1);", "\t\treturn false;"),
            "left-before-counted": ("sync/condition.c", "if (condition_is_left(condition))",
                                    "if (condition_is_unwaited(condition))"),
            "a-waiter-is-not-seen": ("sync/condition.c", "== QUIESCE && condition_is_awaited(condition)", "> QUIESCE"),
        },
    },
    "condition_from_plain": {
        "file": "condition",
        "sources": [*SYNC, "sync/condition.c", "tools/verify/model/plain.c"],
        "changes": [*TASKS_ONLY, PLAIN_AT_FIRST, PLAIN_SOON, AWAITED],
        "errors": {
            "plain-with-waiters": ("sync/condition.c", "\tmutex_never_plain(mutex);\n", ""),
        },
    },
    "channel": {
        "sources": SYNC,
        "changes": TASKS_ONLY,
        "errors": {
            "chosen-twice": ("sync/select.c", "if (state == TAKEN)\n\t\t\treturn false;", ""),
            "not-withdrawn": ("sync/select.c", "select_withdraw(cases[i].channel, &requests[i]);", ";"),
            "put-before-granted": (
                "sync/channel.c",
                "if (request_grant(sender, result, granted) && result == HEDDLE_OK)\n\t\tchannel_put_in(",
                "if (result == HEDDLE_OK) channel_put_in(channel, message, channel->message_size);\n"
                "\tif (request_grant(sender, result, granted) && false)\n\t\tchannel_put_in("),
            "taken-before-granted": (
                "sync/channel.c",
                "if (request_grant(receiver, result, granted) && result == HEDDLE_OK)\n\t\tchannel_take_out(",
                "if (result == HEDDLE_OK) channel_take_out(channel, message, channel->message_size);\n"
                "\tif (request_grant(receiver, result, granted) && false)\n\t\tchannel_take_out("),
            "put-after-leaving": (
                "sync/channel.c",
                "channel_put_in(channel, message, channel->message_size);\n\treturn channel_leave(channel);",
                "channel_leave(channel);\n\tchannel_put_in(channel, message, channel->message_size);\n"
                "\treturn HEDDLE_OK;"),
            "sent-past-who-receives": (
                "sync/channel.c", "!channel_has_room(channel) || channel->receivers.first)",
                "!channel_has_room(channel))"),
            "handed-to-who-gave-up": ("sync/channel.c", "if (request_grant(receiver, HEDDLE_OK, granted)) {",
                                      "if (request_grant(receiver, HEDDLE_OK, granted) || true) {"),
            "received-past-who-sends": ("sync/channel.c", "channel->count == 0 || channel->senders.first)",
                                        "channel->count == 0)"),
            "left-by-store": LEFT_BY_STORE,
        },
    },
    "wait": {
        "sources": SYNC,
        "changes": TASKS_ONLY,
        "errors": {
            "request-not-taken": ("sched/wait.c", "change_request(request, taken, ended ? WAIT_NONE : WAIT_REQUESTED);",
                                  "change_request(request, taken, WAIT_REQUESTED);"),
            "request-not-put-back": ("sched/wait.c",
                                     "change_request(request, taken, ended ? WAIT_NONE : WAIT_REQUESTED);",
                                     "change_request(request, taken, WAIT_NONE);"),
            "armed-without-looking": ("sched/wait.h",
                                      "memory_order_seq_cst, memory_order_relaxed))\n\t\twait_look(left);",
                                      "memory_order_seq_cst, memory_order_relaxed))\n\t\treturn;"),
            "resume-of-what-was-cancelled": ("sched/wait.c", "\tatomic_exchange_explicit(&task->wait.permit,",
                                             "\tif (wait_phase_of(word) == WAIT_DONE) return;\n"
                                             "\tatomic_exchange_explicit(&task->wait.permit,"),
            "suspended-without-looking": ("sched/wait.c", "\tdeliver_permit(left);\n", ""),
            "suspended-though-cancelled": ("sched/wait.c", "\tdeliver_permit(left);\n\twait_look(left);",
                                           "\tdeliver_permit(left);"),
            "permit-given-without-looking": ("sched/wait.c", "\tdeliver_permit(task);\n", ""),
            "resumed-without-cas": (
                "sched/wait.c", "wait_is_suspended(word) &&\n\t    word_change",
                "wait_is_suspended(word)) {\n\t\tatomic_store(&task->wait.word, word - WAIT_SUSPENDED);\n"
                "\t\ttask->wait.outcome = HEDDLE_OK;\n\t\tready_publish(task);\n\t\treturn;\n\t}\n"
                "\tif (false &&\n\t    word_change"),
            "joiner-not-published-by-ticket": ("sched/task_end.c", "if (!wait_grant(joiner, ticket, HEDDLE_OK)) {",
                                               "if (false) {"),
        },
    },
    "uncooperative": {
        "sources": SYNC + [f"sync/{name}.c" for name in OBJECTS],
        "changes": TASKS_ONLY,
        "errors": {
            "waits-all-the-same": ("sched/wait.c", "\tif (arch_is_uncooperative())\n\t\treturn HEDDLE_UNCOOPERATIVE;\n"
                                   "\tif (deadline", "\tif (deadline"),
            "waits-to-be-served": ("sync/serve.c", "if (call->gives && arch_is_uncooperative())",
                                   "if (false)"),
            "exchanges-all-the-same": ("sync/exchange.c", "scheduler->processor->uncooperative != 0 ||", ""),
            "refused-and-in-the-queue": (
                "sync/serve.c",
                "\tserve_give_up(errand->object, errand->step, errand->requests, errand->granted);\n", ""),
            "asks-who-has-gone": ("sync/semaphore.c", "if (error == HEDDLE_BUSY && request->detached)", "if (false)"),
            "given-back-first": ("sync/serve.c",
                                 "\t\t\tserve_carry_out(errand->object, errand->step, request, errand->granted);\n"
                                 "\t\t\tif (poo",
                                 "\t\t\tif (pooled) pool_give(&request_pool, &request->pooled);"
                                 "\t\t\tserve_carry_out(errand->object, errand->step, request, errand->granted);\n"
                                 "\t\t\tif (false && poo"),
            "never-given-back": ("sync/serve.c", "\t\t\tif (pooled)\n", "\t\t\tif (false)\n"),
            "selects-as-outside": ("sync/select.c", "if (processor_current()->uncooperative != 0)", "if (false)"),
        },
        "shown_by": {"selects-as-outside": "channel-select"},
    },
    "chain": {
        "sources": SYNC + ["sync/semaphore.c", "sync/condition.c"],
        "changes": TASKS_ONLY + ["-DMODEL_CHAIN=1", ("sync/exchange.h", "CHAIN_LONG 16", "CHAIN_LONG 2")],
        "errors": {
            "not-counted": ("sync/exchange.h", "scheduler_current()->chain.count++;", ";"),
            "not-counted-by-conditions": ("sync/condition.c", "exchange_with(next, finalize_condition_wait, &call);",
                                          "switch_to(next, finalize_condition_wait, &call);"),
            "to-a-lower-one": ("sync/exchange.c", "is_lower(scheduler, next) ||", ""),
            "not-for-what-is-elsewhere": ("sync/exchange.c", "(any && chain_length", "(0 && chain_length"),
            "next-forgotten": ("sync/exchange.c", "\t\trun_next_after_one(next);", "\t\t;"),
            "next-made-ready-as-well": ("sync/condition.c", "call.next = NULL;\n", ""),
        },
        "shown_by": {"to-a-lower-one": "mutex-lower"},
    },
    "exhausted": {
        "sources": SYNC + [f"sync/{name}.c" for name in OBJECTS],
        "changes": TASKS_ONLY,
        "errors": {
            "place-forgotten": ("sync/waiter.c", "memory_order_acquire) != WAITER_DISCARDED)",
                                "memory_order_acquire) != WAITER_DISCARDED && false)"),
            "waits-for-ever": ("sched/wait.c", "return HEDDLE_NO_MEMORY;", ";"),
            "no-place-asked-for": ("sync/condition.c", "if (!waiter_take(task, mutex))",
                                   "if (waiter_take(task, mutex), 0)"),
            "refused-and-in-the-queue": (
                "sync/serve.c",
                "\tserve_give_up(errand->object, errand->step, errand->requests, errand->granted);\n", ""),
            "said-to-be-done": ("sync/serve.c", "return HEDDLE_NO_MEMORY;", "return HEDDLE_OK;"),
            "barrier-refused-and-counts": ("sync/barrier.c", "barrier->arrived -= !request->target->done;", ""),
        },
    },
    "timer": {
        "sources": [source for source in SYNC if not source.endswith("timer.c")] + ["sync/semaphore.c"],
        "changes": TASKS_ONLY + ["-DMODEL_POOLS=5"],
        "errors": {
            "stopped-in-another's-heap": ("sched/timer.c", "if (home == scheduler_current())", "if (true)"),
            "given-back-while-it-fires": ("sched/timer.c", "\tif (before & FIRED) {", "\tif (true) {"),
            "told-before-it-fires": (
                "sched/timer.c", "\tbool ended = wait_cancel(",
                "\tatomic_fetch_or(&timer->ends, FIRED);\n\tbool ended = wait_cancel("),
            "counted-still": ("sched/timer.c", "if (!(before & STOPPED))", "if (false)"),
            "children-lost": ("sched/timer.c", "scheduler->timers = rest;", "scheduler->timers = NULL;"),
        },
    },
    "future": {
        "sources": SYNC,
        "changes": TASKS_ONLY,
        "errors": {
            "claimed-by-store": (
                "sync/future.c", "return atomic_compare_exchange_strong_explicit(&future->state, &expected, CLAIMED,",
                "if (atomic_load(&future->state) != EMPTY) return NULL; atomic_store(&future->state, CLAIMED);"
                "return future->room;"
                "return atomic_compare_exchange_strong_explicit(&future->state, &expected, CLAIMED,"),
            "past-the-server": ("sync/future.c", " && (is_shared(future) || serve_is_left(&future->served))", ""),
            "not-broken": ("sync/future.c", "\tfuture_break(future);\n\tgive_up_end", "\tgive_up_end"),
            "given-up-first": ("sync/future.c", "enum heddle_error error = future_set(promise->future, value);",
                               "struct future *future = promise->future; give_up_end(future);"
                               "enum heddle_error error = future_set(future, value); return error;"),
            "left-with-a-copy-of-the-pool": ("sync/future.c", ".lent = is_shared(future)};", ".lent = false};"),
            "copy-given-to-the-pool": ("sync/serve.c", "request->detached && !request->lent;", "request->detached;"),
            "refused-and-claimed": ("sync/future.c", "if (error == HEDDLE_NO_MEMORY)", "if (false)"),
            "counted-by-store": ("sync/future.c",
                                 "if (atomic_fetch_sub_explicit(&future->ends, 1, memory_order_acq_rel) != 1)",
                                 "uint32_t ends = atomic_load(&future->ends); atomic_store(&future->ends, ends - 1);"
                                 "if (ends != 1)"),
        },
    },
}
