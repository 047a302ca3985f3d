/*
 * The compiler makes each function of the code under test call this at its beginning (-finstrument-functions), even
 * if it is inlined: then it passes the address of the function's own copy.
 */
#include "entered.h"

#include <stdbool.h>
#include <stdio.h>

#define PROGRAM_SIZE (1u << 20) /* at most */

extern const char __executable_start[];

static bool entered[PROGRAM_SIZE];

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_enter(void *function, void *caller)
{
	(void)caller;
	entered[(const char *)function - __executable_start] = true;
}

void __cyg_profile_func_exit(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller)
{
	(void)function, (void)caller;
}

void entered_print(void)
{
	printf("entered ");
	for (unsigned i = 0; i < PROGRAM_SIZE; i++)
		if (entered[i])
			printf("%p ", (const void *)(__executable_start + i));
	printf("\n");
}
