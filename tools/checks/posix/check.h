/*
 * What the programs here share. Each is compiled twice, with the host's threads and with tasks, and must say the same.
 */
#ifndef CHECKS_POSIX_CHECK_H
#define CHECKS_POSIX_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                         \
	do {                                                                         \
		if (!(condition)) {                                                      \
			printf("%s:%d: it is not so: %s\n", __FILE__, __LINE__, #condition); \
			exit(1);                                                             \
		}                                                                        \
	} while (0)

#define CHECK_EQUAL(got, wanted)                                                             \
	do {                                                                                     \
		long long is = (long long)(got), is_to_be = (long long)(wanted);                     \
		if (is != is_to_be) {                                                                \
			printf("%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #got, is, is_to_be); \
			exit(1);                                                                         \
		}                                                                                    \
	} while (0)

#endif
