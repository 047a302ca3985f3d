/*
 * From the entry in 64-bit mode to kernel_main().
 */
#include "arch/bare/firmware.h"
#include "arch/bare/machine.h"
#include "arch/bare/memory_types.h"
#include "arch/bare/pci.h"
#include "arch/bare/performance.h"
#include "arch/bare/result_screen.h"
#include "arch/bare/screen.h"
#include "arch/bare/serial.h"
#include "arch/x86_64/instructions.h"
#include "kernel/boot_loader.h"
#include "kernel/panic.h"

#define MAPPED_AT_ENTRY ((uint64_t)1 << 32)

/* entry.asm and linker.ld */
extern uint8_t boot_stack_low[], boot_stack_high[], image_text_start[], image_end[];

static struct boot_information boot_information;
static struct arch_processor boot_processor;

/* Called by entry.asm on the boot stack, with the low 4 GiB mapped at their own addresses. */
_Noreturn void machine_enter(uint32_t loader, uintptr_t information);

static void boot_processor_create(void)
{
	struct processor *processor = &processors[0];
	processor->self = processor;
	processor->stack_low = boot_stack_low;
	processor->stack_size = (size_t)(boot_stack_high - boot_stack_low);
	processor->arch = &boot_processor;
	interrupt_table_create();
	descriptors_load(processor);
}

static void boot_information_read(uint32_t loader, uintptr_t information)
{
	const char *error =
	    "it follows neither multiboot2 nor PVH; boot by GRUB's command multiboot2 or by QEMU's -kernel";
	if (loader == BOOT_LOADER_MULTIBOOT2)
		error = multiboot2_parse((const void *)information, MAPPED_AT_ENTRY - information, &boot_information);
	else if (loader == BOOT_LOADER_PVH)
		error = pvh_parse((const void *)information, MAPPED_AT_ENTRY, &boot_information);
	if (error)
		panic("boot loader (%x): %s", loader, error);
	boot_memory_reserve(&boot_information, (uintptr_t)image_text_start,
	                    (uintptr_t)(image_end - image_text_start));
}

void machine_enter(uint32_t loader, uintptr_t information)
{
	boot_processor_create(); /* first: then faults can be reported */
	processor_features_enable();
	serial_choose_first();
	boot_information_read(loader, information);
	kernel_main(&boot_information);
	panic("kernel_main() returned");
}

void arch_machine_start(struct boot_information *boot)
{
	serial_choose_wanted();
	machine_check_start();
	memory_types_start(boot);
	log_memory_start(boot);
	performance_ask();
	trampoline_take(boot);
	paging_start(boot);
	firmware_start(boot);
	serial_choose_found();
	screen_start(&boot->framebuffer);
	console_early_end();
	result_screen_prepare();
	pci_masters_stop();
	idle_choose();
}

void machine_show_failure(void)
{
	const struct boot_framebuffer *framebuffer = &boot_information.framebuffer;
	uint64_t size = (uint64_t)framebuffer->pitch * framebuffer->height;
	if (paging_root() != 0)
		return;
	serial_choose_any();
	if (framebuffer->address < MAPPED_AT_ENTRY && size <= MAPPED_AT_ENTRY - framebuffer->address)
		screen_start(framebuffer);
}
