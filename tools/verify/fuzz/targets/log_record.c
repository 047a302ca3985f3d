/*
 * A log in memory as an earlier run has left it. The first byte says what to correct, so that the code after it is
 * reached: the checksum of each slot, its run, its position; the second says how much to read at a time. The rest is
 * slots.
 */
#include "kernel/log_record.h"
#include "tools/verify/fuzz/targets/fuzz.h"

#define HEADER 2

enum { RIGHT_CHECKSUM = 1, RIGHT_RUN = 2, RIGHT_POSITION = 4, SECOND_ROUND = 8 };

/* As in log_record.c. */
static uint32_t checksum_of(const struct log_slot *slot)
{
	uint32_t sum = 0x811c9dc5u ^ 1;
	for (size_t i = sizeof(slot->checksum); i < sizeof(*slot); i++)
		sum = (sum ^ ((const uint8_t *)slot)[i]) * 0x01000193u;
	return sum;
}

static void make_right(struct log_slot *slots, uint32_t count, unsigned what)
{
	for (uint32_t i = 0; i < count; i++) {
		if (what & RIGHT_RUN)
			slots[i].run = 1;
		if (what & RIGHT_POSITION)
			slots[i].position = what & SECOND_ROUND && i < count / 2 ? count + i : i;
		if (what & RIGHT_CHECKSUM)
			slots[i].checksum = checksum_of(&slots[i]);
	}
}

static void check_lines(struct log_reader reader, size_t size)
{
	char *text = malloc(size);
	uint64_t parts = 0;
	FUZZ_CHECK(text && reader.lines <= reader.count && reader.run > 0);
	/* A slot is read once, and may end a line before it. */
	for (; log_read(&reader, text, size); parts++) {
		FUZZ_CHECK(parts <= 2 * (uint64_t)reader.count && strnlen(text, size) < size);
		for (const char *at = text; *at; at++)
			FUZZ_CHECK(*at >= ' ' && *at <= '~');
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct log_reader reader;
	if (size < HEADER + sizeof(struct log_slot))
		return 0;
	uint32_t count = (uint32_t)((size - HEADER) / sizeof(struct log_slot));
	struct log_slot *slots = fuzz_copy(data + HEADER, count * sizeof(*slots));
	make_right(slots, count, data[0]);
	if (log_find(&reader, slots, count))
		check_lines(reader, LOG_READ_MINIMUM + data[1]);
	free(slots);
	return 0;
}
