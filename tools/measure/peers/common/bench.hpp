/*
 * What the peers' programs in C++ share: parameters, the clock, the result line.
 *
 * A program reads its parameters, does its work once to warm up, does it again and prints how long that took:
 *
 *     result yield peer=boost-fiber ns=27.9 operations=1000000
 */
#ifndef PEERS_COMMON_BENCH_HPP
#define PEERS_COMMON_BENCH_HPP

#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace bench
{

[[noreturn]] inline void fail(const std::string &sentence)
{
	std::fprintf(stderr, "%s\n", sentence.c_str());
	std::exit(1);
}

/* Monotonic, in nanoseconds. */
inline uint64_t clock()
{
	auto now = std::chrono::steady_clock::now().time_since_epoch();
	return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

/* A parameter that is one of some words; what it is worth is the place of the word among them. */
struct choice {
	std::string name;
	std::vector<std::string> words;
};

/* name=value on the command line: numbers in decimal, with k, M or G for thousands, millions or billions; or words. */
class parameters
{
	std::map<std::string, uint64_t> values;
	std::vector<choice> choices;

	static uint64_t number(const std::string &word, const std::string &text)
	{
		std::size_t digits = text.find_first_not_of("0123456789");
		std::string unit = digits == std::string::npos ? "" : text.substr(digits);
		uint64_t scale = unit == "k" ? 1000 : unit == "M" ? 1000000 : unit == "G" ? 1000000000 : 1;
		if (digits == 0 || text.empty() || text.size() > 12 || (scale == 1 && !unit.empty()) ||
		    std::stoull(text) == 0)
			fail(word + ": a value is a whole number from 1 on, such as 10 or 20k");
		return std::stoull(text) * scale;
	}

	static uint64_t place(const std::string &word, const choice &choice, const std::string &text)
	{
		std::string allowed;
		for (std::size_t i = 0; i < choice.words.size(); i++) {
			if (choice.words[i] == text)
				return i;
			allowed += " " + choice.words[i];
		}
		fail(word + ": allowed are" + allowed);
	}

	uint64_t value(const std::string &word, const std::string &name, const std::string &text) const
	{
		for (const choice &one : choices)
			if (one.name == name)
				return place(word, one, text);
		return number(word, text);
	}

  public:
	/* The names that there are, with their defaults; of a choice that is its first word. `processors` is always
	 * one. */
	parameters(int count, char **words,
	           std::initializer_list<std::pair<const std::string, uint64_t>> defaults,
	           std::initializer_list<choice> further = {})
	    : values(defaults), choices(further)
	{
		values.insert({"processors", 1});
		for (const choice &one : choices)
			values.insert({one.name, 0});
		for (int i = 1; i < count; i++) {
			std::string word = words[i], name = word.substr(0, word.find('='));
			if (name.size() == word.size() || values.count(name) == 0)
				fail(word + ": not a parameter of this program (NAME=NUMBER)");
			values[name] = value(word, name, word.substr(name.size() + 1));
		}
	}

	uint64_t operator[](const std::string &name) const
	{
		return values.at(name);
	}
};

/* What else was measured: names and whole numbers. */
using further = std::vector<std::pair<const char *, uint64_t>>;

inline int result(const char *program, const char *peer, uint64_t nanoseconds, uint64_t operations,
                  bool right, const further &more = {})
{
	if (!right)
		fail(std::string(program) + ", " + peer + ": the result is wrong");
	std::printf("result %s peer=%s ns=%.4f operations=%" PRIu64, program, peer,
	            static_cast<double>(nanoseconds) / static_cast<double>(operations), operations);
	for (auto [name, value] : more)
		std::printf(" %s=%" PRIu64, name, value);
	std::puts("");
	return 0;
}

/* Do the work twice, and time the second turn. `turn` returns the nanoseconds that it took, or 0 where its
 * result was wrong. */
template <class Turn> int measure(const char *program, const char *peer, uint64_t operations, Turn turn)
{
	uint64_t warm_up = turn();
	uint64_t nanoseconds = turn();
	return result(program, peer, nanoseconds, operations, warm_up != 0 && nanoseconds != 0);
}

} // namespace bench

#endif
