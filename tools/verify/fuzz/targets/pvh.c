/*
 * The start information of the PVH protocol. It consists of addresses, so the bytes are put at low addresses, at the
 * end of readable memory; a lower address counts as an offset from their start.
 */
#include <sys/mman.h>

#include "kernel/boot_loader.h"
#include "tools/verify/fuzz/targets/fuzz.h"

#define BASE ((uintptr_t)0x10000000)
#define ROOM ((size_t)65536)

static struct boot_information boot;

/* [BASE, BASE + ROOM), and nothing readable after it. */
static uint8_t *space_make(void)
{
	static uint8_t *space;
	if (space)
		return space;
	space = mmap((void *)BASE, ROOM + 4096, PROT_READ | PROT_WRITE,
	             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	FUZZ_CHECK(space == (uint8_t *)BASE && mprotect(space + ROOM, 4096, PROT_NONE) == 0);
	return space;
}

/* The fields that are addresses. */
static void make_absolute(uint8_t *information, size_t size, uintptr_t start)
{
	static const size_t places[] = {16, 24, 32, 40};
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		uint64_t address;
		if (places[i] + sizeof(address) > size)
			return;
		memcpy(&address, information + places[i], sizeof(address));
		if (address > 0 && address < BASE)
			address += start;
		memcpy(information + places[i], &address, sizeof(address));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *space = space_make();
	if (size > ROOM)
		return 0;
	uint8_t *information = space + ROOM - size;
	memset(space, 0, ROOM - size);
	memcpy(information, data, size);
	make_absolute(information, size, (uintptr_t)information);
	memset(&boot, 0, sizeof(boot));
	const char *error = pvh_parse(information, BASE + ROOM, &boot);
	if (error) {
		fuzz_check_sentence(error, 200);
	} else {
		fuzz_check_map(&boot, (uintptr_t)boot.rsdp, boot.rsdp_size);
		fuzz_check_boot(&boot);
		FUZZ_CHECK(!boot.rsdp || (uintptr_t)boot.rsdp + boot.rsdp_size <= BASE + ROOM);
	}
	return 0;
}
