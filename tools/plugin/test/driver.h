/* The form of a test program: functions that compute a number from another one, in a table. */
#ifndef HEDDLE_PLUGIN_TEST_DRIVER_H
#define HEDDLE_PLUGIN_TEST_DRIVER_H

#include <stddef.h>
#include <stdint.h>

struct test {
	const char *name;
	uint64_t (*run)(uint64_t seed);
	unsigned kind;
};

/* An opaque test runs what has no checks: loops in assembly, repeated string instructions, uncooperative
 * functions. */
#define TEST_PLAIN  0
#define TEST_OPAQUE 1

#ifdef __cplusplus
#	define TEST_LINKAGE extern "C"
#else
#	define TEST_LINKAGE
#endif

/*
 * TEST(name) { ... } makes a test of its parameter `seed`. Its result depends on nothing else, no matter how
 * it is compiled. It may be run by several fibers that take turns, so it changes no variable that they share.
 */
#define TEST(name) TEST_OF_KIND(name, TEST_PLAIN)
#define TEST_OF_KIND(name, kind)                                                            \
	TEST_LINKAGE uint64_t test_##name(uint64_t seed);                                       \
	__attribute__((used, section("tests"), aligned(8))) static struct test entry_##name = { \
	    #name, test_##name, kind};                                                          \
	uint64_t test_##name(uint64_t seed)

/* A step of a hash: the order of the values counts. */
__attribute__((always_inline)) static inline uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* A number that the compiler knows nothing of. */
__attribute__((always_inline)) static inline uint64_t hidden(uint64_t value)
{
	__asm__("" : "+r"(value));
	return value;
}

#define NOINLINE __attribute__((noinline, noclone))

#endif
