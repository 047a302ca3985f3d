"""Several calls in parallel, as many at a time as the host has processors."""

import os
import queue
import threading


def results(calls, on_result=None):
    """The results of the calls, in order; calls on_result(number, result) as they come. Raises the first exception of
    a call."""
    calls = list(calls)
    waiting, ended = queue.SimpleQueue(), queue.SimpleQueue()
    for number, call in enumerate(calls):
        waiting.put((number, call))

    def work():
        while True:
            try:
                number, call = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                ended.put((number, call(), None))
            except BaseException as error:  # passed on to the caller, whatever it is
                ended.put((number, None, error))

    # They end with the program, and so does what they have started (process.die_with).
    for _ in range(min(len(os.sched_getaffinity(0)), len(calls))):
        threading.Thread(target=work, daemon=True).start()
    found = [None] * len(calls)
    for _ in calls:
        number, result, error = ended.get()
        if error is not None:
            raise error
        found[number] = result
        if on_result is not None:
            on_result(number, result)
    return found
