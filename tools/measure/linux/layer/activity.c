/*
 * What the machine does while a program runs is unknown: Linux hides it from processes.
 */
#include "user/activity.h"

size_t arch_describe(char *text, size_t size)
{
	(void)text;
	(void)size;
	return 0;
}

void activity_begin(void)
{
}

struct activity_summary activity_end(void)
{
	return (struct activity_summary){0};
}

void activity_add(struct text *line, const struct activity_summary *summary)
{
	(void)line;
	(void)summary;
}

void activity_warn(const struct activity_summary *summary)
{
	(void)summary;
}
