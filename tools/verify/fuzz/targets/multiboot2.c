/*
 * The boot information of a multiboot2 loader. If its second word is not 0, as it should be, the length in the first
 * word is corrected.
 */
#include "kernel/boot_loader.h"
#include "kernel/memory.h"
#include "tools/verify/fuzz/targets/fuzz.h"

static struct boot_information boot;

static bool is_inside(const void *pointer, size_t length, const void *bytes, size_t size)
{
	uintptr_t start = (uintptr_t)bytes, place = (uintptr_t)pointer;
	return place >= start && place - start <= size && length <= size - (place - start);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *bytes = fuzz_copy(data, size);
	uint32_t length = (uint32_t)size;
	if (size >= 8 && boot_read_32(bytes + 4) != 0)
		memcpy(bytes, &length, sizeof(length));
	memset(&boot, 0, sizeof(boot));
	const char *error = multiboot2_parse(bytes, size, &boot);
	if (error) {
		fuzz_check_sentence(error, 200);
	} else {
		uint64_t page = (uintptr_t)bytes & ~(PAGE_SIZE - 1);
		fuzz_check_map(&boot, page, boot_read_32(bytes));
		fuzz_check_boot(&boot);
		FUZZ_CHECK(!boot.rsdp || is_inside(boot.rsdp, boot.rsdp_size, bytes, size));
		uint64_t taken = boot_memory_take(&boot, size * 100, (uint64_t)1 << (size % 64));
		FUZZ_CHECK(taken % PAGE_SIZE == 0);
		fuzz_check_map(&boot, taken, taken ? size * 100 : 0);
	}
	free(bytes);
	return 0;
}
