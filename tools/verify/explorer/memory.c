/*
 * The memory of the machine: the variables of the case file, which are together in one section. Also which words are
 * private to a processor, and which places are watched or ignored.
 */
#include "machine_internal.h"

#include <stdlib.h>
#include <string.h>

#include "blocks.h"

#define PLACES        64
#define WORDS_MAXIMUM (MEMORY_MAXIMUM / 8)

/* The linker knows the bounds of the section, and of the program. */
extern unsigned char __start_explored[], __stop_explored[];
extern const unsigned char __executable_start[], end[];
static unsigned char *const memory_bytes = __start_explored;

struct places {
	unsigned count;
	struct {
		uint64_t address, size;
	} at[PLACES];
};
static struct places watched, ignored;
static struct places freed EXPLORED;

/* ---- memory ---- */

static size_t memory_size(void)
{
	return (size_t)(__stop_explored - __start_explored);
}

/* A bit for each block that was written since it was compared. */
static uint64_t written[MEMORY_MAXIMUM / BLOCK / 64];

void memory_written(const void *address, size_t size)
{
	if (machine_is_stack((uintptr_t)address, size))
		stack_written((unsigned)(((uintptr_t)address - (uintptr_t)stacks) / STACK_SIZE));
	if (size == 0 || !machine_is_explored((uintptr_t)address, size))
		return;
	size_t start = (size_t)((const unsigned char *)address - memory_bytes);
	for (size_t block = start / BLOCK; block <= (start + size - 1) / BLOCK; block++)
		written[block / 64] |= UINT64_C(1) << block % 64;
}

void memory_compare_all(void)
{
	memset(written, 0, sizeof written);
	blocks_compare(0, memory_bytes, memory_size());
}

static void block_compare(size_t block)
{
	size_t left = memory_size() - block * BLOCK;
	blocks_compare((unsigned)block, memory_bytes + block * BLOCK, left < BLOCK ? left : BLOCK);
}

void memory_compare_written(void)
{
	for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
		for (uint64_t bits = written[i]; bits; bits &= bits - 1)
			block_compare(64 * i + (size_t)__builtin_ctzll(bits));
		written[i] = 0;
	}
}

static bool is_within(uint64_t address, size_t size, const void *start, size_t length)
{
	return address >= (uintptr_t)start && address + size <= (uintptr_t)start + length;
}

bool machine_is_explored(uint64_t address, size_t size)
{
	return is_within(address, size, __start_explored, memory_size());
}

void memory_clear_ignored(void)
{
	for (unsigned i = 0; i < ignored.count; i++)
		memset((void *)ignored.at[i].address, 0, ignored.at[i].size);
}

static bool is_at(const struct places *places, uint64_t address, size_t size)
{
	for (unsigned i = 0; i < places->count; i++)
		if (address < places->at[i].address + places->at[i].size && places->at[i].address < address + size)
			return true;
	return false;
}

bool machine_is_there(uint64_t address, size_t size)
{
	return is_within(address, size, __executable_start, (size_t)(end - __executable_start));
}

bool machine_is_watched(uint64_t address, size_t size)
{
	return is_at(&watched, address, size);
}

bool machine_is_ignored(uint64_t address, size_t size)
{
	return is_at(&ignored, address, size);
}

bool machine_is_free(uint64_t address, size_t size)
{
	return is_at(&freed, address, size);
}

uint64_t memory_read(uint64_t address, unsigned size)
{
	uint64_t value = 0;
	memcpy(&value, (void *)address, size);
	return value;
}

void memory_write(uint64_t address, unsigned size, uint64_t value)
{
	memcpy((void *)address, &value, size);
	memory_written((void *)address, size);
}

uint64_t memory_locked(const struct request *request)
{
	uint64_t before = memory_read(request->address, request->size), after = request->operand;
	switch (request->locked) {
	case LOCKED_ADD:
		after = before + request->operand;
		break;
	case LOCKED_SUBTRACT:
		after = before - request->operand;
		break;
	case LOCKED_AND:
		after = before & request->operand;
		break;
	case LOCKED_OR:
		after = before | request->operand;
		break;
	case LOCKED_XOR:
		after = before ^ request->operand;
		break;
	case LOCKED_COMPARE:
		after = before == request->expected ? request->operand : before;
		break;
	}
	memory_write(request->address, request->size, after);
	return before;
}

/* ---- private words ---- */

#define SHARED          255
#define PRIVATE_MAXIMUM 20000

static uint8_t owners[WORDS_MAXIMUM]; /* 0: none yet, else the processor + 1, or SHARED */
static bool learned;
static unsigned private_accesses; /* since the last request */

static size_t word_of(uint64_t address)
{
	return (address - (uintptr_t)__start_explored) / 8;
}

bool machine_is_private(uint64_t address)
{
	uint8_t *owner = &owners[word_of(address)], self = (uint8_t)(explore_processor() + 1);
	if (!machine_is_explored(address, 1))
		return false;
	if (++private_accesses > PRIVATE_MAXIMUM)
		explore_fail("an endless loop");
	if (*owner == 0)
		*owner = self;
	if (*owner == self)
		return true;
	learned |= *owner != SHARED;
	*owner = SHARED;
	return false;
}

bool machine_learned(void)
{
	bool result = learned;
	learned = false;
	return result;
}

void machine_forget(void)
{
	memset(owners, 0, sizeof owners);
}

bool memory_is_owned(uint64_t address, unsigned processor)
{
	return machine_is_explored(address, 1) && owners[word_of(address)] == processor + 1;
}

void memory_request_made(void)
{
	private_accesses = 0;
}

void memory_start(void)
{
	static unsigned char *pristine;
	if (!pristine) {
		if (memory_size() > MEMORY_MAXIMUM)
			explore_fail("the variables of the case are too large");
		pristine = malloc(memory_size());
		memcpy(pristine, __start_explored, memory_size());
	}
	memcpy(__start_explored, pristine, memory_size());
	watched.count = ignored.count = 0;
}

static void place_add(struct places *places, const void *address, size_t size)
{
	if (places->count == PLACES)
		explore_fail("too many watched or ignored places");
	places->at[places->count].address = (uintptr_t)address;
	places->at[places->count++].size = size;
}

void explore_watch(const void *address, size_t size)
{
	place_add(&watched, address, size);
}

void explore_ignore(const void *address, size_t size)
{
	place_add(&ignored, address, size);
}

void explore_free(const void *address, size_t size)
{
	unsigned i = 0;
	while (i < freed.count && freed.at[i].address != (uintptr_t)address)
		i++;
	if (i == freed.count && size > 0)
		place_add(&freed, address, size);
	else if (i < freed.count)
		freed.at[i].size = size;
	memory_written(&freed, sizeof freed);
}
