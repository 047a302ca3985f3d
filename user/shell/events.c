/*
 * The command `trace`: start or stop recording events, and show the last of them, also while recording goes on: all,
 * or those with a word in them, as the shell's own short sleeps are most of the events of an idle machine.
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

#define LINE_LENGTH 128

static struct trace_words events[EVENTS_MOST];

/* What is asked for. */
struct selection {
	uint64_t most;     /* so many events of each processor */
	struct piece word; /* is in each of them; empty: any event */
};

static void describe(struct text *line, const struct trace_words *event)
{
	enum trace_kind kind = (enum trace_kind)(event->when >> 12 & 15);
	unsigned number = (unsigned)((event->when & 0xfff) << 16 | event->what >> 48);
	uint64_t place = event->what & 0xffffffffffff;
	text_add(line, "%s", kind < TRACE_KINDS && names[kind] ? names[kind] : "?");
	switch (kind) {
	case TRACE_WAIT:
	case TRACE_ACQUIRE:
		text_add(line, " %s at %p", number < TRACE_TEXTS ? trace_area->kinds[number].text : "",
		         (void *)place);
		break;
	case TRACE_RELEASE:
		text_add(line, " at %p", (void *)place);
		break;
	case TRACE_HALT:
	case TRACE_RUN:
		break;
	default:
		text_add(line, " %u", number);
	}
}

static bool has(const struct trace_words *event, struct piece word)
{
	char buffer[LINE_LENGTH];
	struct text line;
	if (word.length == 0)
		return true;
	text_start(&line, buffer, sizeof(buffer));
	describe(&line, event);
	return text_contains(&line, word);
}

static void print_event(unsigned index, const struct trace_words *event, uint64_t newest)
{
	char buffer[LINE_LENGTH];
	struct text line;
	text_start(&line, buffer, sizeof(buffer));
	describe(&line, event);
	heddle_print("  p%02u %12lu cycles ago: %s", index, (unsigned long)(newest - (event->when >> 16)),
	             buffer);
}

/*
 * The ring is read while its processor goes on writing: what is read is consistent (sched/trace_ring.h). The last
 * events that were selected are kept, each in place of the oldest.
 */
static void print_ring(unsigned index, const struct selection *selection)
{
	const struct trace_ring *ring = &trace_rings[index];
	uint64_t most = selection->most, written = atomic_load_explicit(&ring->written, memory_order_relaxed);
	uint64_t from = selection->word.length > 0 || written < most ? 0 : written - most;
	uint64_t count = 0, newest = 0;
	struct trace_words event;
	while (from < written) {
		if (trace_ring_read(ring, &from, &event, 1) == 0)
			continue; /* overwritten meanwhile: `from` is a later one now */
		from++;
		newest = event.when >> 16;
		if (has(&event, selection->word))
			events[count++ % most] = event;
	}
	heddle_print("processor %u: %lu events, of which these are the last", index, (unsigned long)written);
	for (uint64_t i = count < most ? 0 : count - most; i < count; i++)
		print_event(index, &events[i % most], newest);
}

static void show(const char *words)
{
	struct selection selection = {EVENTS_DEFAULT, {"", 0}};
	struct piece count = shell_word(&words);
	selection.word = shell_word(&words);
	if (count.length > 0 && (!number_parse(count.text, count.length, &selection.most) || selection.most < 1 ||
	                         selection.most > EVENTS_MOST)) {
		heddle_print("trace show: how many events, from 1 to %d?", EVENTS_MOST);
		return;
	}
	for (unsigned index = 0; index < processor_count; index++)
		print_ring(index, &selection);
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
		show(words);
	} else {
		heddle_print("trace: on, off or show");
	}
}
