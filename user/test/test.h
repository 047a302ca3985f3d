/*
 * Tests are tasks. A test registers itself and is run by `run=test` (all) or `run=test,only=N`; the report is KTAP.
 *
 *     TEST(queue, keeps_order)
 *     {
 *         ...
 *         CHECK(queue_is_empty(&queue));
 *         CHECK_EQUAL(got, expected);
 *     }
 *
 * A failed check is printed with its place, and ends the test (the test function returns).
 */
#ifndef USER_TEST_TEST_H
#define USER_TEST_TEST_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle/scope.h"

HEDDLE_GLOBAL_BEGIN

struct test_state;

struct test {
	const char *suite, *name;
	void (*run)(struct test_state *test);
};

#define TEST(suite_name, test_name)                                                                      \
	static void test_##suite_name##_##test_name(struct test_state *test);                                \
	static const struct test test_record_##suite_name##_##test_name = {#suite_name, #test_name,          \
	                                                                   test_##suite_name##_##test_name}; \
	static const struct test *const test_entry_##suite_name##_##test_name                                \
	    __attribute__((used, section("heddle_tests"))) = &test_record_##suite_name##_##test_name;        \
	static void test_##suite_name##_##test_name(struct test_state *test)

#define CHECK(condition)                                             \
	do {                                                             \
		if (!(condition)) {                                          \
			test_failed(test, __FILE__, __LINE__, #condition, 0, 0); \
			return;                                                  \
		}                                                            \
	} while (0)

#define CHECK_EQUAL(actual, expected)                                                                      \
	do {                                                                                                   \
		uint64_t actual_value = (uint64_t)(actual), expected_value = (uint64_t)(expected);                 \
		if (actual_value != expected_value) {                                                              \
			test_failed(test, __FILE__, __LINE__, #actual " == " #expected, actual_value, expected_value); \
			return;                                                                                        \
		}                                                                                                  \
	} while (0)

/* Skip the test, with a reason to print ("needs two processors"); then return. */
void test_skip(struct test_state *test, const char *reason);
void test_failed(struct test_state *test, const char *file, int line, const char *what, uint64_t actual,
                 uint64_t expected);

HEDDLE_GLOBAL_END

#endif
