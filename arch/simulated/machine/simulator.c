#include "arch/simulated/machine/simulator.h"

#include <stdio.h>
#include <stdlib.h>

#include "arch/simulated/machine/geometry.h"
#include "arch/simulated/machine/hand.h"
#include "arch/simulated/machine/lines.h"
#include "arch/simulated/machine/order.h"
#include "arch/simulated/machine/profile.h"
#include "arch/simulated/machine/progress.h"

#define INSTRUCTION_BITS 10 /* of profile.instruction, below a picosecond */
#define GRANT_MOST       (1u << 30)
#define PROGRESS_TURNS   (1u << 18)
#define PAUSE_EVERY      64 /* times that a processor is left, on average */
#define PAUSE_PARTS      1024

extern int32_t heddle_account_left;
extern uint32_t machine_drains;

uint64_t simulator_window, simulator_variation, simulator_pauses;
struct simulator_counts simulator_counts;
struct virtual_processor virtual_processors[PROCESSORS_MAXIMUM];
unsigned virtual_processor_count;

static uint64_t chance;
static bool alone;

/* ---------------------------------------------------------------------------------------------- time -- */

void simulator_seed(uint64_t seed)
{
	chance = seed;
}

static uint64_t draw(uint64_t below)
{
	chance = chance * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (chance >> 33) % below;
}

uint64_t simulator_varied(uint64_t time)
{
	if (simulator_variation == 0)
		return time;
	uint64_t part = draw(2 * simulator_variation + 1);
	return time - time * simulator_variation / 1024 + time * part / 1024;
}

/* How long the processor stands still before it gets what it needs: as if the host ran something else. Meanwhile
 * others may change that. */
static uint64_t pause(void)
{
	bool pauses = simulator_pauses && !alone && draw(PAUSE_EVERY) == 0;
	return pauses ? draw(PAUSE_PARTS) * (simulator_pauses / PAUSE_PARTS) : 0;
}

/* Whether another thread of the core runs, too. */
static bool runs_beside(const struct virtual_processor *processor)
{
	for (const int16_t *thread = geometry.threads[processor->core]; *thread >= 0; thread++) {
		enum state state = virtual_processors[*thread].state;
		if (*thread != (int)processor->index && (state == STATE_RUNNING || state == STATE_READY))
			return true;
	}
	return false;
}

static uint64_t instruction_time(const struct virtual_processor *processor)
{
	return runs_beside(processor) ? profile.instruction_shared : profile.instruction;
}

uint64_t simulator_instructions(const struct virtual_processor *processor, uint64_t count)
{
	return count * instruction_time(processor) >> INSTRUCTION_BITS;
}

static uint64_t used(const struct virtual_processor *processor)
{
	return (uint64_t)((int64_t)processor->granted - heddle_account_left);
}

uint64_t simulator_now(void)
{
	return machine_current->time + simulator_instructions(machine_current, used(machine_current));
}

uint64_t simulator_executed(const struct virtual_processor *processor)
{
	return processor->executed + used(processor);
}

/* ---------------------------------------------------------------------------------------------- turns -- */

void simulator_ready(struct virtual_processor *processor, uint64_t time)
{
	processor->time = time > processor->time ? time : processor->time;
	processor->state = STATE_READY;
	order_put(processor->index, processor->time);
}

static uint64_t time_limit(void)
{
	uint64_t earliest = order_earliest();
	return earliest == NEVER ? NEVER : earliest + simulator_window;
}

/* Let the processor run up to the limit, which its time has not reached. */
static struct virtual_processor *go_on(struct virtual_processor *processor)
{
	uint64_t until = time_limit(), most = GRANT_MOST;
	if (until != NEVER) {
		uint64_t count = ((until - processor->time) << INSTRUCTION_BITS) / instruction_time(processor) + 1;
		most = count < most ? count : most;
	}
	processor->state = STATE_RUNNING;
	processor->granted = (uint32_t)most;
	heddle_account_left = (int32_t)most;
	machine_key = processor->key;
	machine_drains = processor->stores_done > processor->time;
	return processor;
}

_Noreturn static void fail_forever(void)
{
	progress_clear();
	fputs("heddle: all processors are halted, and nothing is left that could wake one: the simulated system "
	      "has lost a "
	      "wake-up\n",
	      stderr);
	exit(EXIT_FAILURE);
}

