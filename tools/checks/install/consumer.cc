// Uses the installed C++ headers.
#include <heddle/future.hpp>
#include <heddle/generator.hpp>
#include <heddle/guard.hpp>
#include <heddle/host.h>
#include <heddle/qd.hpp>
#include <heddle/version.h>

#include <cstdio>
#include <stdexcept>

static heddle::qdlock lock;

static intptr_t caught()
{
	try {
		heddle::task_yield();
		throw std::runtime_error("thrown in a task");
	} catch (const std::exception &) {
		return 2;
	}
}

static intptr_t run(void *)
{
	int value = 20;
	lock.delegate_wait([&] { value *= 2; });
	auto future = lock.delegate_f([](int number) { return number; }, value);
	return future.get() + caught();
}

int main()
{
	intptr_t result = 0;
	if (heddle_start("processors=2") != HEDDLE_OK || heddle_run(run, nullptr, &result) != HEDDLE_OK ||
	    heddle_stop() != 0)
		return 1;
	std::printf("%d by %s\n", static_cast<int>(result), HEDDLE_VERSION);
	return result == 42 ? 0 : 1;
}
