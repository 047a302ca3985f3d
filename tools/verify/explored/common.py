"""What several case files are compiled with."""

SMALL_POOL = "-DQUEUE_POOL_SIZE(count)=((size_t)2*((count)-1))"
FEW_PRIORITIES = [("user/include/heddle/task.h", "HEDDLE_PRIORITY_IDLE = -2,", "HEDDLE_PRIORITY_IDLE = -1,"),
                  *(("user/include/heddle/task.h", f"\tHEDDLE_PRIORITY_{name},\n", "")
                    for name in ("LOW", "HIGH", "REALTIME"))]
# The cases of sync/ have a scheduler of their own, without queues.
SYNC = [f"tools/verify/model/{name}.c" for name in "arch kernel task_memory ready timer pool script".split()] + [
    f"sched/{name}.c"
    for name in "task task_end exit suspend switch wait owed error queue hazard yield local_queue control".split()] + [
    f"sync/{name}.c"
    for name in "start waiter exchange deferral serve granted select channel mutex mutex_plain mutex_owner".split()] + [
    f"sync/{name}.c" for name in "mutex_settings future reads reader_writer_lock reader_writer_queue".split()] + [
    "sync/reader_writer_deferral.c", "sync/strategy/holder.c"] + [
    f"sync/delegation/{name}.c" for name in "queue await help qd_lock readers".split()]
DELEGATION = [*SYNC, "tools/verify/model/sections.c"]
OBJECTS = "semaphore barrier latch event condition".split()
SHORT_RING = ("sched/ring.h", "RING_LENGTH     256", "RING_LENGTH     4")
# Checks are where a script has them.
NEVER_SPENT = (
    "sched/quantum.h", "return quantum_counter_left(quantum_counter(scheduler->processor)) <= 0;", "return false;")


def block_of(tasks):
    return ("sched/local_queue.h", "LOCAL_BLOCK 32", f"LOCAL_BLOCK {tasks}")


TASKS_ONLY = [SMALL_POOL, NEVER_SPENT, SHORT_RING, block_of(2), *FEW_PRIORITIES]
