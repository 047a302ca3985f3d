/*
 * What can be added to Heddle by name without a change of it: locks and ready queues. Each is a constant whose first
 * member is a struct registered; a macro puts its address into the linker's list of its kind. Besides what PROGRAMS=
 * links (user/own-programs.md) there are only sched=paper and sched=bwos.
 */
#ifndef KERNEL_REGISTERED_H
#define KERNEL_REGISTERED_H

#include <stddef.h>
#include <string.h>

struct registered {
	const char *name;
};

struct registered_list {
	const struct registered *const *first;
	size_t count;
};

/* The linker's; both ends are NULL if nothing is registered. */
#define REGISTERED_LIST(section)                                                                             \
	extern const struct registered *const __start_##section[] __attribute__((weak));                         \
	extern const struct registered *const __stop_##section[] __attribute__((weak));                          \
	static inline struct registered_list section(void)                                                       \
	{                                                                                                        \
		return (struct registered_list){__start_##section,                                                   \
		                                ((const char *)__stop_##section - (const char *)__start_##section) / \
		                                    sizeof(struct registered *)};                                    \
	}
REGISTERED_LIST(heddle_locks)
REGISTERED_LIST(heddle_ready_queues)

/* The place of a name of that length in a list; the list's count: it is not there. */
static inline size_t registered_find(struct registered_list list, const char *name, size_t length)
{
	size_t place = 0;
	while (place < list.count &&
	       (strlen(list.first[place]->name) != length || memcmp(list.first[place]->name, name, length) != 0))
		place++;
	return place;
}

#endif
