/* The requests of machine_call() (machine.h). */
#include <string.h>

#include "arch/simulated/machine.h"
#include "arch/simulated/machine/order.h"
#include "arch/simulated/machine/profile.h"
#include "arch/simulated/machine/simulator.h"

static void call_halt(struct virtual_processor *processor, uint64_t deadline)
{
	if (processor->woken) {
		processor->woken = false;
		return;
	}
	processor->time += profile.halt;
	processor->state = STATE_HALTED;
	if (deadline < NEVER / PICOSECONDS / 1024) {
		uint64_t until = deadline * PICOSECONDS;
		order_put(processor->index, until > processor->time ? until : processor->time);
	}
}

static void call_wake(struct virtual_processor *processor, struct virtual_processor *other)
{
	processor->time += profile.wake_send;
	if (other->state != STATE_HALTED) {
		other->woken = true;
		return;
	}
	order_remove(other->index);
	simulator_ready(other, processor->time + simulator_varied(profile.wake_arrive));
}

static void interrupt_ask(uint64_t *when, const struct virtual_processor *processor)
{
	if (*when == NEVER)
		*when = processor->time + profile.interrupt;
}

/* Go on at the interrupted instruction with all registers as they were. */
static void go_back(struct virtual_processor *processor)
{
	processor->registers = processor->before;
	processor->interrupted = false;
}

bool call_carry_out(struct virtual_processor *processor, uint32_t request, uint64_t argument)
{
	processor->registers.rax = 0;
	switch ((enum machine_request)request) {
	case MACHINE_HALT:
		call_halt(processor, argument);
		break;
	case MACHINE_WAKE:
		call_wake(processor, &virtual_processors[argument]);
		break;
	case MACHINE_INTERRUPT:
		processor->time += profile.wake_send;
		interrupt_ask(&virtual_processors[argument].interrupt_at, processor);
		break;
	case MACHINE_EXAMINE:
		interrupt_ask(&virtual_processors[argument].examine_at, processor);
		break;
	case MACHINE_RETURN:
		go_back(processor);
		break;
	case MACHINE_BARRIER:
		processor->time += profile.settle;
		break;
	}
	return true;
}
