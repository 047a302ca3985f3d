"""What explores that an object may be freed (user/include/heddle/lock.h): for each operation that may be a task's last
on an object, the case in which it is, and in which the object is freed as soon as that may be known."""

DELEGATIONS = {
    f"{kind}_{operation}": f"{file}.{case}"
    for kind, file in (("qd", "delegation"), ("mrqd", "mrqd_lock"), ("hqd", "hqd_lock"))
    for operation, case in (("unlock", "freed"), ("delegate", "freed-delegate"), ("delegate_wait", "freed-wait"),
                            ("close_buffer", "freed-buffer"), ("delegate_unlock", "freed-buffer"))
}

FREED = {
    "mutex_unlock": "mutex.freed",
    "reader_writer_lock_read_unlock": "reader_writer_lock.freed-read",
    "reader_writer_lock_write_unlock": "reader_writer_lock.freed",
    "condition_wait": "condition.freed",
    "condition_wait_until": "condition.freed-deadline",
    "condition_notify_one": "condition.freed",
    "condition_notify_all": "condition.freed-all",
    "condition_quiesce": "condition.quiesced",
    "semaphore_acquire": "semaphore.freed-completion",
    "semaphore_acquire_until": "semaphore.freed-completion",
    "semaphore_release": "semaphore.freed",
    "semaphore_quiesce": "semaphore.quiesced",
    "event_set": "gathering.event-freed",
    "event_wait": "gathering.event-freed",
    "event_wait_until": "gathering.event-freed-deadline",
    "latch_count_down": "gathering.latch-freed",
    "latch_wait": "gathering.latch-freed",
    "latch_wait_until": "gathering.latch-freed-deadline",
    "barrier_wait": "gathering.barrier-freed",
    "barrier_quiesce": "gathering.barrier-quiesced",
    "channel_send": "channel.freed",
    "channel_send_until": "channel.freed-deadline",
    "channel_try_send": "channel.freed-tried",
    "channel_receive": "channel.freed",
    "channel_receive_until": "channel.freed-deadline",
    "channel_try_receive": "channel.freed-try",
    "channel_close": "channel.freed-closed",
    "channel_select": "channel.select-freed",
    "future_set": "future.freed",
    "future_publish": "future.freed-published",
    "future_break": "future.freed-broken",
    "future_wait": "future.freed",
    "future_wait_until": "future.freed-deadline",
    "mcs_lock_unlock": "strategy.mcs-freed",
    "ttas_lock_unlock": "strategy.ttas-freed",
    "ttas_mcs_lock_unlock": "strategy.cohort-freed",
    **DELEGATIONS,
    "mrqd_read_unlock": "mrqd_lock.freed",
}

TAKES = "takes the lock, so an unlock follows"
NO_SIGN = "its effect ends no other task's wait: it is made only when it has returned"
OWN = "the memory is Heddle's own, and model/pool.c frees it"


def each(names, why):
    return dict.fromkeys(names.split(), why)


# Why an operation is not in FREED.
OTHERS = {
    **each("mutex_lock mutex_lock_until", TAKES),
    **each("reader_writer_lock_read reader_writer_lock_read_until reader_writer_lock_write "
           "reader_writer_lock_write_until", TAKES),
    **each("mcs_lock_lock ttas_lock_lock ttas_lock_lock_until ttas_mcs_lock_lock", TAKES),
    **each("qd_lock qd_lock_until qd_delegate_or_lock mrqd_lock mrqd_lock_until mrqd_delegate_or_lock mrqd_read_lock "
           "mrqd_read_lock_until hqd_lock hqd_lock_until hqd_delegate_or_lock", TAKES),
    "event_reset": NO_SIGN,
    "barrier_wait_until": "if its deadline passes as the last task comes, that one may still let the others go",
    "barrier_wait_kept": "barrier_quiesce() follows before it is freed",
    **each("promise_set promise_release", OWN),
}
