/* C++: generators as ranges. */
#include "heddle/generator.hpp"

#include "heddle/task.h"
#include "user/test/test.h"

using namespace heddle;

namespace
{

using numbers = heddle::generator<int>;
using number_yielder = heddle::yielder<int>;

auto count_up(int last)
{
	return [last](number_yielder yield) {
		for (int i = 1; i <= last; i++)
			yield(i);
	};
}

int sum_of(numbers &&range)
{
	int sum = 0;
	for (int number : range)
		sum += number;
	return sum;
}

struct tree {
	int value;
	tree *left, *right;
};

void walk(heddle::yielder<const tree *> yield, const tree *node)
{
	if (!node)
		return;
	walk(yield, node->left);
	yield(node);
	walk(yield, node->right);
}

struct large {
	int first, second[20];
};

/* Counts the living objects. */
struct counted {
	explicit counted(int &count) : count(&count)
	{
		++*this->count;
	}
	counted(const counted &other) : count(other.count)
	{
		++*count;
	}
	~counted()
	{
		--*count;
	}
	int *count;
};

} // namespace

TEST(generator_range, of_both_kinds)
{
	heddle::generator_stack<> stack;
	CHECK_EQUAL(sum_of(numbers(stack, count_up(100))), 5050);
	CHECK_EQUAL(sum_of(numbers(count_up(100))), 5050);
	CHECK_EQUAL(sum_of(numbers(count_up(100), HEDDLE_TASK_STACK_MINIMUM)), 5050);
	CHECK_EQUAL(sum_of(numbers(stack, count_up(0))), 0);
}

TEST(generator_range, knows_what_surrounds_it)
{
	heddle::generator_stack<> stack;
	int begun = 0, seen = 0;
	heddle::generator<double> halves(stack, [&](auto yield) {
		begun++;
		for (int i = 0; i < 4; i++)
			yield(i / 2.0);
		seen = 100;
	});
	CHECK_EQUAL(begun, 0);
	for (double half : halves) {
		CHECK_EQUAL(half * 2, seen);
		seen++;
	}
	CHECK_EQUAL(begun, 1);
	CHECK_EQUAL(seen, 100);
}

TEST(generator_range, walks_a_tree)
{
	tree leaves[] = {{1, nullptr, nullptr}, {3, nullptr, nullptr}, {5, nullptr, nullptr}};
	tree inner = {2, &leaves[0], &leaves[1]}, root = {4, &inner, &leaves[2]};
	heddle::generator_stack<> stack;
	heddle::generator<const tree *> nodes(stack, [&root](auto yield) { walk(yield, &root); });
	int expected = 1;
	for (const tree *node : nodes)
		CHECK_EQUAL(node->value, expected++);
	CHECK_EQUAL(expected, 6);
}

TEST(generator_range, hands_out_references_to_what_is_large)
{
	large value = {};
	heddle::generator<large> values([&value](auto yield) {
		for (; value.first < 3; value.first++)
			yield(value);
	});
	int expected = 0;
	for (const large &given : values) {
		CHECK(&given == &value);
		CHECK_EQUAL(given.first, expected++);
	}
	CHECK_EQUAL(expected, 3);
}

TEST(generator_range, may_be_left_early)
{
	heddle::generator_stack<> stack;
	for (int round = 0; round < 1000; round++) {
		int last = 0;
		for (int number : numbers(stack, count_up(1000000)))
			if ((last = number) == 5)
				break;
		CHECK_EQUAL(last, 5);
	}
}

TEST(generator_range, function_ends_with_it)
{
	int count = 0;
	{
		heddle::generator_stack<> stack;
		counted first(count);
		auto function = [first](number_yielder yield) { yield(*first.count); };
		numbers ended(function), begun(stack, function), not_begun(function);
		CHECK_EQUAL(count, 5);
		CHECK(ended.next());
		CHECK_EQUAL(ended.value(), 5);
		CHECK(!ended.next());
		CHECK(begun.next());
	}
	CHECK_EQUAL(count, 0);
}

TEST(generator_range, moves)
{
	int count = 0;
	{
		counted first(count);
		numbers from([first](number_yielder yield) {
			yield(1);
			yield(2);
		});
		CHECK(from.next());
		numbers to(heddle::meta::move(from));
		CHECK(!from);
		CHECK(to.next());
		CHECK_EQUAL(to.value(), 2);
		CHECK(!to.next());
		CHECK_EQUAL(sum_of(heddle::meta::move(from)), 0);
	}
	CHECK_EQUAL(count, 0);
}

TEST(generator_range, that_was_not_made_is_empty)
{
	numbers none(count_up(3), HEDDLE_TASK_STACK_MAXIMUM + 1);
	CHECK(!none);
	CHECK_EQUAL(none.error(), HEDDLE_BAD_ARGUMENT);
	CHECK(!none.next());
	for (int number : none)
		CHECK_EQUAL(number, 0);
}

TEST(generator_range, of_ranges)
{
	heddle::generator_stack<> inner_stack, outer_stack;
	numbers inner(inner_stack, count_up(10));
	heddle::generator<int> even(outer_stack, [&inner](auto yield) {
		for (int number : inner)
			if (number % 2 == 0)
				yield(number);
	});
	int sum = 0;
	for (int number : even) {
		task_yield();
		sum += number;
	}
	CHECK_EQUAL(sum, 30);
}
