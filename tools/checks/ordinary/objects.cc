/*
 * Ordinary C++, not written for tasks.
 */
#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cases.h"
#include "outside.h"

#define DEPTH 12

/* ---------------------------------------------------------------------------------------- static objects -- */

struct farewell {
	const char *text;

	~farewell()
	{
		linger(0);
		printf("%s\n", text);
	}
};

static farewell after{"static objects are gone"};
static std::map<std::string, unsigned> seen;
static std::vector<std::string> order;
static struct summary {
	~summary()
	{
		unsigned sum = 0;
		for (const auto &[name, count] : seen)
			sum += count;
		printf("static objects: %zu names, %zu in order, sum %u\n", seen.size(), order.size(), sum);
	}
} before;

static std::mutex mutex;

static bool fills(unsigned number)
{
	const std::string name = "a name that is too long for a short string, " + std::to_string(number % 7);
	std::lock_guard<std::mutex> guard(mutex);
	seen[name]++;
	linger(number);
	order.push_back(name);
	return seen[name] > 0;
}

/* -------------------------------------------------------------------------------------------- exceptions -- */

struct thrown {
	unsigned number;
	std::string text;
	bool *gone;

	~thrown()
	{
		linger(number);
		*gone = true;
	}
};

struct left {
	unsigned number, *count;

	~left()
	{
		linger(number);
		*count += std::uncaught_exceptions() == 1;
	}
};

__attribute__((noipa)) static unsigned descend(unsigned number, unsigned depth, unsigned *count, bool *gone)
{
	left here{number, count};
	if (depth == 0)
		throw thrown{number, "from " + std::to_string(number), gone};
	return descend(number, depth - 1, count, gone) + 1;
}

static bool throws_again(unsigned number)
{
	try {
		linger(number);
		throw;
	} catch (const thrown &again) {
		linger(number);
		return again.number == number;
	}
}

static bool throws_inside(unsigned number)
{
	try {
		linger(number);
		throw std::runtime_error(std::to_string(number));
	} catch (const std::exception &inner) {
		linger(number);
		return inner.what() == std::to_string(number);
	}
}

static bool throws_once(unsigned number)
{
	unsigned count = 0;
	bool right = false, gone = false;
	try {
		descend(number, DEPTH, &count, &gone);
	} catch (const thrown &caught) {
		linger(number);
		right = caught.number == number && throws_inside(number) && throws_again(number) &&
		        caught.text == "from " + std::to_string(number);
	}
	linger(number);
	return right && gone && count == DEPTH + 1 && std::uncaught_exceptions() == 0 &&
	       !std::current_exception();
}

static bool throws(unsigned number)
{
	bool right = true;
	for (unsigned round = 0; round < ROUNDS; round++)
		right &= throws_once(number);
	return right;
}

static bool never;

static int compare_or_throw(const void *left, const void *right)
{
	int one = *(const int *)left, other = *(const int *)right;
	if (one == 7)
		throw thrown{7, "", &never};
	return one - other;
}

/* Through the C library. */
static bool throws_out(unsigned number)
{
	int numbers[] = {3, 1, 7, 2, 5, 4, 9, 8};
	int (*chosen)(const void *, const void *) = compare_or_throw;
	try {
		std::qsort(numbers, 8, sizeof(int), chosen);
	} catch (const thrown &caught) {
		linger(number);
		return caught.number == 7;
	}
	return false;
}

/* ------------------------------------------------------------------------------------------------- locks -- */

static unsigned counted;
static std::recursive_mutex again;
static std::condition_variable changed;
static unsigned turn;

static bool locks(unsigned number)
{
	bool alone = true;
	for (unsigned round = 0; round < ROUNDS; round++) {
		std::lock_guard<std::recursive_mutex> guard(again), inner(again);
		unsigned before = counted;
		linger(number);
		alone &= counted == before;
		counted = before + 1;
	}
	return alone && counted >= ROUNDS;
}

static bool waits(unsigned number)
{
	unsigned mine = TASKS - 1 - number;
	{
		std::unique_lock<std::mutex> lock(mutex);
#ifndef WITHOUT_HEDDLE
		changed.wait(lock, [mine] { return turn == mine; });
#endif
		turn = mine + 1;
		changed.notify_all();
	}
	linger(number);
	return true;
}

static unsigned made, tried;

struct made_once {
	unsigned first;

	explicit made_once(unsigned number) : first(number)
	{
		linger(number);
		made++;
	}
};

static unsigned try_to_make(unsigned number)
{
	linger(number);
	if (tried++ == 0)
		throw std::runtime_error("not yet");
	return 5;
}

static unsigned made_at_last(unsigned number)
{
	static unsigned value = try_to_make(number);
	return value;
}

static bool makes_statics(unsigned number)
{
	static made_once once(number);
	unsigned value = 0;
	for (unsigned attempt = 0; attempt < 2 && value == 0; attempt++)
		try {
			value = made_at_last(number);
		} catch (const std::runtime_error &) {
			linger(number);
		}
	return made == 1 && once.first < TASKS && value == 5 && tried == 2;
}

/* -------------------------------------------------------------------------------------------- call backs -- */

static bool is_greater(unsigned one, unsigned other)
{
	linger(one);
	return one > other;
}

static bool sorts(unsigned number)
{
	std::vector<unsigned> numbers;
	bool (*chosen)(unsigned, unsigned) = is_greater;
	for (unsigned i = 0; i < 40; i++)
		numbers.push_back((i * 17 + number) % 40);
	std::sort(numbers.begin(), numbers.end(), chosen);
	linger(number);
	return numbers.front() == 39 && numbers.back() == 0 && std::is_sorted(numbers.rbegin(), numbers.rend());
}

struct doubles : visitor {
	unsigned number;

	unsigned visit(unsigned of) override
	{
		linger(number);
		return 2 * of;
	}
};

struct buffer : std::streambuf {
	std::string text;
	unsigned number;

	int overflow(int character) override
	{
		linger(number);
		if (character == '!')
			throw character; /* which the library catches */
		text.push_back((char)character);
		return character;
	}
};

static bool is_visited(unsigned number)
{
	doubles doubling;
	buffer own;
	std::ostream stream(&own);
	doubling.number = own.number = number;
	stream << "number " << number << " " << 0.5;
	bool was_good = stream.good();
	stream << '!';
	linger(number);
	return was_good && stream.bad() && outside_visit(doubling, 10) == 90 &&
	       own.text == "number " + std::to_string(number) + " 0.5";
}

static bool converts(unsigned number)
{
	std::ostringstream stream;
	stream << number + 0.25;
	linger(number);
	bool right = std::stod(stream.str()) == number + 0.25 &&
	             std::stoi(std::to_string(number)) == (int)number && std::to_string(0.5) == "0.500000";
	try {
		linger(number);
		std::stod("1e999");
	} catch (const std::out_of_range &) {
		return right;
	}
	return false;
}

int main(int count, char **arguments)
{
	static const test_case cases[] = {{"static objects", fills, STAYS},
	                                  {"exceptions", throws, MEETS},
	                                  {"exceptions out of qsort", throws_out, MEETS},
	                                  {"std::mutex", locks, STAYS},
	                                  {"std::condition_variable", waits, STAYS},
	                                  {"static variables of functions", makes_statics, STAYS},
	                                  {"std::sort", sorts, MEETS},
	                                  {"virtual functions", is_visited, MEETS},
	                                  {"conversions", converts, MEETS},
	                                  {nullptr, nullptr, STAYS}};
	return cases_main(cases, count, arguments);
}
