#include "kernel/log_record.h"

#include <string.h>

/* FNV-1a: it notices a change of any one byte. The start contains the version of the format. */
#define CHECKSUM_START 0x811c9dc5u
#define CHECKSUM_PRIME 0x01000193u
#define FORMAT         1u

/* Runs and positions stay below these limits, so adding one never wraps. */
#define RUN_LIMIT      0x80000000u
#define POSITION_LIMIT ((uint64_t)1 << 48)

static uint32_t checksum_of(const struct log_slot *slot)
{
	const uint8_t *bytes = (const uint8_t *)slot;
	uint32_t sum = CHECKSUM_START ^ FORMAT;
	for (size_t i = sizeof(slot->checksum); i < sizeof(*slot); i++)
		sum = (sum ^ bytes[i]) * CHECKSUM_PRIME;
	return sum;
}

/* -------------------------------------------------------------------------------------------- writing -- */

static void log_write_back(const struct log_ring *ring, const void *memory, size_t bytes)
{
	if (ring->write_back)
		ring->write_back(memory, bytes);
}

void log_create(struct log_ring *ring, struct log_slot *slots, uint32_t count, uint32_t run,
                void (*back)(const void *memory, size_t bytes))
{
	*ring = (struct log_ring){slots, count, run, 0, back};
	memset(slots, 0, count * sizeof(*slots));
	log_write_back(ring, slots, count * sizeof(*slots));
}

static void slot_write(const struct log_ring *ring, uint64_t position, unsigned kind, const char *text,
                       size_t length)
{
	struct log_slot *slot = &ring->slots[position % ring->count];
	slot->run = ring->run;
	slot->position = position;
	slot->kind = (uint8_t)kind;
	slot->length = (uint8_t)length;
	memcpy(slot->text, text, length);
	slot->checksum = checksum_of(slot);
	log_write_back(ring, slot, sizeof(*slot));
}

void log_write(struct log_ring *ring, const char *text, size_t length)
{
	if (!ring->slots)
		return;
	uint64_t parts = length > LOG_SLOT_TEXT ? (length + LOG_SLOT_TEXT - 1) / LOG_SLOT_TEXT : 1;
	/* relaxed: the slots are the caller's by their number, and nothing reads them before the machine has ended. */
	uint64_t position = atomic_fetch_add_explicit(&ring->next, parts, memory_order_relaxed);
	for (unsigned kind = LOG_FIRST; parts > 0; parts--, kind = 0) {
		size_t part = length < LOG_SLOT_TEXT ? length : LOG_SLOT_TEXT;
		slot_write(ring, position++, parts == 1 ? kind | LOG_LAST : kind, text, part);
		text += part;
		length -= part;
	}
}

void log_mark(struct log_ring *ring, enum log_mark mark)
{
	char byte = (char)mark;
	if (ring->slots)
		slot_write(ring, atomic_fetch_add_explicit(&ring->next, 1, memory_order_relaxed), LOG_MARK, &byte, 1);
}

/* -------------------------------------------------------------------------------------------- reading -- */

static bool kind_is_known(const struct log_slot *slot)
{
	if (slot->kind == LOG_MARK)
		return slot->length == 1 && (unsigned char)slot->text[0] < LOG_MARKS;
	return slot->kind <= (LOG_FIRST | LOG_LAST);
}

static bool slot_is_valid(const struct log_slot *slots, uint32_t count, uint32_t index)
{
	const struct log_slot *slot = &slots[index];
	return slot->run != 0 && slot->run < RUN_LIMIT && slot->position < POSITION_LIMIT &&
	       slot->position % count == index && slot->length <= LOG_SLOT_TEXT && kind_is_known(slot) &&
	       slot->checksum == checksum_of(slot);
}

/* The slot of a position; NULL: it was lost. */
static const struct log_slot *log_slot_at(const struct log_reader *reader, uint64_t position)
{
	uint32_t index = (uint32_t)(position % reader->count);
	const struct log_slot *slot = &reader->slots[index];
	return slot->run == reader->run && slot->position == position &&
	               slot_is_valid(reader->slots, reader->count, index)
	           ? slot
	           : NULL;
}

/* Find the valid part of the newest run. */
static void find_end(struct log_reader *reader)
{
	for (uint32_t i = 0; i < reader->count; i++) {
		const struct log_slot *slot = &reader->slots[i];
		if (slot->run < reader->run || !slot_is_valid(reader->slots, reader->count, i))
			continue;
		if (slot->run > reader->run)
			reader->end = 0;
		reader->run = slot->run;
		if (slot->position >= reader->end)
			reader->end = slot->position + 1;
	}
}

bool log_find(struct log_reader *reader, const struct log_slot *slots, uint32_t count)
{
	*reader = (struct log_reader){.slots = slots, .count = count};
	find_end(reader);
	reader->is_cut = reader->end > count;
	reader->next = reader->is_cut ? reader->end - count : 0;
	for (uint64_t position = reader->next; position < reader->end; position++) {
		const struct log_slot *slot = log_slot_at(reader, position);
		if (slot && slot->kind == LOG_MARK)
			reader->has_mark[(unsigned char)slot->text[0]] = true;
		else if (slot && slot->kind & LOG_LAST)
			reader->lines++;
	}
	return reader->run != 0;
}

static size_t log_add(char *text, size_t length, const char *part, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		text[length + i] = part[i] < ' ' || part[i] > '~' ? ' ' : part[i];
	text[length + bytes] = 0;
	return length + bytes;
}

static size_t add_lost(struct log_reader *reader, char *text, size_t length)
{
	reader->is_lost = false;
	return log_add(text, length, LOG_LOST, strlen(LOG_LOST));
}

bool log_read(struct log_reader *reader, char *text, size_t size)
{
	size_t length = log_add(text, 0, "", 0);
	for (; reader->next < reader->end; reader->next++) {
		const struct log_slot *slot = log_slot_at(reader, reader->next);
		if (slot && slot->kind == LOG_MARK)
			continue;
		bool is_first = slot && slot->kind & LOG_FIRST;
		if (reader->is_in_line && is_first) {
			reader->is_in_line = false;
			add_lost(reader, text, length);
			return true;
		}
		if (!slot || (!reader->is_in_line && !is_first))
			reader->is_lost = true;
		if (!slot)
			continue;
		/* A line that breaks off needs room to say so. */
		if (length + 2 * strlen(LOG_LOST) + slot->length >= size)
			return true;
		if (reader->is_lost)
			length = add_lost(reader, text, length);
		length = log_add(text, length, slot->text, slot->length);
		reader->is_in_line = !(slot->kind & LOG_LAST);
		if (!reader->is_in_line) {
			reader->next++;
			return true;
		}
	}
	if (!reader->is_in_line && !reader->is_lost)
		return false;
	reader->is_in_line = false;
	add_lost(reader, text, length);
	return true;
}
