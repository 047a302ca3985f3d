/*
 * The event timer (HPET), the power management timer of ACPI, the interval timer (8254) and the time-of-day clock, as
 * counters.
 */
#include "arch/bare/counter.h"
#include "arch/bare/firmware.h"
#include "arch/bare/machine.h"
#include "arch/x86_64/instructions.h"
#include "kernel/console.h"

#define MARK_TRIES 32
/* Longer than any wait here on any processor: a quarter of a second at 16 GHz, 40 seconds at 100 MHz. */
#define WAIT_CYCLES_MAXIMUM (1ull << 32)
/* Longer than one tick of a fast counter on any processor. */
#define TICK_CYCLES_MAXIMUM (1ull << 26)
/* Longer than a second on any processor. */
#define CHANGE_CYCLES_MAXIMUM 10000000000ull

/* ---------------------------------------------------------------------------------------------- HPET -- */

#define EVENT_TIMER_CAPABILITIES  0x00 /* upper half: femtoseconds a tick */
#define EVENT_TIMER_CONFIGURATION 0x10
#define EVENT_TIMER_COUNT         0xf0
#define EVENT_TIMER_LENGTH        0x100
#define EVENT_TIMER_ENABLED       1u
#define FEMTOSECONDS_A_SECOND     1000000000000000ull
#define EVENT_TIMER_TICK_MINIMUM  1000000u   /* femtoseconds: 1 GHz; no timer is as fast */
#define EVENT_TIMER_TICK_MAXIMUM  100000000u /* by its specification */

static uint64_t event_timer_address;

static volatile uint32_t *event_timer_register(unsigned offset)
{
	return (volatile uint32_t *)(event_timer_address + offset);
}

static uint64_t event_timer_read(void)
{
	return *event_timer_register(EVENT_TIMER_COUNT);
}

static bool event_timer_find(struct counter *counter)
{
	struct acpi_table table;
	if (!firmware_table_find("HPET", 0, &table))
		return false;
	const char *error = acpi_event_timer_parse(&table, &event_timer_address);
	if (error == NULL && !paging_covers(event_timer_address, EVENT_TIMER_LENGTH))
		error = "puts the timer where nothing is mapped";
	uint32_t tick = error == NULL ? *event_timer_register(EVENT_TIMER_CAPABILITIES + 4) : 0;
	if (error == NULL && (tick < EVENT_TIMER_TICK_MINIMUM || tick > EVENT_TIMER_TICK_MAXIMUM))
		error = "describes a timer with an impossible frequency";
	if (error != NULL) {
		log_warning("ACPI: the table HPET %s; going on without it", error);
		return false;
	}
	*event_timer_register(EVENT_TIMER_CONFIGURATION) |= EVENT_TIMER_ENABLED;
	*counter = (struct counter){"HPET", FEMTOSECONDS_A_SECOND / tick, UINT32_MAX, event_timer_read};
	return true;
}

/* ---------------------------------------------------------------------------- power management timer -- */

#define POWER_TIMER_FREQUENCY 3579545

static uint16_t power_timer_port;

static uint64_t power_timer_read(void)
{
	return port_read_32(power_timer_port);
}

static bool power_timer_find(struct counter *counter)
{
	struct acpi_table table;
	struct acpi_power power;
	if (!firmware_table_find("FACP", 0, &table) || acpi_power_parse(&table, &power) != NULL ||
	    power.timer_port == 0)
		return false;
	power_timer_port = power.timer_port;
	*counter = (struct counter){"the power management timer", POWER_TIMER_FREQUENCY,
	                            power.timer_wide ? UINT32_MAX : 0xffffff, power_timer_read};
	return true;
}

/* ------------------------------------------------------------------------------------ interval timer -- */

