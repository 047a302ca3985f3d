/*
 * Turns of the storm: a worker changes its priority, processor, quantum and extension.
 */
#include "user/test/storm.h"

static void quantum_change(struct storm_task *self)
{
	uint32_t draw = storm_draw(self, 4);
	if (draw == 0)
		STORM_OK(task_set_quantum(1 + storm_draw(self, 10)));
	else if (draw == 1)
		STORM_OK(task_set_quantum(1000 + storm_draw(self, 1000000)));
	else
		STORM_OK(task_set_quantum(0));
}

static void turn(struct storm_task *self)
{
	switch (storm_draw(self, 4)) {
	case 0:
		STORM_OK(task_set_priority(storm_priority(self)));
		break;
	case 1:
		STORM_OK(
		    STORM_CALL(self, task_bind(storm_draw(self, 3) ? HEDDLE_TASK_ANY_PROCESSOR
		                                                   : (int)storm_draw(self, heddle_processors()))));
		break;
	case 2:
		quantum_change(self);
		break;
	case 3:
		STORM_OK(task_set_extension(storm_draw(self, 2) ? 10000 : storm_draw(self, 20000)));
		break;
	}
}

const struct storm_kind storm_change = {.name = "change", .weight = 4, .turn = turn};
