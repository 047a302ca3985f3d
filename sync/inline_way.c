#include "sync/inline_way.h"

#include "heddle/mutex.h"
#include "kernel/alone.h"
#include "kernel/command_line.h"

uint8_t heddle_lock_way;

void inline_way_start(void)
{
	if (command_line.trace.on)
		heddle_lock_way = HEDDLE_LOCK_CALLED; /* events are recorded out of line */
	else
		heddle_lock_way = processor_is_alone() ? HEDDLE_LOCK_ALONE : HEDDLE_LOCK_ATOMIC;
}
