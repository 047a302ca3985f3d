/*
 * The lines that processors need, and how long they wait for them. A processor that reads a line, or changes it by an
 * atomic operation, waits until the line arrives. A processor that writes goes on: its store is under way until the
 * line arrives, and later stores complete after it.
 *
 * While a processor waits, it looks ahead and asks for the lines that it will read there, if their addresses are known,
 * as those of the stack and of arrays are (tools/plugin/array_reads.h). Every other read is taken to depend on the one
 * that it waits for. It does not look beyond an atomic operation. Only so many reads are under way at once: the next
 * begins when the first has ended.
 */
#include "arch/simulated/machine/hand.h"
#include "arch/simulated/machine/lines.h"
#include "arch/simulated/machine/memory.h"
#include "arch/simulated/machine/profile.h"
#include "arch/simulated/machine/simulator.h"
#include "arch/simulated/machine/waits.h"

/* -------------------------------------------------------------------------------------------- stores -- */

/* A store is under way until `end`. If too many are, the processor waits for the oldest. */
static void store_begin(struct virtual_processor *processor, uint64_t end)
{
	uint64_t *slot = &processor->stores[processor->store_next];
	processor->store_next = (processor->store_next + 1) % (unsigned)profile.stores;
	if (*slot > processor->time)
		processor->time = *slot;
	if (end < processor->stores_done)
		end = processor->stores_done;
	*slot = processor->stores_done = end;
}

/* -------------------------------------------------------------------------------------------- waits -- */

/* The processor waits until `there` for a line that it reads. */
static void wait_until(struct virtual_processor *processor, uint64_t there)
{
	if (there <= processor->time)
		return;
	processor->waits[processor->wait_next] = (struct wait){there - processor->time, processor->executed};
	processor->wait_next = (processor->wait_next + 1) % WAITS_KEPT;
	processor->time = there;
}

void waits_forget(struct virtual_processor *processor)
{
	for (unsigned i = 0; i < WAITS_KEPT; i++)
		processor->waits[i].time = 0;
}

/* How long ago a read of a known address could begin: the processor looked ahead to it during the last waits. */
static uint64_t head_start(const struct virtual_processor *processor)
{
	uint64_t time = 0, last = (processor->wait_next + WAITS_KEPT - 1) % WAITS_KEPT;
	if (processor->waits[last].before + profile.reorder <= processor->executed)
		return 0;
	for (unsigned i = 0; i < WAITS_KEPT; i++)
		if (processor->waits[i].before + profile.reorder > processor->executed)
			time += processor->waits[i].time;
	return time;
}

/* The same for a read that now asks for its line: 0 if it had to wait until another ended. */
static uint64_t reads_begin(struct virtual_processor *processor, bool is_known)
{
	uint64_t before = is_known ? head_start(processor) : 0;
	if (before == 0 || processor->reads_ahead + 1 >= profile.reads)
		before = processor->reads_ahead = 0;
	else
		processor->reads_ahead++;
	return before;
}

/* ------------------------------------------------------------------------------------------ prefetches -- */

/* The line is under way, not yet at hand: the first read waits for the rest of its way. */
static void prefetch_begin(struct virtual_processor *processor, uint64_t line, uint64_t there)
{
	processor->prefetches[processor->prefetch_next] = (struct prefetch){line, there};
	processor->prefetch_next = (processor->prefetch_next + 1) % PREFETCHES_MOST;
	if (there > processor->prefetches_done)
		processor->prefetches_done = there;
}

static uint64_t prefetch_there(const struct virtual_processor *processor, uint64_t line)
{
	uint64_t there = 0;
	if (processor->prefetches_done <= processor->time)
		return 0;
	for (unsigned i = 0; i < PREFETCHES_MOST; i++)
		if (processor->prefetches[i].line == line && processor->prefetches[i].there > there)
			there = processor->prefetches[i].there;
	return there;
}

/* --------------------------------------------------------------------------------------------- lines -- */

static bool is_prefetch(uint32_t cause)
{
	return cause == REGISTER_CAUSE_PREFETCH || cause == REGISTER_CAUSE_PREFETCH_WRITE;
}

static bool waits_for(uint32_t cause)
{
	return cause != REGISTER_CAUSE_WRITE && !is_prefetch(cause);
}

/* The processor takes the line now; it arrives at `there`. */
static void take(struct virtual_processor *processor, uint64_t there)
{
	struct need *need = &processor->need;
	simulator_counts.needs++;
	line_take(processor->core, need->line, need->cause >= REGISTER_CAUSE_WRITE);
	if (need->cause == REGISTER_CAUSE_WRITE)
		store_begin(processor, there);
	else if (is_prefetch(need->cause))
		prefetch_begin(processor, need->line, there);
	else
		wait_until(processor, there);
	need->there = 0;
}

/* Ask for the line. True: the processor has it, or it is under way. False: the processor goes on at its turn. */
static bool get(struct virtual_processor *processor)
{
	struct need *need = &processor->need;
	uint64_t now = processor->time;
	struct line_turn turn =
	    line_ask(processor->core, need->line, need->cause >= REGISTER_CAUSE_WRITE, now, need->streams);
	uint64_t there = now + simulator_varied(turn.there - now);
	uint64_t before =
	    waits_for(need->cause) ? reads_begin(processor, need->cause == REGISTER_CAUSE_READ_EARLY) : 0;
	there = there - now > before ? there - before : now;
	if (waits_for(need->cause))
		waits_add(*(const uint64_t *)processor->registers.rsp, there - now);
	if (waits_for(need->cause) && turn.begins > now && there > now) {
		need->there = there;
		processor->time = turn.begins < there ? turn.begins : there;
		return false;
	}
	take(processor, there);
	return true;
}

/* The processor has the line, or has prefetched it. A line that the host has placed is never at hand: its slot, and so
 * the line that it would displace, differs from run to run. */
static void use_line(struct virtual_processor *processor)
{
	const struct need *need = &processor->need;
	if (waits_for(need->cause))
		wait_until(processor, prefetch_there(processor, need->line));
	if (!is_prefetch(need->cause) && memory_is_placed(need->line * LINE_BYTES))
		hand_give(processor, need->line, need->cause >= REGISTER_CAUSE_WRITE);
}

/* Go on to the next line of the need; false: that was the last. */
static bool next_line(struct need *need, bool streams)
{
	need->streams = streams;
	if (need->line++ < need->last)
		return true;
	if (!need->copies)
		return false;
	*need = (struct need){.cause = REGISTER_CAUSE_WRITE, .line = need->target, .last = need->target_last};
	return true;
}

bool need_is_held(struct virtual_processor *processor)
{
	const struct need *need = &processor->need;
	if (!line_is_held(processor->core, need->line, need->cause >= REGISTER_CAUSE_WRITE))
		return false;
	use_line(processor);
	return true;
}

bool need_meet(struct virtual_processor *processor)
{
	struct need *need = &processor->need;
	if (need->cause >= REGISTER_CAUSE_CALL) {
		simulator_counts.calls++;
		return call_carry_out(processor, need->cause - REGISTER_CAUSE_CALL, need->line);
	}
	bool writes = need->cause >= REGISTER_CAUSE_WRITE, more = true;
	while (more) {
		uint64_t now = processor->time;
		bool held = line_is_held(processor->core, need->line, writes);
		if (need->there)
			take(processor, need->there);
		else if (!held && !get(processor))
			return false;
		use_line(processor);
		more = next_line(need, !held);
		if (processor->time != now)
			break;
	}
	return !more;
}
