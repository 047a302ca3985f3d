/*
 * The hardware's error registers, in words.
 */
#include <string.h>

#include "arch/x86_64/decode/machine_check.h"
#include "user/test/test.h"

static const struct {
	uint64_t status;
	const char *text;
} known[] = {
    {0x8000000000000000, "corrected, no error that has a name"},
    {0xb200000000000005, "uncorrected, the processor's state may be wrong, internal parity"},
    {0xe000000000000135, "uncorrected, one of several, cache of data, level 1, read of data"},
    {0x8000000000001135, "corrected, cache of data, level 1, read of data"}, /* filtered */
    {0xbe00000000800400,
     "uncorrected, the processor's state may be wrong, the processor made no progress for too long"},
    {0xa000000000000092, "uncorrected, memory controller, read, channel 2"},
    {0x8000000000000 | 0x8000000000000000 | 0x00cf, "corrected, memory controller, scrubbing"},
    {0xa000000000000014, "uncorrected, translation of addresses of data, level 0"},
    {0xa000000000000280, "uncorrected, memory behind memory, some access, channel 0"},
    {0xa000000000000e0b, "uncorrected, interconnect, some access of input or output"},
    {0xa000000000000f0f, "uncorrected, interconnect, some access of something else, no answer in time"},
    {0xa00000000000040a, "uncorrected, internal, of no known class"},
    {0xa00000000000000d, "uncorrected, some cache, level 1"},
    {0xa000000000000008, "uncorrected, code 0x8"},
};

TEST(machine_check, says_what_went_wrong)
{
	char text[160];
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		machine_check_text(known[i].status, text, sizeof(text));
		CHECK(strcmp(text, known[i].text) == 0);
	}
}

/* From here on the codes are like one below: they are not cut in other places. */
#define CODE_SAME 0x1000

TEST(machine_check, has_words_for_every_code)
{
	char text[160];
	for (uint64_t code = 0; code <= UINT16_MAX; code++)
		for (size_t size = sizeof(text); size > 0; size = code < CODE_SAME ? size * 3 / 4 : 0) {
			memset(text, 'x', sizeof(text));
			machine_check_text(code | 0xe600000000000000, text, size);
			CHECK(strnlen(text, size) < size);
		}
}
