#include "kernel/log_memory.h"

#include "kernel/boot_information.h"
#include "kernel/console.h"
#include "kernel/format.h"

/* The first MiB belongs to the firmware. UEFI firmware may lie above it, kernels are loaded there, and boot loaders
 * take memory from the top. GRUB under UEFI reads a kernel's file, 20 MiB and more, to wherever there is room above.
 * PLACE_LEAST is for machines that have too little memory for another place. */
#define PLACE_FIRST ((uint64_t)128 << 20)
#define PLACE_LEAST ((uint64_t)32 << 20)
#define PLACE_STEP  ((uint64_t)16 << 20)
#define PLACE_LIMIT ((uint64_t)4 << 30)

/* All of the large page that it begins in must be memory: what lies above the last memory is taken for devices. */
#define PLACE_FREE ((uint64_t)2 << 20)

_Static_assert(LOG_MEMORY_BYTES < PLACE_FREE, "some memory follows");

struct log_memory log_memory;

/* The first free place; 0: none. */
static uint64_t find_place(const struct boot_information *boot, uint64_t first, uint64_t limit)
{
	for (uint64_t place = first; place < limit; place += PLACE_STEP)
		if (boot_memory_is_free(boot, place, PLACE_FREE))
			return place;
	return 0;
}

uint64_t log_memory_take(struct boot_information *boot)
{
	uint64_t place = find_place(boot, PLACE_FIRST, PLACE_LIMIT);
	if (place == 0)
		place = find_place(boot, PLACE_LEAST, PLACE_FIRST);
	if (place != 0)
		boot_memory_reserve(boot, place, LOG_MEMORY_BYTES);
	return place;
}

static void insert_previous(struct log_memory *memory, const struct log_reader *found)
{
	unsigned place = memory->previous_count++;
	for (; place > 0 && memory->previous[place - 1].run < found->run; place--)
		memory->previous[place] = memory->previous[place - 1];
	memory->previous[place] = *found;
}

void log_memory_open(struct log_memory *memory, void *place, uint32_t bank_slots,
                     void (*write_back)(const void *memory, size_t bytes))
{
	struct log_slot *slots = place, *chosen = NULL;
	*memory = (struct log_memory){.previous_count = 0};
	for (unsigned i = 0; i < LOG_BANKS; i++) {
		struct log_reader found;
		if (log_find(&found, slots + i * bank_slots, bank_slots))
			insert_previous(memory, &found);
		else
			chosen = slots + i * bank_slots;
	}
	uint32_t newest = memory->previous_count > 0 ? memory->previous[0].run : 0;
	if (!chosen)
		chosen = slots + (memory->previous[--memory->previous_count].slots - slots);
	log_create(&memory->ring, chosen, bank_slots, newest + 1, write_back);
}

const char *log_memory_ending(const struct log_reader *reader)
{
	if (reader->has_mark[LOG_PANICKED])
		return "it ended by a panic";
	if (reader->has_mark[LOG_FAILED])
		return "something in it failed";
	return reader->has_mark[LOG_ENDED] ? "it ended well" : "it broke off";
}

void log_memory_report(const struct log_memory *memory)
{
	char text[LOG_BANKS * 60];
	size_t length = 0;
	for (unsigned i = 0; i < memory->previous_count; i++)
		length +=
		    format_text(text + length, sizeof(text) - length, "%s%u lines, %s", i > 0 ? "; before it: " : "",
		                memory->previous[i].lines, log_memory_ending(&memory->previous[i]));
	if (length > 0)
		log_info("the log of the run before is kept (%s): run=previous_log prints it", text);
}
