/*
 * A library that was compiled without the plugin.
 */
#ifndef TOOLS_CHECKS_ORDINARY_OUTSIDE_H
#define TOOLS_CHECKS_ORDINARY_OUTSIDE_H

#include <setjmp.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct large {
	unsigned char bytes[500];
};

unsigned outside_sum(struct large value);

/* The function's result for the value, and its sum. */
unsigned outside_call(unsigned (*function)(struct large value, void *argument), struct large value,
                      void *argument);

/* Calls the function, which may jump to that place, and returns whether it did. */
bool outside_land(void (*function)(jmp_buf *place));

#ifdef __cplusplus
}

class visitor
{
  public:
	virtual unsigned visit(unsigned number) = 0;

  protected:
	~visitor() = default;
};

/* The sum of its results for each number below. */
unsigned outside_visit(visitor &visitor, unsigned below);
#endif

#endif
