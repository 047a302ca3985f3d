/*
 * The search: depth first through all reachable states. A visited state is not entered again, so each state is left
 * once by each of its actions, which covers all schedules. A path that returns to one of its own states is an endless
 * loop in which no program makes progress: the code is not lock-free.
 */
#include "explorer.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "entered.h"
#include "machine.h"
#include "visited.h"

#define DEPTH_MAXIMUM  5000
#define UNLIMITED      -1
#define SWITCHES_TRIED 6

/* A state on the path. */
struct frame {
	struct snapshot *snapshot; /* of this state, if several actions are possible; else of any */
	uint64_t key;
	double schedules;
	uint16_t possible; /* possible actions, a bit for each */
	uint16_t tried;
	uint8_t taken; /* the action that led on from here */
	uint8_t last;  /* the processor that acted before; EXPLORE_PROCESSORS: none */
	int switches;  /* how many more are allowed, or UNLIMITED */
};

static struct frame path[DEPTH_MAXIMUM];
static unsigned depth, deepest;
static uint64_t transitions;
static const struct explore_case *current;
static char failure[600];

static uint16_t action_bit(unsigned action)
{
	return (uint16_t)(1u << action);
}

static uint16_t actions_possible(void)
{
	uint16_t possible = 0;
	for (unsigned action = 0; action < current->processors * MACHINE_ACTIONS; action++)
		if (machine_can(action / MACHINE_ACTIONS, action % MACHINE_ACTIONS))
			possible |= action_bit(action);
	return possible;
}

/* Whether the action belongs to another processor although the one that acted last could go on. */
static bool is_switch(const struct frame *frame, unsigned action)
{
	uint16_t last_actions = (uint16_t)(((1u << MACHINE_ACTIONS) - 1) << (frame->last * MACHINE_ACTIONS));
	return action / MACHINE_ACTIONS != frame->last && (frame->possible & last_actions);
}

/* Actions of the processor that acted last come first: that makes schedules easier to read. */
static int action_choose(const struct frame *frame)
{
	unsigned count = current->processors * MACHINE_ACTIONS;
	unsigned start = frame->last < current->processors ? frame->last * MACHINE_ACTIONS : 0;
	for (unsigned i = 0; i < count; i++) {
		unsigned action = (start + i) % count;
		if ((frame->possible & ~frame->tried & action_bit(action)) &&
		    !(is_switch(frame, action) && frame->switches == 0))
			return (int)action;
	}
	return -1;
}

static const char *end_wrong(void)
{
	for (unsigned i = 0; i < current->processors; i++)
		if (!explore_has_ended(i))
			return "a processor waits for ever";
	const char *wrong = current->check(current);
	machine_written(); /* by the check */
	machine_hash();
	return wrong;
}

/* The machine has just reached a state: enters it if it is new. Returns NULL, or what is wrong with it. */
static const char *state_enter(unsigned last, int switches, double *schedules)
{
	bool is_new;
	if (machine_violation() || machine_race())
		return machine_violation();
	uint64_t key = machine_hash();
	if (switches != UNLIMITED)
		key ^= (uint64_t)(1 + (unsigned)switches * 4 + last) << 40;
	struct visited_state *state = visited_find(key, &is_new);
	if (!is_new) {
		*schedules = state->schedules;
		return state->schedules < 0
		           ? "an endless loop: this state was there before, and no program has got on"
		           : NULL;
	}
	uint16_t possible = actions_possible();
	if (!possible) {
		*schedules = state->schedules = 1;
		return end_wrong();
	}
	if (depth == DEPTH_MAXIMUM)
		return "the schedule has too many steps";
	state->schedules = -1;
	*schedules = 0;
	struct frame *frame = &path[depth++];
	/* A path with only one way on does not come back. */
	if (possible & (possible - 1))
		frame->snapshot = machine_save(frame->snapshot);
	*frame = (struct frame){frame->snapshot, state->key, 0, possible, 0, 0, (uint8_t)last, switches};
	if (depth > deepest)
		deepest = depth;
	return NULL;
}

static void state_leave(void)
{
	bool is_new;
	const struct frame *frame = &path[--depth];
	visited_find(frame->key, &is_new)->schedules = frame->schedules;
	if (depth > 0)
		path[depth - 1].schedules += frame->schedules;
}

