/*
 * Starting the other processors, all at once: reset all of them, wait 10 milliseconds, start all of them.
 */
#include "arch/bare/apic.h"
#include "arch/bare/machine.h"
#include "arch/bare/memory_types.h"
#include "arch/bare/performance.h"
#include "arch/bare/processors.h"
#include "arch/bare/synchronize.h"
#include "arch/x86_64/decode/topology.h"
#include "arch/x86_64/instructions.h"
#include "kernel/boot_information.h"
#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/memory.h"

#define LOW_MEMORY       0x100000
#define TRAMPOLINE_LIMIT 0xa0000 /* the start interrupt cannot name this page or a later one */
#define STACK_SIZE       ((size_t)32768)
#define MICROSECOND      1000ull
#define MILLISECOND      1000000ull
#define SECOND           1000000000ull
#define RESET_WAIT       (10 * MILLISECOND)
#define START_WAIT       (200 * MICROSECOND)
#define ARRIVAL_WAIT     (10 * SECOND) /* from one arrival to the next: a busy emulator needs seconds */
#define COMPARE_WAIT     (2 * MILLISECOND)
#define MSR_EFER         0xc0000080
#define EFER_LONG_ACTIVE (1u << 10) /* set by the processor itself */

struct processor_start *processor_start_list;
uint32_t processor_start_count;
uint8_t processor_start_wide;
uintptr_t processor_start_apic;
uint32_t processor_start_root, processor_start_efer;

static uint64_t trampoline_page; /* 0: no page was free */
static _Atomic unsigned ready_count;
static _Atomic(void (*)(struct processor *)) released_entry;

void trampoline_take(struct boot_information *boot)
{
	trampoline_page = boot_memory_take(boot, PAGE_SIZE, TRAMPOLINE_LIMIT);
	/* Firmware writes to memory there that it reports as free, for instance when it handles an interrupt of its
	 * own. */
	boot_memory_reserve(boot, 0, LOW_MEMORY);
}

/* -------------------------------------------------------------------- on the processor that comes up -- */

/* The boot processor has given up on this one. */
_Noreturn static void processor_park(void)
{
	interrupts_disable();
	for (;;)
		processor_halt();
}

void processor_arrive(struct processor_start *start)
{
	descriptors_load(&start->block); /* first: then faults can be reported */
	processor_features_enable();
	machine_check_start();
	memory_types_follow();
	performance_ask();
	apic_enable();
	synchronize_look();
	const struct identity identity = CPUID_OF_THIS;
	const struct topology_layout layout = processor_layout(&identity);
	start->place = topology_place(start->hardware_id, &layout);
	uint32_t state = START_ARRIVED;
	/* ARRIVED -> READY; release: pairs with the acquire in start_is_ready(). */
	if (!atomic_compare_exchange_strong_explicit(&start->state, &state, START_READY, memory_order_release,
	                                             memory_order_relaxed))
		processor_park();
	atomic_fetch_add_explicit(&ready_count, 1, memory_order_relaxed);

	void (*entry)(struct processor *);
	/* acquire: pairs with the release in arch_processors_release(). */
	while ((entry = atomic_load_explicit(&released_entry, memory_order_acquire)) == NULL) {
		arch_idle(UINT64_MAX);
		synchronize_answer(&start->block);
	}
	processor_bases_set(start->processor);
	entry(start->processor);
	processor_park();
}

/* ----------------------------------------------------------------------------- on the boot processor -- */

static void processor_fill(struct processor *processor, unsigned index,
                           const struct topology_processor *place)
{
	processor->self = processor;
	processor->index = index;
	processor->node = place->node;
	processor->hardware_id = place->hardware_id;
}

/* False: out of memory. */
static bool start_prepare(struct processor_start *start, unsigned index,
                          const struct topology_processor *place)
{
	size_t size = STACK_SIZE;
	bool guarded;
	void *block = memory_allocate(STACK_SIZE, place->node);
	void *stack = block == NULL ? NULL : arch_stack_map(block, &size, &guarded);
	struct arch_processor *machine = memory_allocate(sizeof(*machine), place->node);
	if (stack == NULL || machine == NULL)
		return false;
	__builtin_memset(machine, 0, sizeof(*machine));

	processor_fill(&start->block, index, place);
	start->block.stack_low = stack;
	start->block.stack_size = size;
	start->block.arch = machine;
	start->hardware_id = place->hardware_id;
	start->stack_top = (uint8_t *)stack + size;
	return true;
}

/* Fill the list; cut the topology down to the processors that there is memory for. */
static void starts_prepare(struct topology *places)
{
	processor_start_list = memory_boot(places->processor_count * sizeof(*processor_start_list), 0);
	for (unsigned i = 1; i < places->processor_count; i++)
		if (!start_prepare(&processor_start_list[i - 1], i, &places->processor[i])) {
			log_warning("no memory for the stacks of processor %u; going on with those before it", i);
			places->processor_count = i;
		}
	processor_start_count = places->processor_count - 1;
	processor_start_wide = apic_is_wide();
	processor_start_apic = apic_registers();
	processor_start_root = (uint32_t)paging_root();
	processor_start_efer = (uint32_t)msr_read(MSR_EFER) & ~EFER_LONG_ACTIVE;
}

