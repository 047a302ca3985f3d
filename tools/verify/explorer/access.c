/*
 * The functions that the code under test calls. The compiler inserts a call for each atomic operation, and before
 * each other access to memory, as for ThreadSanitizer (-fsanitize=thread); this file replaces its run-time library.
 * So the code under test is compiled unchanged.
 */
#include "machine_internal.h"

#include <stdatomic.h>
#include <string.h>

#define WHERE ((uint64_t)(uintptr_t)__builtin_return_address(0))

static void check_address(uint64_t address, size_t size, bool writes)
{
	if (running && !machine_is_there(address, size))
		explore_fail("access to address %#lx", (unsigned long)address);
	if (running && machine_is_free(address, size))
		explore_fail("access to %s, which was given back", explore_place_of(address));
	if (running && machine_is_left(address))
		explore_fail("access to a stack, where the function has returned that had the variable");
	if (writes && running && !machine_is_explored(address, size) && !machine_is_stack(address, size))
		explore_fail("write to %#lx, which is not a variable of the case", (unsigned long)address);
}

/* ---- atomic operations ---- */

/* The write that the compiler has announced last. It announces the write of a copy, then the read, then does both. */
static struct {
	uint64_t address;
	size_t size;
} announced;

/* Others may have gone on since the address was checked. */
static uint64_t carried_out(const struct request *request)
{
	uint64_t result = machine_request(request);
	announced.size = 0;
	check_address(request->address, request->size, request->kind == REQUEST_LOCKED);
	return result;
}

static uint64_t load(uint64_t address, unsigned size, uint64_t where)
{
	uint64_t value;
	if (machine_is_ignored(address, size))
		return 0;
	check_address(address, size, false);
	if (!running)
		return memory_read(address, size);
	if (machine_buffered(address, size, &value))
		return value;
	struct request request = {
	    .kind = REQUEST_LOAD, .size = (uint32_t)size, .address = address, .where = where};
	if (!machine_is_private(address))
		return carried_out(&request);
	value = memory_read(address, size);
	print_request(explore_processor(), &request, value);
	return value;
}

static uint64_t locked(enum locked_kind kind, uint64_t address, unsigned size, uint64_t operand,
                       uint64_t expected, uint64_t where)
{
	struct request request = {.kind = REQUEST_LOCKED,
	                          .locked = kind,
	                          .size = (uint32_t)size,
	                          .address = address,
	                          .operand = operand,
	                          .expected = expected,
	                          .where = where};
	if (machine_is_ignored(address, size))
		return 0;
	check_address(address, size, true);
	if (!running)
		return memory_locked(&request);
	if (!machine_is_private(address) || running->buffered > 0)
		return carried_out(&request);
	uint64_t before = memory_locked(&request);
	print_request(explore_processor(), &request, before);
	return before;
}

static bool stores_are_steps;

void explore_stores_are_steps(void)
{
	stores_are_steps = true;
}

static void store(uint64_t address, unsigned size, uint64_t value, int order, uint64_t where)
{
	if (machine_is_ignored(address, size))
		return;
	check_address(address, size, true);
	if (!running) {
		memory_write(address, size, value);
	} else if (order == memory_order_seq_cst) {
		locked(LOCKED_EXCHANGE, address, size, value, 0, where);
	} else {
		if (running->buffered == MACHINE_BUFFER || (stores_are_steps && !machine_is_private(address)))
			machine_request(&(struct request){.kind = REQUEST_STORE, .where = where});
		machine_buffer(address, size, value, where);
	}
}

#define LOCKED(type, bits, name, kind)                                                  \
	type __tsan_atomic##bits##_##name(volatile type *address, type operand, int order); \
	type __tsan_atomic##bits##_##name(volatile type *address, type operand, int order)  \
	{                                                                                   \
		(void)order;                                                                    \
		return (type)locked(kind, (uintptr_t)address, sizeof(type), operand, 0, WHERE); \
	}

#define COMPARE(type, bits, name)                                                                           \
	int __tsan_atomic##bits##_compare_exchange_##name(volatile type *address, type *expected, type operand, \
	                                                  int success, int failure);                            \
	int __tsan_atomic##bits##_compare_exchange_##name(volatile type *address, type *expected, type operand, \
	                                                  int success, int failure)                             \
	{                                                                                                       \
		(void)success, (void)failure;                                                                       \
		type wanted = *expected;                                                                            \
		*expected = (type)locked(LOCKED_COMPARE, (uintptr_t)address, sizeof(type), operand, wanted, WHERE); \
		memory_written(expected, sizeof *expected);                                                         \
		return *expected == wanted;                                                                         \
	}

