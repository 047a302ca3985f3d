/*
 * heddle/coroutine.hpp: chains of hand-overs, of tasks that are awaited and of tasks that end take no stack, however it
 * is compiled. ON_HEDDLE: on tasks with the default stack; else on the program's own stack, with chains that would not
 * fit on it.
 */
#include <stdexcept>

#include "coroutine_test.hpp"

namespace
{

#ifdef ON_HEDDLE
constexpr int LENGTH = 20000;
#else
constexpr int LENGTH = 200000;
#endif

co::task<int> one()
{
	co_return 1;
}

co::task<> awaits_many()
{
	int sum = 0;
	for (int i = 0; i < LENGTH; i++)
		sum += co_await one();
	check(sum == LENGTH, "many tasks came to something else");
}

co::task<int> nested(int levels)
{
	if (levels == 0)
		throw std::runtime_error("thrown");
	co_return 1 + co_await nested(levels - 1);
}

co::task<> awaits_deep()
{
	bool is_caught = false;
	try {
		co_await nested(LENGTH);
	} catch (const std::runtime_error &) {
		is_caught = true;
	}
	check(is_caught, "an exception did not come out of nested tasks");
}

co::task<> takes_turn(co::mutex &mutex, int &sections, co::latch &left)
{
	auto held = co_await mutex.scoped();
	sections++;
	co_await held.unlock();
	left.count_down_dispatch();
}

/* All wait before the first has it: each hands over to the next. */
co::task<> hands_over(co::executor executor)
{
	co::mutex mutex;
	co::latch left(LENGTH);
	int sections = 0;
	co_await mutex.lock();
	for (int i = 0; i < LENGTH; i++)
		co::spawn(executor, takes_turn(mutex, sections, left));
	co_await co::yield();
	co_await mutex.unlock();
	co_await left.wait();
	check(sections == LENGTH, "a chain of hand-overs broke off");
}

/* Sender and receiver resume each other in turn. */
co::task<> receives(co::channel<int> &channel, int &sum)
{
	while (std::optional<int> message = co_await channel.receive())
		sum += *message;
}

co::task<> exchanges(co::executor executor)
{
	co::channel<int> channel(0);
	int sum = 0;
	co::latch left(1);
	co::spawn(executor, [](co::channel<int> &from, int &all, co::latch &end) -> co::task<> {
		co_await receives(from, all);
		co_await end.count_down();
	}(channel, sum, left));
	for (int i = 0; i < LENGTH; i++)
		co_await channel.send(1);
	co_await channel.close();
	co_await left.wait();
	check(sum == LENGTH, "a message was lost");
}

co::task<> all(co::executor executor)
{
	co_await awaits_many();
	co_await awaits_deep();
	co_await hands_over(executor);
	co_await exchanges(executor);
}

} // namespace

int main(int argc, char **argv)
{
#ifdef ON_HEDDLE
	if (heddle_start(argc > 1 ? argv[1] : "processors=2") != HEDDLE_OK)
		return 1;
	{
		co::task_executor executor;
		executor.run(all(executor));
	}
	check(heddle_stop() == 0, "a task waits still");
#else
	(void)argc, (void)argv;
	by_hand executor;
	co::spawn(executor, all(executor));
	executor.run_all();
#endif
	return failures ? 1 : 0;
}
