#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "tasking/create.hpp"

int main(int argc, char **argv)
{
	work wanted = work_of(argc, argv);
	confine("tbb", wanted.processors);
	tbb::global_control limit(tbb::global_control::max_allowed_parallelism, wanted.processors);
	tbb::task_arena arena(static_cast<int>(wanted.processors));
	return arena.execute([&] {
		return create("tbb", wanted, [&](std::atomic<uint64_t> &ran) {
			tbb::task_group group;
			for (uint64_t i = 0; i < wanted.tasks; i++)
				group.run([&] { count_one(ran); });
			group.wait();
		});
	});
}
