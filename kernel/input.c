#include "kernel/input.h"

#include <stdatomic.h>
#include <stdint.h>

#include "arch/arch.h"

#define SIZE       1024 /* a power of two */
#define REPORT_KEY 0x1c /* control and \ */

static unsigned char bytes[SIZE];
static _Atomic uint32_t came, taken; /* bytes so far; `came` is written by the poller, `taken` by the taker */
static atomic_bool polling, ended;

static void put(unsigned char byte)
{
	uint32_t at = atomic_load_explicit(&came, memory_order_relaxed);
	/* acquire: the byte in the slot was read; pairs with the store in input_take. */
	if (at - atomic_load_explicit(&taken, memory_order_acquire) == SIZE)
		return;
	bytes[at % SIZE] = byte;
	/* release: the byte; pairs with the load in input_take. */
	atomic_store_explicit(&came, at + 1, memory_order_release);
}

bool input_poll(void)
{
	bool asked = false;
	/* false -> true; acquire: sees what the last poller has put; pairs with the store below. */
	if (atomic_exchange_explicit(&polling, true, memory_order_acquire))
		return false;
	for (unsigned i = 0; i < SIZE; i++) {
		int byte = arch_input_read();
		if (byte == ARCH_INPUT_END)
			atomic_store_explicit(&ended, true, memory_order_relaxed);
		if (byte < 0)
			break;
		if (byte == REPORT_KEY)
			asked = true;
		else
			put((unsigned char)byte);
	}
	/* true -> false; release: pairs with the exchange above. */
	atomic_store_explicit(&polling, false, memory_order_release);
	return asked;
}

int input_take(void)
{
	uint32_t at = atomic_load_explicit(&taken, memory_order_relaxed);
	bool is_over = atomic_load_explicit(&ended, memory_order_relaxed);
	/* acquire: the byte; pairs with put. */
	if (atomic_load_explicit(&came, memory_order_acquire) == at)
		return is_over ? ARCH_INPUT_END : ARCH_INPUT_NONE;
	int byte = bytes[at % SIZE];
	/* release: it was read; pairs with put. */
	atomic_store_explicit(&taken, at + 1, memory_order_release);
	return byte;
}