#define ATOMIC(type, bits)                                                           \
	type __tsan_atomic##bits##_load(const volatile type *address, int order);        \
	type __tsan_atomic##bits##_load(const volatile type *address, int order)         \
	{                                                                                \
		(void)order;                                                                 \
		return (type)load((uintptr_t)address, sizeof(type), WHERE);                  \
	}                                                                                \
	void __tsan_atomic##bits##_store(volatile type *address, type value, int order); \
	void __tsan_atomic##bits##_store(volatile type *address, type value, int order)  \
	{                                                                                \
		store((uintptr_t)address, sizeof(type), value, order, WHERE);                \
	}                                                                                \
	LOCKED(type, bits, exchange, LOCKED_EXCHANGE)                                    \
	LOCKED(type, bits, fetch_add, LOCKED_ADD)                                        \
	LOCKED(type, bits, fetch_sub, LOCKED_SUBTRACT)                                   \
	LOCKED(type, bits, fetch_and, LOCKED_AND)                                        \
	LOCKED(type, bits, fetch_or, LOCKED_OR)                                          \
	LOCKED(type, bits, fetch_xor, LOCKED_XOR)                                        \
	COMPARE(type, bits, strong)                                                      \
	COMPARE(type, bits, weak) /* fails only as on x86: if the value differs */

ATOMIC(uint8_t, 8)
ATOMIC(uint16_t, 16)
ATOMIC(uint32_t, 32)
ATOMIC(uint64_t, 64)

/* Orders what the compiler does; nothing to do here. */
void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
	(void)order;
}

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
	if (running && order == memory_order_seq_cst)
		machine_request(&(struct request){.kind = REQUEST_FENCE, .where = WHERE});
}

/* ---- other accesses ---- */

static void plain_request(uint64_t address, size_t size, bool writes, uint64_t where)
{
	uint64_t to = announced.address;
	size_t to_size = announced.size;
	machine_request(&(struct request){.kind = writes ? REQUEST_WRITE : REQUEST_READ,
	                                  .size = (uint32_t)size,
	                                  .address = address,
	                                  .where = where});
	memory_written((void *)to, to_size);
}

static void plain(uint64_t address, size_t size, bool writes, uint64_t where)
{
	uint64_t value;
	if (!running || size == 0)
		return;
	check_address(address, size, writes);
	if (machine_is_watched(address, size) && !machine_is_private(address))
		plain_request(address, size, writes, where);
	if (size <= 8 && machine_buffered(address, (unsigned)size, &value))
		explore_fail("a plain access to an atomic variable that is in the store buffer still");
	announced.address = writes ? address : 0;
	announced.size = writes ? size : 0;
	if (writes)
		memory_written((void *)address, size); /* behind the step: the write itself comes now */
}

#define PLAIN(name, size)                              \
	void __tsan_read##name(void *address);             \
	void __tsan_read##name(void *address)              \
	{                                                  \
		plain((uintptr_t)address, size, false, WHERE); \
	}                                                  \
	void __tsan_write##name(void *address);            \
	void __tsan_write##name(void *address)             \
	{                                                  \
		plain((uintptr_t)address, size, true, WHERE);  \
	}                                                  \
	void __tsan_unaligned_read##name(void *address);   \
	void __tsan_unaligned_read##name(void *address)    \
	{                                                  \
		plain((uintptr_t)address, size, false, WHERE); \
	}                                                  \
	void __tsan_unaligned_write##name(void *address);  \
	void __tsan_unaligned_write##name(void *address)   \
	{                                                  \
		plain((uintptr_t)address, size, true, WHERE);  \
	}                                                  \
	void __tsan_volatile_read##name(void *address);    \
	void __tsan_volatile_read##name(void *address)     \
	{                                                  \
		plain((uintptr_t)address, size, false, WHERE); \
	}

PLAIN(1, 1)
PLAIN(2, 2)
PLAIN(4, 4)
PLAIN(8, 8)
PLAIN(16, 16)

void __tsan_read_range(void *address, size_t size);
void __tsan_read_range(void *address, size_t size)
{
	plain((uintptr_t)address, size, false, WHERE);
}

void __tsan_write_range(void *address, size_t size);
void __tsan_write_range(void *address, size_t size)
{
	plain((uintptr_t)address, size, true, WHERE);
}

/* What the code under test calls in place of the functions of the library, in which no access is seen. */
static void *copy(void *to, const void *from, size_t size, uint64_t where)
{
	plain((uintptr_t)from, size, false, where);
	plain((uintptr_t)to, size, true, where);
	return memmove(to, from, size);
}

void *seen_memcpy(void *to, const void *from, size_t size);
void *seen_memcpy(void *to, const void *from, size_t size)
{
	return copy(to, from, size, WHERE);
}

void *seen_memmove(void *to, const void *from, size_t size);
void *seen_memmove(void *to, const void *from, size_t size)
{
	return copy(to, from, size, WHERE);
}

void *seen_memset(void *to, int byte, size_t size);
void *seen_memset(void *to, int byte, size_t size)
{
	plain((uintptr_t)to, size, true, WHERE);
	return memset(to, byte, size);
}

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
	(void)caller;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

/* ---- what a case's programs call ---- */

void explore_pause(void)
{
	if (running)
		machine_request(&(struct request){.kind = REQUEST_PAUSE, .where = WHERE});
}

void explore_wait(bool (*ready)(void *), void *argument)
{
	machine_request(
	    &(struct request){.kind = REQUEST_WAIT, .ready = ready, .argument = argument, .where = WHERE});
}
