/*
 * Turns the branches of branch.h into jumps, and back.
 */
#include "arch/x86_64/branch.h"

#include <string.h>

#include "arch/arch.h"

#define LENGTH 5 /* of either instruction */

static const uint8_t nothing[LENGTH] = {0x0f, 0x1f, 0x44, 0x00, 0x00};

/* The linker's list of all branches; both are NULL where there is none. */
extern const struct branch __start_heddle_branches[] __attribute__((weak, visibility("hidden")));
extern const struct branch __stop_heddle_branches[] __attribute__((weak, visibility("hidden")));

static bool are_taken;

static uint8_t *place_of(const struct branch *branch)
{
	return (uint8_t *)((uintptr_t)&branch->place + (uintptr_t)(intptr_t)branch->place);
}

static void turn(const struct branch *branch, bool take)
{
	uint8_t *place = place_of(branch), jump[LENGTH] = {0xe9};
	uintptr_t target = (uintptr_t)&branch->target + (uintptr_t)(intptr_t)branch->target;
	int32_t distance = (int32_t)(target - (uintptr_t)place - LENGTH);
	memcpy(jump + 1, &distance, sizeof(distance));
	memcpy(place, take ? jump : nothing, LENGTH);
}

/* The code from the first branch to the end of the last. */
static void branch_find_code(uintptr_t *low, uintptr_t *high)
{
	*low = UINTPTR_MAX;
	*high = 0;
	for (const struct branch *branch = __start_heddle_branches; branch != __stop_heddle_branches; branch++) {
		uintptr_t place = (uintptr_t)place_of(branch);
		*low = place < *low ? place : *low;
		*high = place + LENGTH > *high ? place + LENGTH : *high;
	}
}

bool arch_branches_take(bool take)
{
	uintptr_t low, high;
	if (take == are_taken)
		return true;
	branch_find_code(&low, &high);
	if (high == 0 || !arch_code_open(low, high))
		return false;
	for (const struct branch *branch = __start_heddle_branches; branch != __stop_heddle_branches; branch++)
		turn(branch, take);
	arch_code_close(low, high);
	are_taken = take;
	return true;
}
