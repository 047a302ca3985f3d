/*
 * What a bank of error registers says (Intel's manual, volume 3, chapter 16; AMD's, volume 2, chapter 9).
 */
#ifndef ARCH_X86_64_DECODE_MACHINE_CHECK_H
#define ARCH_X86_64_DECODE_MACHINE_CHECK_H

#include <stddef.h>
#include <stdint.h>

#define MACHINE_CHECK_VALID       (1ull << 63) /* the bank holds an error */
#define MACHINE_CHECK_OVERFLOW    (1ull << 62) /* there were more errors */
#define MACHINE_CHECK_UNCORRECTED (1ull << 61)
#define MACHINE_CHECK_HAS_MISC    (1ull << 59)
#define MACHINE_CHECK_HAS_ADDRESS (1ull << 58)
#define MACHINE_CHECK_CORRUPT     (1ull << 57) /* the state of the processor may be wrong */

/* A status register in words: "uncorrected, memory controller, read, channel 2". Always ends in a 0. */
void machine_check_text(uint64_t status, char *text, size_t size);

#endif