struct virtual_processor *simulator_next(void)
{
	static unsigned turns;
	for (;;) {
		uint64_t time = order_earliest();
		if (time == NEVER)
			fail_forever();
		struct virtual_processor *processor = &virtual_processors[order_take()];
		if (++turns % PROGRESS_TURNS == 0)
			progress_look(time);
		processor->time = time;
		processor->state = STATE_READY;
		if (processor->is_in_need)
			processor->is_in_need = !need_meet(processor);
		if (processor->state != STATE_READY)
			continue;
		if (processor->is_in_need || processor->time > time_limit()) {
			order_put(processor->index, processor->time);
			continue;
		}
		interrupts_deliver(processor);
		simulator_counts.switches += processor != machine_current;
		return go_on(processor);
	}
}

/* Let the processors that are behind go first. */
static struct virtual_processor *give_way(struct virtual_processor *processor)
{
	simulator_ready(processor, processor->time);
	return simulator_next();
}

/* ---------------------------------------------------------------------------------------------- alone -- */

void simulator_alone_begin(void)
{
	alone = true;
}

void simulator_alone_end(void)
{
	alone = false;
}

static struct virtual_processor *go_on_alone(struct virtual_processor *processor)
{
	while (processor->is_in_need)
		processor->is_in_need = !need_meet(processor);
	return go_on(processor);
}

/* --------------------------------------------------------------------------------------------- causes -- */

static void need_one(struct virtual_processor *processor, uint64_t line, uint32_t cause)
{
	processor->need = (struct need){.cause = (uint8_t)cause, .line = line, .last = line};
	processor->is_in_need = true;
}

#define STRING_START 24 /* the cost of a string instruction, in instructions, */
#define STRING_BYTES 32 /* plus one for each of these many bytes */

/* A string instruction fills the bytes at rdi, or copies them there from rsi. */
static void need_string(struct virtual_processor *processor, uint32_t cause)
{
	const struct registers *registers = &processor->registers;
	bool copies = cause < REGISTER_CAUSE_FILL;
	uint64_t bytes = registers->rcx << (cause - (copies ? REGISTER_CAUSE_COPY : REGISTER_CAUSE_FILL));
	if (bytes == 0)
		return;
	uint64_t target = registers->rdi / LINE_BYTES, target_last = (registers->rdi + bytes - 1) / LINE_BYTES;
	processor->time += simulator_instructions(processor, STRING_START + bytes / STRING_BYTES);
	processor->need = (struct need){.cause = REGISTER_CAUSE_WRITE, .line = target, .last = target_last};
	if (copies)
		processor->need = (struct need){.cause = REGISTER_CAUSE_READ,
		                                .line = registers->rsi / LINE_BYTES,
		                                .last = (registers->rsi + bytes - 1) / LINE_BYTES,
		                                .copies = true,
		                                .target = target,
		                                .target_last = target_last};
	processor->is_in_need = true;
}

static void begin_locked(struct virtual_processor *processor)
{
	processor->time = stores_end(processor) + profile.locked;
	waits_forget(processor);
}

/* Note the need for which the processor was left, at its own time. */
static void need_set(struct virtual_processor *processor, uint64_t argument, uint32_t cause)
{
	switch (cause) {
	case REGISTER_CAUSE_ATOMIC:
		begin_locked(processor);
		/* fallthrough */
	case REGISTER_CAUSE_READ:
	case REGISTER_CAUSE_READ_EARLY:
	case REGISTER_CAUSE_PREFETCH:
	case REGISTER_CAUSE_PREFETCH_WRITE:
	case REGISTER_CAUSE_WRITE:
		need_one(processor, argument, cause);
		processor->is_in_need = !need_is_held(processor);
		return;
	case REGISTER_CAUSE_FENCE:
		begin_locked(processor);
		return;
	case REGISTER_CAUSE_SPENT:
		return;
	default:
		if (cause < REGISTER_CAUSE_CALL)
			need_string(processor, cause);
		else
			need_one(processor, argument, cause);
	}
}

struct virtual_processor *machine_left(struct virtual_processor *processor, uint64_t argument, uint32_t cause)
{
	processor->executed += used(processor);
	processor->time += simulator_instructions(processor, used(processor));
	/* No granted instruction is left, whatever comes now. */
	processor->granted = 0;
	heddle_account_left = 0;
	need_set(processor, argument, cause);
	processor->time += pause();
	if (alone)
		return go_on_alone(processor);
	if (!processor->is_in_need && processor->time <= time_limit() && processor->interrupt_at == NEVER &&
	    processor->examine_at == NEVER)
		return go_on(processor);
	return give_way(processor);
}
