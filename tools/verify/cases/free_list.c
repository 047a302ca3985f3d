/*
 * The lock-free stack of numbered things. A program is letters: `-` pops, `+` pushes the thing that this processor
 * popped last and has not yet pushed, `*` the one that it popped first, `a` to `e` push that one.
 */
#include <string.h>

#include "explorer.h"
#include "history.h"

#include "kernel/free_list.h"

#define THINGS 5

struct script {
	const char *start; /* pushed at the start, in this order */
	const char *programs[EXPLORE_PROCESSORS];
};

static struct free_list list;
static _Atomic uint32_t links[THINGS];
static uint32_t popped[EXPLORE_PROCESSORS][THINGS];
static uint32_t popped_count[EXPLORE_PROCESSORS];

static _Atomic uint32_t *link_of(void *owner, uint32_t number)
{
	(void)owner;
	if (number >= THINGS)
		explore_fail("link of %u, which is no thing", number);
	return &links[number];
}

static void set_up(const struct explore_case *explored)
{
	explore_name(&list, sizeof list, "top");
	for (unsigned i = 0; i < THINGS; i++)
		explore_name(&links[i], sizeof links[i], "link of %c", 'a' + (int)i);
	history_make_stack(0);
	free_list_create(&list);
	for (const char *c = ((const struct script *)explored->script)->start; *c; c++) {
		free_list_push(&list, link_of, NULL, (uint32_t)(*c - 'a'));
		history_start_with(0, (unsigned)(*c - 'a' + 1));
	}
}

static void push(uint32_t number)
{
	history_put_call(0, number + 1);
	free_list_push(&list, link_of, NULL, number);
	history_put_return();
}

static void program(const struct explore_case *explored, unsigned processor)
{
	uint32_t *count = &popped_count[processor];
	for (const char *c = ((const struct script *)explored->script)->programs[processor]; *c; c++) {
		if (*c == '-') {
			history_take_call(0);
			uint32_t number = free_list_pop(&list, link_of, NULL);
			history_take_return(number + 1); /* FREE_LIST_NONE: 0 */
			if (number != FREE_LIST_NONE)
				popped[processor][(*count)++] = number;
		} else if (*c == '+') {
			if (*count > 0)
				push(popped[processor][--*count]);
		} else if (*c == '*') {
			if (*count > 0) {
				uint32_t first = popped[processor][0];
				memmove(&popped[processor][0], &popped[processor][1], --*count * sizeof first);
				push(first);
			}
		} else {
			push((uint32_t)(*c - 'a'));
		}
	}
}

static const char *check(const struct explore_case *explored)
{
	(void)explored;
	uint32_t contents[HISTORY_LISTS] = {0};
	uint32_t number = (uint32_t)atomic_load_explicit(&list.top, memory_order_relaxed);
	for (unsigned depth = 0; number != FREE_LIST_NONE; depth++) {
		if (depth == THINGS || number >= THINGS)
			return "the stack is longer than there are things, or holds what is none";
		contents[0] |= (number + 1) << (4 * depth);
		number = atomic_load_explicit(&links[number], memory_order_relaxed);
	}
	return history_may_contain(contents) ? NULL : "the stack does not hold what it must";
}

#define CASE(title, count, longer, ...)                                                             \
	{                                                                                               \
		.name = "free-list." title, .processors = count, .long_run = longer,                        \
		.script = &(struct script)__VA_ARGS__, .set_up = set_up, .program = program, .check = check \
	}

const struct explore_case explore_cases[] = {
    CASE("push-pop", 2, false, {"", {"ab-", "c--"}}),
    CASE("two-pop", 2, false, {"abc", {"--", "--"}}),
    CASE("pop-while-recycled", 2, false, {"abc", {"--*", "--*"}}),
    CASE("three-mixed", 3, false, {"abc", {"-+", "--+", "-d"}}),
    CASE("three-recycle", 3, true, {"abc", {"--+-", "--++", "-+-"}}),
    {0},
};
