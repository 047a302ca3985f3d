"""Several calls side by side, as many at a time as the host has processors."""

import os
import queue
import threading


def results(calls, on_result=None):
    """What the calls give back, in their order; on_result(number, result) as they come. The first exception of one of
    them is raised."""
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
            except BaseException as error:  # whatever it is belongs to who called
                ended.put((number, None, error))

    # They end with the program, and what they have started with them (process.die_with).
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