/* Returns NULL or what went wrong; the path leads there. */
static const char *search(const struct explore_case *explored, int switches)
{
	double schedules;
	current = explored;
	depth = deepest = 0;
	transitions = 0;
	visited_clear();
	machine_start(explored);
	const char *wrong = state_enter(EXPLORE_PROCESSORS, switches, &schedules);
	while (!wrong && depth > 0) {
		struct frame *frame = &path[depth - 1];
		int action = action_choose(frame);
		if (action < 0) {
			state_leave();
			continue;
		}
		if (frame->tried)
			machine_restore(frame->snapshot);
		frame->tried |= action_bit((unsigned)action);
		frame->taken = (uint8_t)action;
		unsigned processor = (unsigned)action / MACHINE_ACTIONS;
		bool switched = is_switch(frame, (unsigned)action);
		machine_do(processor, (unsigned)action % MACHINE_ACTIONS);
		transitions++;
		wrong = state_enter(processor, frame->switches - (frame->switches > 0 && switched), &schedules);
		frame->schedules += schedules;
	}
	return wrong;
}

/* The same, repeated until nothing new is learned about which words are private. */
static const char *search_all(const struct explore_case *explored, int switches)
{
	const char *wrong;
	do
		wrong = search(explored, switches);
	while (machine_learned());
	return wrong;
}

/* Repeat the path, printing it. */
static void path_print(void)
{
	unsigned length = depth;
	unsigned char actions[DEPTH_MAXIMUM];
	for (unsigned i = 0; i < length; i++)
		actions[i] = path[i].taken;
	machine_print(true);
	machine_start(current);
	for (unsigned i = 0; i < length && !machine_violation(); i++)
		machine_do(actions[i] / MACHINE_ACTIONS, actions[i] % MACHINE_ACTIONS);
	machine_print(false);
}

static void failure_print(const char *wrong)
{
	snprintf(failure, sizeof failure, "%s", wrong);
	printf("# %s: %s\n", current->name, failure);
	path_print();
	printf("# wrong: %s\n", failure);
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void result_print(const struct explore_case *explored, const char *wrong, double time)
{
	char limit[32] = "all";
	if (explored->switches)
		snprintf(limit, sizeof limit, "up to %d switches", explored->switches);
	printf("%s %s (%s: %.3g schedules, %zu states, %lu steps, depth %u, %.1f s)\n", wrong ? "not ok" : "ok",
	       explored->name, limit, path[0].schedules, visited_count(), (unsigned long)transitions, deepest,
	       time);
	fflush(stdout);
}

/* The code is right: no schedule may fail. */
static bool explore_all(bool long_run, const char *only)
{
	bool all_right = true;
	for (const struct explore_case *explored = explore_cases; explored->name; explored++) {
		if (only ? strcmp(only, explored->name) != 0 : explored->long_run && !long_run)
			continue;
		double start = seconds();
		machine_forget();
		search_all(explored, 1); /* quickly learns most of the shared words */
		const char *wrong = search_all(explored, explored->switches ? explored->switches : UNLIMITED);
		if (wrong) {
			all_right = false;
			for (int switches = 0; switches < SWITCHES_TRIED; switches++) {
				const char *shorter = search_all(explored, switches);
				if (shorter) {
					wrong = shorter;
					break;
				}
			}
			failure_print(wrong);
		}
		result_print(explored, wrong, seconds() - start);
	}
	entered_print();
	return all_right;
}

/* The code is wrong: find a schedule with the fewest switches that shows it. */
static bool explore_for_failure(const char *only)
{
	for (int switches = 0; switches < SWITCHES_TRIED; switches++)
		for (const struct explore_case *explored = explore_cases; explored->name; explored++) {
			if (only ? strcmp(only, explored->name) != 0 : explored->long_run)
				continue;
			machine_forget();
			const char *wrong = search_all(explored, switches);
			if (!wrong)
				continue;
			failure_print(wrong);
			printf("caught %s (%d switches)\n", explored->name, switches);
			return true;
		}
	printf("not caught by schedules of up to %d switches\n", SWITCHES_TRIED - 1);
	return false;
}

int main(int count, char **arguments)
{
	bool long_run = false, errors = false;
	const char *only = NULL;
	for (int i = 1; i < count; i++) {
		if (strcmp(arguments[i], "--long") == 0)
			long_run = true;
		else if (strcmp(arguments[i], "--error") == 0)
			errors = true;
		else
			only = arguments[i];
	}
	return (errors ? explore_for_failure(only) : explore_all(long_run, only)) ? 0 : 1;
}
