/*
 * What exceptions may cross (heddle/exceptions.hpp): a word says which case. It ends with `done`, or ends the process
 * where no caller is left.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <heddle/generator.hpp>
#include <heddle/host.h>
#include <heddle/qd.hpp>

#define CHECK(condition)                                                      \
	do {                                                                      \
		if (!(condition)) {                                                   \
			std::fprintf(stderr, "%d: not true: %s\n", __LINE__, #condition); \
			std::_Exit(EXIT_FAILURE);                                         \
		}                                                                     \
	} while (0)

namespace
{

heddle::qdlock lock;
bool held, delegated, caught_by_helper;

template <class Function> bool throws(Function &&function)
{
	try {
		function();
	} catch (const std::runtime_error &thrown) {
		return std::strcmp(thrown.what(), "mine") == 0;
	}
	return false;
}

int throw_mine()
{
	throw std::runtime_error("mine");
}

/* The lock and the task are as before. */
void check_balanced()
{
	CHECK(lock.try_lock() == HEDDLE_OK);
	CHECK(lock.unlock() == HEDDLE_OK);
	heddle::task_yield();
}

intptr_t section_waited_for(void *)
{
	CHECK(throws([] { (void)lock.delegate_wait(throw_mine); }));
	check_balanced();
	heddle::future<int> number = lock.delegate_f(throw_mine);
	heddle::future<void> nothing = lock.delegate_f([](int) { throw_mine(); }, 1);
	CHECK(throws([&] { (void)number.wait(); }) && throws([&] { (void)number.get(); }));
	CHECK(throws([&] { (void)nothing.wait(); }) && number.is_set());
	check_balanced();
	return 0;
}

/* Holds the lock while another task delegates, so it carries that section out. */
intptr_t help(void *)
{
	try {
		CHECK(lock.lock() == HEDDLE_OK);
		held = true;
		while (!delegated)
			heddle::task_yield();
		CHECK(lock.unlock() == HEDDLE_OK);
	} catch (...) {
		caught_by_helper = true;
	}
	return 0;
}

intptr_t section_of_another(void *)
{
	heddle::task_options options = HEDDLE_TASK_OPTIONS;
	heddle::task *helper;
	options.stack_size = HEDDLE_RUN_STACK;
	CHECK(heddle::task_create(&helper, help, nullptr, &options) == HEDDLE_OK);
	while (!held)
		heddle::task_yield();
	auto number = lock.delegate_f(throw_mine);
	delegated = true;
	CHECK(throws([&] { (void)number.get(); }));
	CHECK(heddle::task_join(helper, nullptr) == HEDDLE_OK && !caught_by_helper);
	check_balanced();
	return 0;
}

struct thing {
	explicit thing(int number)
	{
		if (number < 0)
			throw_mine();
	}
};

/* A promise is as before, also for a second try. */
intptr_t promise(void *)
{
	heddle::promise<thing> first, second;
	auto set = first.get_future(), broken = second.get_future();
	CHECK(throws([&] { (void)first.set(-1); }));
	CHECK(first.set(1) == HEDDLE_OK && set.wait() == HEDDLE_OK);
	CHECK(throws([&] { (void)second.set_by([] { return thing(-1); }); }));
	{
		heddle::promise<thing> given_up(static_cast<heddle::promise<thing> &&>(second));
	}
	CHECK(broken.wait() == HEDDLE_BROKEN);
	return 0;
}

struct copied {
	int copies = 0;
	copied() = default;
	copied(copied &&) noexcept = default;
	copied(const copied &)
	{
		throw_mine();
	}
};

/* Its arguments cannot be copied: nothing was delegated, and no buffer is open. */
intptr_t arguments(void *)
{
	copied one;
	bool ran = false;
	auto section = [&ran](const copied &) { ran = true; };
	CHECK(throws([&] { (void)lock.delegate_n(section, one); }) && !ran);
	check_balanced();
	CHECK(lock.delegate_n(section, copied()) == HEDDLE_OK && ran);
	return 0;
}

intptr_t guard(void *)
{
	CHECK(throws([] {
		heddle::qd_guard held(lock.native());
		throw_mine();
	}));
	check_balanced();
	return 0;
}

/* No caller is left: the `catch` of the task that runs the section must not get it. */
intptr_t alone(void *)
{
	try {
		(void)lock.delegate_n([] { throw_mine(); });
	} catch (...) {
		std::puts("caught");
	}
	return 0;
}

intptr_t of_c(void *)
{
	try {
		(void)heddle::qd_delegate_wait(
		    &lock.native(), [](size_t, void *) { throw_mine(); }, 0, nullptr);
	} catch (...) {
		std::puts("caught");
	}
	return 0;
}

intptr_t generator(void *)
{
	try {
		heddle::generator<int> numbers([](auto) { throw_mine(); }, HEDDLE_RUN_STACK);
		numbers.next();
	} catch (...) {
		std::puts("caught");
	}
	return 0;
}

const struct {
	const char *name;
	heddle::task_function function;
} cases[] = {{"waited-for", section_waited_for},
             {"another", section_of_another},
             {"promise", promise},
             {"arguments", arguments},
             {"guard", guard},
             {"alone", alone},
             {"c", of_c},
             {"generator", generator}};

} // namespace

int main(int count, char **words)
{
	for (const auto &each : cases) {
		if (count != 2 || std::strcmp(words[1], each.name))
			continue;
		CHECK(heddle_start("processors=2") == HEDDLE_OK);
		CHECK(heddle_run(each.function, nullptr, nullptr) == HEDDLE_OK);
		CHECK(heddle_stop() == 0);
		std::puts("done");
	}
	return 0;
}
