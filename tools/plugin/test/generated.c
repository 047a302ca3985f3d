/* For programs that come with a main(), which is called program_main() here: says at the end how many checks
 * it made. */
#include "harness.h"

#include <inttypes.h>
#include <stdio.h>

int program_main(int count, char **words);

int main(int count, char **words)
{
	harness_set_quantum(0);
	int status = program_main(count, words);
	fprintf(stderr, "checks %" PRIu64 "\n", harness_checks);
	return status;
}