static void trampoline_copy(void)
{
	__builtin_memcpy((void *)trampoline_page, trampoline_begin, (size_t)(trampoline_end - trampoline_begin));
}

/* Send to all processors that have not yet come. */
static void command_send_all(uint32_t command)
{
	for (unsigned i = 0; i < processor_start_count; i++) {
		struct processor_start *start = &processor_start_list[i];
		if (atomic_load_explicit(&start->state, memory_order_relaxed) == START_AWAITED &&
		    !apic_send(start->hardware_id, command))
			log_warning("the interrupt controller did not take the start of processor %u (APIC id %u)", i + 1,
			            start->hardware_id);
	}
}

/* Wait until all are ready, or none has become ready for `patience` nanoseconds. At first, keep comparing clocks with
 * those that come. A processor that takes longer is slow because the machine is busy; then stay out of its way. */
static void arrivals_wait(uint64_t patience)
{
	unsigned ready = 0;
	uint64_t last_news = arch_clock(), now = last_news;
	while (ready < processor_start_count && now - last_news < patience) {
		synchronize_look();
		unsigned now_ready = atomic_load_explicit(&ready_count, memory_order_relaxed);
		now = arch_clock();
		if (now_ready != ready)
			last_news = now;
		else if (now - last_news > COMPARE_WAIT)
			arch_idle(now + MILLISECOND);
		ready = now_ready;
	}
}

static void nanoseconds_wait(uint64_t nanoseconds)
{
	uint64_t deadline = arch_clock() + nanoseconds;
	while (arch_clock() < deadline)
		arch_pause();
}

/* False: it is not ready, and never will be. */
static bool start_is_ready(struct processor_start *start)
{
	uint32_t state = START_AWAITED;
	/* AWAITED or ARRIVED -> ABANDONED; acquire: pairs with the release in processor_arrive(). */
	while (state != START_READY)
		if (atomic_compare_exchange_weak_explicit(&start->state, &state, START_ABANDONED,
		                                          memory_order_acquire, memory_order_acquire))
			return false;
	return true;
}

/* Give each ready processor its index and final block; the topology closes up over the missing ones. */
static void starts_finish(struct topology *places)
{
	unsigned kept = 1;
	for (unsigned i = 1; i < places->processor_count; i++) {
		struct processor_start *start = &processor_start_list[i - 1];
		if (!start_is_ready(start)) {
			log_warning("processor %u (APIC id %u) did not start within %u s; going on without it", i,
			            start->hardware_id, (unsigned)(ARRIVAL_WAIT / SECOND));
			continue;
		}
		start->place.node = places->processor[i].node;
		places->processor[kept] = start->place;
		processors[kept] = start->block;
		processor_fill(&processors[kept], kept, &places->processor[kept]);
		start->processor = &processors[kept];
		kept++;
	}
	places->processor_count = kept;
}

/* The block that a processor uses until its release. */
static struct processor *waiting_block(unsigned index)
{
	unsigned i = 0;
	while (processor_start_list[i].processor != &processors[index])
		i++;
	return &processor_start_list[i].block;
}

void arch_processors_start(struct topology *places)
{
	uint64_t begin = arch_clock();
	processor_fill(&processors[0], 0, &places->processor[0]);
	if (places->processor_count > 1 && trampoline_page == 0) {
		log_warning("no free page below 1 MiB, where processors start; going on with one processor");
		places->processor_count = 1;
	}
	if (places->processor_count > 1) {
		starts_prepare(places);
		trampoline_copy();
		command_send_all(APIC_COMMAND_INIT);
		nanoseconds_wait(RESET_WAIT);
		command_send_all(APIC_COMMAND_START | (uint32_t)(trampoline_page / PAGE_SIZE));
		arrivals_wait(START_WAIT);
		command_send_all(APIC_COMMAND_START | (uint32_t)(trampoline_page / PAGE_SIZE));
		arrivals_wait(ARRIVAL_WAIT);
		starts_finish(places);
		memory_types_report();
	}
	processor_count = places->processor_count;
	synchronize_all(waiting_block);
	if (command_line.performance)
		log_info("performance=on: processors were asked for %s", performance_asked());
	log_info("processors started in %lu us, their clocks differ by at most %lu ns",
	         (unsigned long)((arch_clock() - begin) / MICROSECOND), (unsigned long)synchronize_error());
}

void arch_processors_release(void (*entry)(struct processor *))
{
	/* release: pairs with the acquire in processor_arrive(). */
	atomic_store_explicit(&released_entry, entry, memory_order_release);
	for (unsigned i = 1; i < processor_count; i++)
		arch_processor_wake(&processors[i]);
}

void arch_processors_join(void)
{
	/* Nothing to wait for: entry() never returns on this machine. */
}