#define INTERVAL_FREQUENCY     1193182
#define PORT_INTERVAL_CHANNEL  0x42 /* channel 2, which is wired to the loudspeaker and to no interrupt */
#define PORT_INTERVAL_COMMAND  0x43
#define PORT_INTERVAL_GATE     0x61
#define INTERVAL_GATE_OPEN     1u
#define INTERVAL_SPEAKER       2u
#define INTERVAL_COMMAND_START 0xb4 /* channel 2, low then high byte, mode 2: count down again and again */
#define INTERVAL_COMMAND_LATCH 0x80 /* channel 2 */

/* The timer counts down. */
static uint64_t interval_timer_read(void)
{
	port_write_8(PORT_INTERVAL_COMMAND, INTERVAL_COMMAND_LATCH);
	uint64_t low = port_read_8(PORT_INTERVAL_CHANNEL);
	uint64_t high = port_read_8(PORT_INTERVAL_CHANNEL);
	return 0 - (high << 8 | low);
}

static bool interval_timer_find(struct counter *counter)
{
	uint8_t gate = port_read_8(PORT_INTERVAL_GATE);
	port_write_8(PORT_INTERVAL_GATE, (uint8_t)((gate & ~INTERVAL_SPEAKER) | INTERVAL_GATE_OPEN));
	port_write_8(PORT_INTERVAL_COMMAND, INTERVAL_COMMAND_START);
	port_write_8(PORT_INTERVAL_CHANNEL, 0); /* 0 means 65,536 */
	port_write_8(PORT_INTERVAL_CHANNEL, 0);
	*counter = (struct counter){"the interval timer", INTERVAL_FREQUENCY, UINT16_MAX, interval_timer_read};
	return true;
}

/* ----------------------------------------------------------------------------------- the time of day -- */

#define PORT_DAY_SELECT  0x70
#define PORT_DAY_VALUE   0x71
#define DAY_SECONDS      0
#define DAY_SECONDS_LAST 0x59 /* decimal digits, as the clock usually keeps them */

/* Only its changes count, so the format of its numbers does not matter. */
static uint64_t day_read(void)
{
	port_write_8(PORT_DAY_SELECT, DAY_SECONDS);
	return port_read_8(PORT_DAY_VALUE);
}

static bool day_find(struct counter *counter)
{
	*counter = (struct counter){"the real-time clock", 1, UINT8_MAX, day_read};
	return day_read() <= DAY_SECONDS_LAST; /* a port without a device reads all ones */
}

bool counter_find(unsigned number, struct counter *counter)
{
	static bool (*const find[COUNTERS])(struct counter *) = {event_timer_find, power_timer_find,
	                                                         interval_timer_find, day_find};
	return number < COUNTERS && find[number](counter);
}

/* ----------------------------------------------------------------------------------------- measuring -- */

struct counter_mark counter_mark(const struct counter *counter)
{
	struct counter_mark best = {0, 0};
	uint64_t narrowest = UINT64_MAX;
	for (unsigned i = 0; i < MARK_TRIES; i++) {
		uint64_t before = cycles_ordered();
		uint64_t count = counter->read();
		uint64_t width = cycles_ordered() - before;
		if (width < narrowest) {
			narrowest = width;
			best = (struct counter_mark){before + width / 2, count};
		}
	}
	return best;
}

bool counter_wait(const struct counter *counter, struct counter_mark start, uint64_t ticks,
                  struct counter_mark *end)
{
	struct counter_mark last = start;
	while (((last.count - start.count) & counter->mask) < ticks) {
		uint64_t count = counter->read(), now = arch_cycles();
		if (count != last.count)
			last = (struct counter_mark){now, count};
		if (now - last.cycles > TICK_CYCLES_MAXIMUM || now - start.cycles > WAIT_CYCLES_MAXIMUM)
			return false;
	}
	*end = counter_mark(counter);
	return true;
}

bool counter_change(const struct counter *counter, struct counter_mark *mark)
{
	uint64_t first = counter->read(), start = arch_cycles();
	do {
		mark->cycles = cycles_ordered();
		mark->count = counter->read();
		if (mark->cycles - start > CHANGE_CYCLES_MAXIMUM)
			return false;
	} while (mark->count == first);
	return true;
}
