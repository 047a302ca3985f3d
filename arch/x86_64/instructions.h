/*
 * Instructions that C cannot express, one function each. Only for arch/.
 */
#ifndef ARCH_X86_64_INSTRUCTIONS_H
#define ARCH_X86_64_INSTRUCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/x86_64/decode/identity.h"

static inline struct cpuid_result cpuid_unchecked(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_result result;
	__asm__ volatile("cpuid"
	                 : "=a"(result.eax), "=b"(result.ebx), "=c"(result.ecx), "=d"(result.edx)
	                 : "a"(leaf), "c"(subleaf));
	return result;
}

/* What the running processor says of itself; all zeros for a leaf that does not exist, for which some processors
 * return another leaf's contents. */
static inline struct cpuid_result cpuid(uint32_t leaf, uint32_t subleaf)
{
	uint32_t family = leaf & IDENTITY_FAMILY;
	bool there = family != IDENTITY_HYPERVISOR || (cpuid_unchecked(1, 0).ecx & CPUID_1_ECX_HYPERVISOR);
	uint32_t last = there ? cpuid_unchecked(family, 0).eax : 0;
	/* A processor without this family may return anything for its first leaf. */
	if ((last & IDENTITY_FAMILY) != family || leaf > last)
		return (struct cpuid_result){0, 0, 0, 0};
	return cpuid_unchecked(leaf, subleaf);
}

static inline struct cpuid_result cpuid_of_this(const void *owner, uint32_t leaf, uint32_t subleaf)
{
	(void)owner;
	return cpuid(leaf, subleaf);
}

#define CPUID_OF_THIS ((struct identity){cpuid_of_this, 0}) /* the running processor */

static inline uint64_t msr_read(uint32_t number)
{
	uint32_t low, high;
	__asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(number) : "memory");
	return (uint64_t)high << 32 | low;
}

static inline void msr_write(uint32_t number, uint64_t value)
{
	__asm__ volatile("wrmsr" : : "c"(number), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)) : "memory");
}

static inline uint8_t port_read_8(uint16_t port)
{
	uint8_t value;
	__asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port) : "memory");
	return value;
}

static inline void port_write_8(uint16_t port, uint8_t value)
{
	__asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline uint16_t port_read_16(uint16_t port)
{
	uint16_t value;
	__asm__ volatile("inw %1, %0" : "=a"(value) : "Nd"(port) : "memory");
	return value;
}

static inline void port_write_16(uint16_t port, uint16_t value)
{
	__asm__ volatile("outw %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline uint32_t port_read_32(uint16_t port)
{
	uint32_t value;
	__asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port) : "memory");
	return value;
}

static inline void port_write_32(uint16_t port, uint32_t value)
{
	__asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

#define CR0_MONITOR_COPROCESSOR (1ull << 1)
#define CR0_EMULATION           (1ull << 2)
#define CR0_TASK_SWITCHED       (1ull << 3)
#define CR0_NUMERIC_ERROR       (1ull << 5)
#define CR0_WRITE_PROTECT       (1ull << 16)
#define CR0_NOT_WRITE_THROUGH   (1ull << 29)
#define CR0_CACHE_DISABLE       (1ull << 30)

static inline uint64_t control_read_0(void)
{
	uint64_t value;
	__asm__ volatile("movq %%cr0, %0" : "=r"(value) : : "memory");
	return value;
}

static inline void control_write_0(uint64_t value)
{
	__asm__ volatile("movq %0, %%cr0" : : "r"(value) : "memory");
}

/* The address of the access that raised the last page fault. */
static inline uint64_t control_read_2(void)
{
	uint64_t value;
	__asm__ volatile("movq %%cr2, %0" : "=r"(value) : : "memory");
	return value;
}

static inline uint64_t control_read_3(void)
{
	uint64_t value;
	__asm__ volatile("movq %%cr3, %0" : "=r"(value) : : "memory");
	return value;
}

static inline void control_write_3(uint64_t value)
{
	__asm__ volatile("movq %0, %%cr3" : : "r"(value) : "memory");
}

static inline uint64_t control_read_4(void)
{
	uint64_t value;
	__asm__ volatile("movq %%cr4, %0" : "=r"(value) : : "memory");
	return value;
}

static inline void control_write_4(uint64_t value)
{
	__asm__ volatile("movq %0, %%cr4" : : "r"(value) : "memory");
}

/* Write back what only the caches hold, and empty them. */
static inline void caches_empty(void)
{
	__asm__ volatile("wbinvd" : : : "memory");
}

/* Write a cache line back and drop it. Only if CPUID reports the instruction. */
static inline void cache_line_flush(const void *address)
{
	__asm__ volatile("clflush (%0)" : : "r"(address) : "memory");
}

/* The time-stamp counter, read after all loads before it and before all loads after it. */
static inline uint64_t cycles_ordered(void)
{
	uint32_t low, high;
	__asm__ volatile("lfence; rdtsc; lfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* Others see all writes before it, writes to registers included, before any instruction after it starts. */
static inline void memory_fence(void)
{
	__asm__ volatile("mfence; lfence" : : : "memory");
}

static inline void interrupts_disable(void)
{
	__asm__ volatile("cli" : : : "memory");
}

static inline void processor_halt(void)
{
	__asm__ volatile("hlt" : : : "memory");
}

#endif
