/*
 * What processors report about themselves, as lists of leaves, for functions that take a source of leaves
 * (arch/x86_64/decode/identity.h).
 */
#ifndef USER_TEST_DUMP_H
#define USER_TEST_DUMP_H

#include "arch/x86_64/decode/identity.h"

struct dump_leaf {
	uint32_t leaf, subleaf;
	struct cpuid_result result;
};

/* Ends with an entry whose leaf is DUMP_END. All other leaves read as zeros, like a missing leaf. */
#define DUMP_END UINT32_MAX

static inline struct cpuid_result dump_read(const void *owner, uint32_t leaf, uint32_t subleaf)
{
	for (const struct dump_leaf *entry = owner; entry->leaf != DUMP_END; entry++)
		if (entry->leaf == leaf && entry->subleaf == subleaf)
			return entry->result;
	return (struct cpuid_result){0, 0, 0, 0};
}

static inline struct identity dump_identity(const struct dump_leaf *dump)
{
	return (struct identity){dump_read, dump};
}

#endif
