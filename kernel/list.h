/*
 * Lists that are linked by a field `next` of their elements.
 */
#ifndef KERNEL_LIST_H
#define KERNEL_LIST_H

#include <stddef.h>

/* Reverse a list: a stack, newest first, becomes a list with the oldest first. */
#define list_reverse(list)                                     \
	({                                                         \
		__typeof__(list) list_rest = (list), list_done = NULL; \
		while (list_rest) {                                    \
			__typeof__(list) list_next = list_rest->next;      \
			list_rest->next = list_done;                       \
			list_done = list_rest;                             \
			list_rest = list_next;                             \
		}                                                      \
		list_done;                                             \
	})

#endif
