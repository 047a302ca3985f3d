/*
 * The clock, as simulated code reads it. A benchmark often works for a time by reading the clock in a loop until that
 * time has passed. Such a loop has thousands of turns with no effect but the time. So the clock skips turns of a loop
 * that does nothing else, at most 1 / POLL_PART of the time that the loop has taken so far. The skipped turns are
 * charged to the processor and to the task's quantum.
 */
#include "arch/arch.h"
#include "arch/simulated/machine.h"
#include "arch/simulated/machine/profile.h"
#include "arch/simulated/machine/simulator.h"

#define POLL_PART 32
#define POLL_MOST 64 /* instructions of a turn, without those of machine_clock() */

extern int32_t heddle_account_left;

/* All code that the plugin compiles keeps the quantum's counter in this register (tools/plugin/). */
static int32_t quantum(void)
{
	int32_t counter;
	__asm__ volatile("movl %%r15d, %0" : "=r"(counter));
	return quantum_counter_left(counter);
}

static void quantum_charge(uint64_t instructions)
{
	__asm__ volatile("subw %0, %%r15w" : : "r"((uint16_t)instructions));
}

/* How many turns may be skipped, of `turn` instructions each, `charged` of them to the quantum. */
static uint64_t turns(const struct virtual_processor *processor, uint64_t turn, uint64_t charged)
{
	uint64_t spent = simulator_now() - processor->poll.begin;
	uint64_t count = spent / POLL_PART / (simulator_instructions(processor, turn) + 1);
	uint64_t most = quantum() > 0 ? (uint64_t)quantum() / charged : 0;
	return count < most ? count : most;
}

uint64_t machine_clock(void)
{
	struct virtual_processor *processor = machine_current;
	struct poll *poll = &processor->poll;
	uintptr_t reader = (uintptr_t)__builtin_return_address(0);
	uint64_t cost = profile_instructions(profile.clock);
	heddle_account_left -= (int32_t)cost;
	uint64_t executed = simulator_executed(processor), turn = executed - poll->executed;
	if (reader == poll->reader && turn > cost && turn <= cost + POLL_MOST) {
		uint64_t count = turns(processor, turn, turn - cost);
		quantum_charge(count * (turn - cost));
		heddle_account_left -= (int32_t)(count * turn);
	} else {
		*poll = (struct poll){.reader = arch_is_user_code(reader) ? reader : 0, .begin = simulator_now()};
	}
	poll->executed = simulator_executed(processor);
	return simulator_now() / PICOSECONDS;
}
