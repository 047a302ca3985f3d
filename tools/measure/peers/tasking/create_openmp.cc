/* With one thread OpenMP runs each task where it is made. */
#include <omp.h>

#include "tasking/create.hpp"

int main(int argc, char **argv)
{
	work wanted = work_of(argc, argv);
	confine("openmp", wanted.processors);
	omp_set_num_threads(static_cast<int>(wanted.processors));
	int status = 0;
#pragma omp parallel
#pragma omp single
	status = create("openmp", wanted, [&](std::atomic<uint64_t> &ran) {
		for (uint64_t i = 0; i < wanted.tasks; i++) {
#pragma omp task shared(ran)
			count_one(ran);
		}
#pragma omp taskwait
	});
	return status;
}
