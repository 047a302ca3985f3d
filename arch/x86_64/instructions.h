/*
 * Instructions that C has no words for, one function each. Only for arch/x86_64/.
 */
#ifndef ARCH_X86_64_INSTRUCTIONS_H
#define ARCH_X86_64_INSTRUCTIONS_H

#include <stdint.h>

struct cpuid_result {
	uint32_t eax, ebx, ecx, edx;
};

/* The caller has checked that the leaf exists: see cpuid_maximum(). */
static inline struct cpuid_result cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_result result;
	__asm__ volatile("cpuid"
	                 : "=a"(result.eax), "=b"(result.ebx), "=c"(result.ecx), "=d"(result.edx)
	                 : "a"(leaf), "c"(subleaf));
	return result;
}

/* The highest leaf of a family of leaves: 0 for the basic ones, 0x80000000 for the extended ones. */
static inline uint32_t cpuid_maximum(uint32_t family)
{
	return cpuid(family, 0).eax;
}

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

/* The address whose access raised the last page fault. */
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

/* Which register sets are switched on (XCR0). */
static inline void extended_control_write(uint64_t value)
{
	__asm__ volatile("xsetbv" : : "c"(0), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)) : "memory");
}

/* The time-stamp counter, read after all loads before it and before all loads after it. */
static inline uint64_t cycles_ordered(void)
{
	uint32_t low, high;
	__asm__ volatile("lfence; rdtsc; lfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* All writes before it are seen by others before any instruction after it starts, writes to registers
 * included. */
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
