/* For programs that come with a main(), which is called program_main() here: says at the end how many checks
 * it made. */
#include "harness.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t program_main(uint64_t count);

int main(void)
{
	harness_set_counter(quantum_counter_exact(0));
	int status = (int)call_counted(program_main, 1);
	fprintf(stderr, "checks %" PRIu64 "\n", harness_checks);
	return status;
}
