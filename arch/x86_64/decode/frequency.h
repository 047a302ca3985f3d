/*
 * What a processor says about its time-stamp counter: its rate, and whether that is constant (Intel's manual, volume
 * 3, section 19.7.3; AMD's, volume 3, CPUID Fn8000_0007).
 */
#ifndef ARCH_X86_64_DECODE_FREQUENCY_H
#define ARCH_X86_64_DECODE_FREQUENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/x86_64/decode/identity.h"

struct frequency_statement {
	uint64_t hertz;   /* 0: not stated */
	bool is_exact;    /* if not, rounded to MHz */
	const char *said; /* "as the processor says" */
};
struct frequency_statement frequency_stated(const struct identity *identity);

/* Whether the counter keeps its rate while the processor saves power. */
bool frequency_is_invariant(const struct identity *identity);

#endif
