#include <taskflow/taskflow.hpp>

#include "tasking/create.hpp"

int main(int argc, char **argv)
{
	work wanted = work_of(argc, argv);
	confine("taskflow", wanted.processors);
	tf::Executor executor(wanted.processors);
	return create("taskflow", wanted, [&](std::atomic<uint64_t> &ran) {
		for (uint64_t i = 0; i < wanted.tasks; i++)
			executor.silent_async([&] { count_one(ran); });
		executor.wait_for_all();
	});
}
