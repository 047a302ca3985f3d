"""What `run` explores.

By name of the case file: further sources; changes, each a definition or some text to be replaced in a file; the errors
that must be caught, one a binary, each some text to be replaced in a file; and for those that one case is known to
show, which.
"""

from . import coroutine, delegation, outside, queues, sched, strategy, sync

CASES = {**queues.CASES, **sched.CASES, **outside.CASES, **sync.CASES, **strategy.CASES, **delegation.CASES,
         **coroutine.CASES}
