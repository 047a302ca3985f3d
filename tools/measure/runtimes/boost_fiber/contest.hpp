/*
 * A contest of fibers for one lock, as the lock-algorithms paper measures it (section 4, Listing 3) and
 * user/bench/contest.c does with Heddle's tasks: lock, a section, unlock, work alone with yields. Each notes how
 * long a lock took.
 *
 * The words of the program: which lock, `lock=`; how a fiber waits, `waiting=`, with `spins=` and `yields=`
 * turns; the cohort lock's `queues=`.
 */
#ifndef RUNTIMES_BOOST_FIBER_CONTEST_HPP
#define RUNTIMES_BOOST_FIBER_CONTEST_HPP

#include "runtimes/boost_fiber/exchange_locks.hpp"
#include "runtimes/boost_fiber/strategy_locks.hpp"
#include "threads/crew.hpp"

namespace contest
{

const std::vector<std::string> LOCKS = {"library", "exchange", "ttas", "mcs", "cohort"};
const std::vector<std::string> STRATEGIES = {"SYS", "SY*", "S*S", "*YS", "*Y*", "**S"};

/* As idle_turns() in user/bench/contest.h: the same loop. */
inline uint64_t idle_turns(uint64_t turns)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < turns; i++)
		sum = sum >> 1 ^ i;
	return sum;
}

class scene
{
	const bench::parameters &given;
	uint64_t tasks, rounds, expected;
	std::vector<uint64_t> latencies;
	std::atomic<uint64_t> wrong{0};
	uint64_t nanoseconds = 0;

	void work_alone()
	{
		for (uint64_t i = 0; i < given["parts"]; i++) {
			wrong += idle_turns(given["turns"]) != expected;
			runtime::yield();
		}
	}

	template <class Lock, class Section> void run(Lock &lock, Section section)
	{
		witness inside;
		wrong = 0;
		nanoseconds = crew_run(tasks, [&](uint64_t number) {
			for (uint64_t i = 0; i < rounds; i++) {
				typename Lock::node node;
				uint64_t start = bench::clock();
				lock.lock(node);
				latencies[number * rounds + i] = bench::clock() - start;
				uint64_t entered = inside.enter();
				wrong += !section();
				inside.leave(entered);
				lock.unlock(node);
				work_alone();
			}
		});
		wrong += !inside.is_content(tasks * rounds);
	}

	uint64_t quantile(uint64_t part)
	{
		std::size_t place = (latencies.size() * part + 99) / 100 - 1;
		std::nth_element(latencies.begin(), latencies.begin() + static_cast<std::ptrdiff_t>(place),
		                 latencies.end());
		return latencies[place];
	}

  public:
	explicit scene(const bench::parameters &parameters)
	    : given(parameters), tasks(given["tasks"]), rounds(given["rounds"]),
	      expected(idle_turns(given["turns"])), latencies(tasks * rounds)
	{
	}

	/* With the lock that the words say; whether all went well. */
	template <class Section> bool turn(Section section)
	{
		locks::strategy how = locks::strategy_of(STRATEGIES[given["waiting"]]);
		how.spin_limit = static_cast<unsigned>(given["spins"]);
		how.yield_limit = static_cast<unsigned>(given["yields"]);
		const std::string &kind = LOCKS[given["lock"]];
		if (kind == "library") {
			locks::plain_lock<boost::fibers::mutex> lock;
			run(lock, section);
		} else if (kind == "exchange") {
			locks::plain_lock<exchange::mutex> lock;
			run(lock, section);
		} else if (kind == "ttas") {
			locks::ttas_lock lock(how);
			run(lock, section);
		} else if (kind == "mcs") {
			locks::mcs_lock lock(how);
			run(lock, section);
		} else {
			locks::cohort_lock lock(how, static_cast<unsigned>(given["queues"]));
			run(lock, section);
		}
		return wrong == 0;
	}

	int result(const char *program, bool right)
	{
		return bench::result(program, "boost-fiber", nanoseconds, tasks * rounds, right,
		                     {{"median_ns", quantile(50)},
		                      {"p95_ns", quantile(95)},
		                      {"p99_ns", quantile(99)},
		                      {"maximum_ns", quantile(100)}});
	}
};

/* A turn to warm up, then one that counts. `is_right` looks at what the sections of both have left. */
template <class Section, class Check>
int run(const char *program, const bench::parameters &given, Section section, Check is_right)
{
	return runtime::run(given["processors"], [&] {
		scene scene(given);
		bool right = scene.turn(section);
		right &= scene.turn(section);
		return scene.result(program, right && is_right(2 * given["tasks"] * given["rounds"]));
	});
}

} // namespace contest

#endif
