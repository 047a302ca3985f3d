/* Prints schedules for people. Code addresses are printed as @0x...; tools/verify/run replaces them with functions
 * and lines. */
#include "machine_internal.h"

#include <stdarg.h>
#include <stdio.h>

#define NAMES_MAXIMUM 256

static struct {
	uint64_t address, size;
	char text[40];
} names[NAMES_MAXIMUM];
static unsigned name_count;
static bool printing;
static unsigned last_processor;
static unsigned long turn; /* counts switches from one processor to another */

void print_names_clear(void)
{
	name_count = 0;
}

void explore_name(const void *address, size_t size, const char *format, ...)
{
	va_list arguments;
	if (name_count == NAMES_MAXIMUM)
		explore_fail("too many names");
	names[name_count].address = (uintptr_t)address;
	names[name_count].size = size;
	va_start(arguments, format);
	vsnprintf(names[name_count++].text, sizeof names[0].text, format, arguments);
	va_end(arguments);
}

/* The smallest named object around an address, or the largest that starts there. */
static int name_find(uint64_t address, bool as_value)
{
	int best = -1;
	for (unsigned i = 0; i < name_count; i++) {
		if (as_value ? address != names[i].address : address - names[i].address >= names[i].size)
			continue;
		if (best < 0 || (names[i].size > names[best].size) == as_value)
			best = (int)i;
	}
	return best;
}

static const char *describe(uint64_t value, bool as_value)
{
	static char texts[8][64];
	static unsigned turn;
	char *text = texts[turn++ % 8];
	int name = name_find(value, as_value);
	if (name >= 0 && value == names[name].address)
		return names[name].text;
	if (name >= 0)
		snprintf(text, sizeof texts[0], "%s+%lu", names[name].text,
		         (unsigned long)(value - names[name].address));
	else if (value == 0 && as_value)
		return "0";
	else
		snprintf(text, sizeof texts[0], "%#lx", (unsigned long)value);
	return text;
}

const char *explore_name_of(uint64_t value)
{
	return describe(value, true);
}

const char *explore_place_of(uint64_t address)
{
	return describe(address, false);
}

void machine_print(bool on)
{
	printing = on;
	last_processor = EXPLORE_PROCESSORS;
}

static void print_head(unsigned processor)
{
	if (processor != last_processor) {
		printf("#   processor %u\n", processor);
		turn++;
	}
	last_processor = processor;
	printf("#       ");
}

static void print_where(uint64_t where)
{
	if (where)
		printf("   @%#lx", (unsigned long)where - 1);
	printf("\n");
}

void explore_note(const char *format, ...)
{
	va_list arguments;
	if (!printing)
		return;
	print_head(explore_processor());
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
}

/* A store that reaches memory before any other action is printed in one line. */
void print_store(unsigned processor, bool drained, const struct buffered_store *store, uint64_t where)
{
	static unsigned long turns[EXPLORE_PROCESSORS][MACHINE_BUFFER]; /* when each buffered store was made */
	static unsigned buffered[EXPLORE_PROCESSORS];
	if (!printing)
		return;
	if (drained) {
		unsigned long made = turns[processor][0];
		buffered[processor]--;
		for (unsigned i = 0; i < buffered[processor]; i++)
			turns[processor][i] = turns[processor][i + 1];
		if (made == turn && processor == last_processor)
			return;
	}
	print_head(processor);
	if (!drained)
		turns[processor][buffered[processor]++] = turn;
	printf("%s %s = %s", drained ? "its buffer drains:" : "store", describe(store->address, false),
	       describe(store->value, true));
	print_where(where);
}

static void print_locked(const struct request *request, uint64_t before)
{
	static const char *const verbs[] = {"exchange", "add", "subtract", "and", "or", "xor"};
	const char *address = describe(request->address, false), *operand = describe(request->operand, true);
	if (request->locked != LOCKED_COMPARE)
		printf("%s %s with %s, was %s", verbs[request->locked], address, operand, describe(before, true));
	else if (before == request->expected)
		printf("CAS %s: %s -> %s", address, describe(before, true), operand);
	else
		printf("CAS %s: %s -> %s fails, it is %s", address, describe(request->expected, true), operand,
		       describe(before, true));
}

void print_request(unsigned processor, const struct request *request, uint64_t before)
{
	if (!printing || request->kind == REQUEST_PAUSE || request->kind == REQUEST_STORE)
		return;
	print_head(processor);
	switch (request->kind) {
	case REQUEST_LOAD:
		printf("load %s: %s", describe(request->address, false), describe(before, true));
		break;
	case REQUEST_LOCKED:
		print_locked(request, before);
		break;
	case REQUEST_FENCE:
		printf("fence");
		break;
	case REQUEST_WAIT:
		printf("goes on after a wait");
		break;
	case REQUEST_READ:
		printf("read %s", describe(request->address, false));
		break;
	case REQUEST_WRITE:
		printf("write %s", describe(request->address, false));
		break;
	}
	print_where(request->where);
}
