/*
 * The command `trace`: start or stop recording events, and show the last of them, also while recording goes on.
 */
#include "heddle/system.h"
#include "kernel/processor.h"
#include "sched/trace.h"
#include "user/number.h"
#include "user/shell/shell.h"

#define EVENTS_DEFAULT 20
#define EVENTS_MOST    512

static const char *const names[] = {[TRACE_SWITCH] = "goes on with task",
                                    [TRACE_WAIT] = "its task waits",
                                    [TRACE_GRANT] = "ends the wait of task",
                                    [TRACE_GRANT_LEFT] = "the task before ends the wait of task",
                                    [TRACE_EXPIRE] = "time ends the wait of task",
                                    [TRACE_REVOKE] = "takes back what it gave task",
                                    [TRACE_ACQUIRE] = "its task has the lock",
                                    [TRACE_RELEASE] = "its task gives up the lock",
                                    [TRACE_CREATE] = "makes task",
                                    [TRACE_END] = "its task ends:",
                                    [TRACE_HALT] = "halts",
                                    [TRACE_RUN] = "was woken",
                                    [TRACE_WAKE] = "wakes processor",
                                    [TRACE_TAKE] = "takes tasks:"};

static struct trace_words events[EVENTS_MOST];

static void print_event(unsigned index, const struct trace_words *event, uint64_t newest)
{
	enum trace_kind kind = (enum trace_kind)(event->when >> 12 & 15);
	unsigned number = (unsigned)((event->when & 0xfff) << 16 | event->what >> 48);
	uint64_t place = event->what & 0xffffffffffff, ago = newest - (event->when >> 16);
	const char *name = kind < TRACE_KINDS && names[kind] ? names[kind] : "?";
	switch (kind) {
	case TRACE_WAIT:
	case TRACE_ACQUIRE:
		heddle_print("  p%02u %12lu cycles ago: %s %s at %p", index, (unsigned long)ago, name,
		             number < TRACE_TEXTS ? trace_area->kinds[number].text : "", (void *)place);
		break;
	case TRACE_RELEASE:
		heddle_print("  p%02u %12lu cycles ago: %s at %p", index, (unsigned long)ago, name, (void *)place);
		break;
	case TRACE_HALT:
	case TRACE_RUN:
		heddle_print("  p%02u %12lu cycles ago: %s", index, (unsigned long)ago, name);
		break;
	default:
		heddle_print("  p%02u %12lu cycles ago: %s %u", index, (unsigned long)ago, name, number);
	}
}

/* The ring is read while its processor goes on writing: what is read is consistent (sched/trace_ring.h). */
static void print_ring(unsigned index, uint64_t most)
{
	const struct trace_ring *ring = &trace_rings[index];
	uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
	uint64_t from = written < most ? 0 : written - most;
	uint64_t count = trace_ring_read(ring, &from, events, most);
	heddle_print("processor %u: %lu events, of which these are the last", index, (unsigned long)written);
	for (uint64_t i = 0; i < count; i++)
		print_event(index, &events[i], events[count - 1].when >> 16);
}

static void show(struct piece word)
{
	uint64_t most = EVENTS_DEFAULT;
	if (word.length > 0 && (!number_parse(word.text, word.length, &most) || most < 1 || most > EVENTS_MOST)) {
		heddle_print("trace show: how many events, from 1 to %d?", EVENTS_MOST);
		return;
	}
	for (unsigned index = 0; index < processor_count; index++)
		print_ring(index, most);
}

void command_trace(const char *words)
{
	struct piece what = shell_word(&words);
	if (!trace_area) {
		heddle_print("trace: nothing can be recorded: the command line needs trace=paused, or trace=on");
	} else if (text_equal(what.text, what.length, "on")) {
		trace_turn(true);
	} else if (text_equal(what.text, what.length, "off")) {
		trace_turn(false);
	} else if (text_equal(what.text, what.length, "show")) {
		show(shell_word(&words));
	} else {
		heddle_print("trace: on, off or show");
	}
}
