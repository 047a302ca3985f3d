/*
 * The checks that benchmarks apply to themselves.
 */
#include "user/bench/histogram.h"
#include "user/bench/map.h"
#include "user/bench/sieve.h"
#include "user/bench/witness.h"
#include "user/test/test.h"

#include "heddle/system.h"

TEST(histogram, quantiles_are_near)
{
	struct histogram *histogram = heddle_allocate(sizeof(*histogram));
	CHECK(histogram);
	*histogram = (struct histogram){0};
	CHECK_EQUAL(histogram_quantile(histogram, 1, 2), 0);
	for (uint64_t number = 1; number <= 10000; number++)
		histogram_add(histogram, number);
	for (uint64_t part = 1; part <= 100; part++) {
		uint64_t quantile = histogram_quantile(histogram, part, 100);
		CHECK(quantile >= 100 * part);
		CHECK(quantile <= 100 * part + 100 * part / HISTOGRAM_FRACTION);
	}
	CHECK_EQUAL(histogram->largest, 10000);
	CHECK_EQUAL(histogram_quantile(histogram, 1, 1), 10000);
	heddle_free(histogram, sizeof(*histogram));
}

TEST(histogram, takes_any_number)
{
	struct histogram *histogram = heddle_allocate(sizeof(*histogram));
	CHECK(histogram);
	*histogram = (struct histogram){0};
	for (unsigned bit = 0; bit < 64; bit++)
		histogram_add(histogram, UINT64_C(1) << bit);
	histogram_add(histogram, 0);
	histogram_add(histogram, UINT64_MAX);
	CHECK_EQUAL(histogram_quantile(histogram, 1, 66), 0);
	CHECK_EQUAL(histogram_quantile(histogram, 2, 66), 1);
	CHECK_EQUAL(histogram_quantile(histogram, 1, 1), UINT64_MAX);
	heddle_free(histogram, sizeof(*histogram));
}

TEST(sieve, finds_the_largest_primes)
{
	static const uint32_t expected[] = {97, 89, 83, 79, 73};
	struct primes primes;
	CHECK(primes_create(&primes, 100, 5));
	CHECK_EQUAL(primes.count, 5);
	for (unsigned i = 0; i < 5; i++)
		CHECK_EQUAL(primes.numbers[i], expected[i]);
	primes_destroy(&primes);
	CHECK(primes_create(&primes, 100, 1000));
	CHECK_EQUAL(primes.count, 25);
	CHECK_EQUAL(primes.numbers[24], 2);
	primes_destroy(&primes);
}

TEST(sieve, counts_factors)
{
	CHECK_EQUAL(factors_count(1), 0);
	CHECK_EQUAL(factors_count(2), 1);
	CHECK_EQUAL(factors_count(9), 2);
	CHECK_EQUAL(factors_count(97), 1);
	CHECK_EQUAL(factors_count(1 << 20), 20);
	CHECK_EQUAL(factors_count(2 * 2 * 3 * 7 * 101 * 101), 6);
	CHECK_EQUAL(factors_count(4294967291u), 1);
}

TEST(map, has_what_was_inserted)
{
	struct map map;
	CHECK(map_create(&map, 100));
	for (uint64_t key = 1; key <= 100; key++)
		map_insert(&map, key, key);
	map_insert(&map, 7, 7);
	CHECK(map_has(&map, 101, 5057));
	CHECK(!map_has(&map, 100, 5057));
	CHECK(!map_has(&map, 101, 5058));
	CHECK(map_find(&map, 7) && map_find(&map, 7)->inserts == 2);
	CHECK(!map_find(&map, 101));
	map_insert(&map, 7, 8);
	CHECK(!map_has(&map, 102, 5064));
	map_destroy(&map);
}

TEST(witness, complains_of_company)
{
	struct witness witness = {0};
	for (unsigned i = 0; i < 3; i++)
		witness_leave(&witness, witness_enter(&witness));
	witness_look_again(&witness, witness_look(&witness));
	CHECK(witness_is_content(&witness, 3));
	CHECK(!witness_is_content(&witness, 4)); /* one was lost */

	uint64_t first = witness_enter(&witness), second = witness_enter(&witness);
	witness_leave(&witness, second);
	witness_leave(&witness, first);
	CHECK(!witness_is_content(&witness, 5));

	witness = (struct witness){0};
	uint64_t looked = witness_look(&witness);
	witness_leave(&witness, witness_enter(&witness));
	witness_look_again(&witness, looked);
	CHECK(!witness_is_content(&witness, 1));
}
