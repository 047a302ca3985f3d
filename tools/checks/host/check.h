/*
 * What the programs here share: a failed check prints its place and ends the program.
 */
#ifndef TOOLS_CHECKS_HOST_CHECK_H
#define TOOLS_CHECKS_HOST_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/host.h>

#define CHECK(condition)                                                              \
	do {                                                                              \
		if (!(condition)) {                                                           \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
			_Exit(EXIT_FAILURE);                                                      \
		}                                                                             \
	} while (0)

static inline intptr_t check_return(void *argument)
{
	return (intptr_t)argument;
}

/* Tasks run, and return their results. */
static inline void check_runs(void)
{
	intptr_t result = 0;
	CHECK(heddle_run(check_return, (void *)5, &result) == HEDDLE_OK && result == 5);
}

/* A program has several cases; the first argument selects one. */
struct check_case {
	const char *name;
	void (*run)(void);
};

static inline int check_main(const struct check_case *cases, int count, char **arguments)
{
	for (; count > 1 && cases->name; cases++)
		if (strcmp(cases->name, arguments[1]) == 0) {
			cases->run();
			puts("done");
			return EXIT_SUCCESS;
		}
	fprintf(stderr, "there is no such case\n");
	return EXIT_FAILURE;
}

#endif
