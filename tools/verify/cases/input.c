/*
 * Typed bytes: two processors look at the devices, at any moment, and a task takes the bytes. Each byte comes once
 * and in order, and exactly one processor sees the byte that asks for a report.
 */
#include "explorer.h"

#include "kernel/input.c"

struct script {
	const char *typed;
	unsigned polls; /* of each of the two */
	unsigned takes;
};

static unsigned next, reports, taken_count;

/* The device: one processor at a time must ask it. Plain, so that two at once are detected. */
static const struct script *script;

int arch_input_read(void)
{
	unsigned at = next;
	if (!script->typed[at])
		return ARCH_INPUT_NONE;
	next = at + 1;
	return (unsigned char)script->typed[at];
}

static void set_up(const struct explore_case *explored)
{
	script = explored->script;
	explore_name(&came, sizeof(came), "came");
	explore_name(&taken, sizeof(taken), "taken");
	explore_name(&polling, sizeof(polling), "polling");
	explore_watch(&next, sizeof(next));
	explore_watch(bytes, sizeof(bytes));
}

/* Letters in the order of the alphabet. */
static void take(void)
{
	int byte = input_take();
	if (byte == ARCH_INPUT_NONE)
		return;
	if (byte != 'a' + (int)taken_count)
		explore_fail("%u is taken in the place of letter %u", (unsigned)byte, taken_count);
	taken_count++;
}

static void program(const struct explore_case *explored, unsigned processor)
{
	(void)explored;
	for (unsigned i = 0; processor == 0 && i < script->takes; i++)
		take();
	bool asked = false;
	for (unsigned i = 0; processor > 0 && i < script->polls; i++)
		asked |= input_poll();
	if (asked)
		__atomic_fetch_add(&reports, 1, __ATOMIC_RELAXED);
}

static const char *check(const struct explore_case *explored)
{
	(void)explored;
	unsigned letters = 0, keys = 0;
	for (unsigned i = 0; i < next; i++)
		(*(script->typed[i] == REPORT_KEY ? &keys : &letters))++;
	if (reports != keys)
		return "the key that asks for a report was not seen by one";
	/* Letters are only lost where the ring is full. */
	unsigned kept = taken_count + (came - taken);
	return kept == letters || (kept < letters && kept >= SIZE) ? NULL : "a letter is gone, or came twice";
}

#define CASE(title, ...)                                                                                  \
	{                                                                                                     \
		.name = "input." title, .processors = 3, .script = &(struct script)__VA_ARGS__, .set_up = set_up, \
		.program = program, .check = check                                                                \
	}

const struct explore_case explore_cases[] = {
    CASE("two-look", {"ab\x1c", 1, 2}),
    CASE("full", {"abcd", 1, 2}),
    {0},
};
