#include "heddle/task.h"

const char *heddle_error_text(enum heddle_error error)
{
	switch (error) {
	case HEDDLE_OK:
		return "no error";
	case HEDDLE_NO_MEMORY:
		return "there is not enough memory";
	case HEDDLE_BAD_ARGUMENT:
		return "an argument is out of range";
	case HEDDLE_TASK_FAULT:
		return "the task ended by a fault";
	case HEDDLE_JOINED:
		return "the task is joined or detached already, or is the caller";
	case HEDDLE_STOPPED:
		return "the machine is not running";
	case HEDDLE_TIMED_OUT:
		return "the deadline has passed";
	case HEDDLE_CANCELLED:
		return "the wait was cancelled";
	case HEDDLE_UNCOOPERATIVE:
		return "it would have to wait in an uncooperative section";
	case HEDDLE_BUSY:
		return "it would have to wait";
	case HEDDLE_OWNER_DIED:
		return "the lock's holder ended without giving it up";
	case HEDDLE_RELOCKED:
		return "the task holds that lock already";
	case HEDDLE_NOT_OWNER:
		return "the task does not hold that lock";
	case HEDDLE_IN_USE:
		return "a task holds it or waits for it";
	case HEDDLE_OVERFLOW:
		return "more than its maximum, or than there was";
	case HEDDLE_CLOSED:
		return "the channel is closed";
	case HEDDLE_TOO_LARGE:
		return "the message is larger than the whole queue";
	case HEDDLE_NO_BUFFER:
		return "the task has no such buffer open: it was closed before, or never given";
	case HEDDLE_ALREADY_SET:
		return "the future was set already";
	case HEDDLE_ENDED:
		return "the generator has ended";
	case HEDDLE_BROKEN:
		return "the future gets no value, because its promise was given up";
	}
	return "an unknown error";
}
