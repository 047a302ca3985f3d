// C++: exceptions through frames with checks, destructors, virtual calls, closures, templates.
#include "driver.h"

namespace
{

// Counts what is made and destroyed, in order.
class Tracked
{
  public:
	Tracked(uint64_t *log, uint64_t name) : log(log), name(name)
	{
		*log = mix(*log, name);
	}
	Tracked(const Tracked &other) : log(other.log), name(other.name + 1)
	{
		*log = mix(*log, name + 1000);
	}
	Tracked &operator=(const Tracked &) = delete;
	~Tracked()
	{
		*log = mix(*log, ~name);
	}

  private:
	uint64_t *log, name;
};

struct Failure {
	uint64_t value;
};

NOINLINE uint64_t fail_at_depth(uint64_t depth, uint64_t *log)
{
	Tracked tracked(log, depth);
	for (uint64_t i = 0; i < hidden(3); i++)
		*log = mix(*log, i);
	if (depth == 0)
		throw Failure{*log};
	return fail_at_depth(depth - 1, log) + 1;
}

NOINLINE uint64_t pass_on(uint64_t depth, uint64_t *log)
{
	try {
		return fail_at_depth(depth, log);
	} catch (const Failure &failure) {
		for (uint64_t i = 0; i < hidden(5); i++)
			*log = mix(*log, failure.value);
		if (depth % 2)
			throw;
		throw static_cast<uint64_t>(failure.value ^ depth);
	}
}

} // namespace

TEST(object_exceptions)
{
	uint64_t log = seed, sum = 0;
	for (uint64_t i = 0; i < 12; i++)
		try {
			Tracked tracked(&log, i);
			sum += pass_on(i + seed, &log);
		} catch (const Failure &failure) {
			sum = mix(sum, failure.value);
		} catch (uint64_t value) {
			sum = mix(sum, value + 1);
		}
	return sum ^ log;
}

// An exception thrown and caught while another one is handled.
TEST(object_exceptions_nested)
{
	uint64_t log = seed, sum = 0;
	for (uint64_t i = 0; i < hidden(8); i++)
		try {
			fail_at_depth(i, &log);
		} catch (const Failure &outer) {
			try {
				fail_at_depth(3, &log);
			} catch (...) {
				sum = mix(sum, log);
			}
			sum = mix(sum, outer.value);
		}
	return sum;
}

TEST(object_destructors)
{
	uint64_t log = seed;
	for (uint64_t i = 0; i < hidden(30); i++) {
		Tracked a(&log, i), b(a);
		if (i % 3 == 0)
			continue;
		Tracked c(b);
		if (log % 31 == 4)
			break;
	}
	return log;
}

namespace
{

class Shape
{
  public:
	virtual ~Shape() = default;
	virtual uint64_t area(uint64_t scale) const = 0;
};

class Square final : public Shape
{
  public:
	explicit Square(uint64_t side) : side(side)
	{
	}
	uint64_t area(uint64_t scale) const override
	{
		return side * side * scale;
	}

  private:
	uint64_t side;
};

class Stack final : public Shape
{
  public:
	Stack(const Shape *below, uint64_t height) : below(below), height(height)
	{
	}
	uint64_t area(uint64_t scale) const override
	{
		uint64_t sum = 0;
		for (uint64_t i = 0; i < height; i++)
			sum = mix(sum, below->area(scale + i));
		return sum;
	}

  private:
	const Shape *below;
	uint64_t height;
};

} // namespace

TEST(object_virtual_calls)
{
	Square square(seed + 2);
	Stack low(&square, 5), middle(&low, 4), high(&middle, 6);
	const Shape *shapes[] = {&square, &low, &middle, &high};
	uint64_t sum = 0;
	for (const Shape *shape : shapes)
		sum = mix(sum, shape->area(sum % 7));
	return sum;
}

namespace
{

template <typename Function> NOINLINE uint64_t repeat(uint64_t count, Function function)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < count; i++)
		sum = mix(sum, function(i));
	return sum;
}

template <unsigned N> NOINLINE uint64_t template_depth(uint64_t value)
{
	if constexpr (N == 0)
		return value;
	else
		return mix(template_depth<N - 1>(value + N), N);
}

} // namespace

TEST(object_closures)
{
	uint64_t total = seed;
	auto add = [&total](uint64_t value) { return total += value * 3; };
	auto nested = [&](uint64_t count) { return repeat(count % 5, add) ^ total; };
	return repeat(hidden(30), nested) + template_depth<30>(seed);
}

// Members by pointer, and a thunk that adjusts `this`.
namespace
{

struct Left {
	virtual ~Left() = default;
	virtual uint64_t left(uint64_t value)
	{
		return value + 1;
	}
};

struct Right {
	virtual ~Right() = default;
	virtual uint64_t right(uint64_t value)
	{
		return value + 2;
	}
	uint64_t weight = 5;
};

struct Both : Left, Right {
	uint64_t left(uint64_t value) override
	{
		return mix(value, weight);
	}
	uint64_t right(uint64_t value) override
	{
		for (uint64_t i = 0; i < weight; i++)
			value = mix(value, i);
		return value;
	}
};

NOINLINE uint64_t call(Right *object, uint64_t (Right::*member)(uint64_t), uint64_t value)
{
	return (object->*member)(value);
}

} // namespace

TEST(object_member_pointers)
{
	Both both;
	Right plain;
	uint64_t sum = seed;
	for (uint64_t i = 0; i < hidden(40); i++) {
		sum = call(i % 3 ? static_cast<Right *>(&both) : &plain, &Right::right, sum);
		sum = static_cast<Left &>(both).left(sum);
	}
	return sum;
}

// An exception out of a constructor, an array of objects, and one in a function that lets none out.
namespace
{

class Fragile
{
  public:
	Fragile(uint64_t *log, uint64_t name) : first(log, name), second(log, name + 50)
	{
		if (mix(*log, name) % 5 == 0)
			throw Failure{name};
	}

  private:
	Tracked first, second;
};

NOINLINE uint64_t contained(uint64_t *log, uint64_t name) noexcept
{
	try {
		Fragile array[3] = {{log, name}, {log, name + 1}, {log, name + 2}};
		(void)array;
		return *log;
	} catch (Failure &failure) {
		return failure.value;
	}
}

} // namespace

TEST(object_constructors)
{
	uint64_t log = seed, sum = 0;
	for (uint64_t i = 0; i < hidden(25); i++)
		sum = mix(sum, contained(&log, i));
	return sum ^ log;
}

// Long code that only an exception runs, in each frame that it passes.
namespace
{

struct Unwound {
	uint64_t &sum, name;

	__attribute__((always_inline)) ~Unwound()
	{
#define STEP  sum = sum * 3 + name, name = (name ^ sum) + 7;
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP
		STEPS STEPS
	}
};

NOINLINE void fail_deeper(uint64_t depth, uint64_t &sum)
{
	if (depth == 0)
		throw Failure{sum};
	Unwound unwound{sum, depth};
	fail_deeper(depth - 1, sum);
	sum++;
}

} // namespace

TEST(object_unwound_frames)
{
	uint64_t sum = seed;
	try {
		fail_deeper(30, sum);
	} catch (const Failure &failure) {
		sum = mix(sum, failure.value);
	}
	return sum;
}
