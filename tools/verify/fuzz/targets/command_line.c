/*
 * The command line.
 */
#include "kernel/command_line.h"
#include "kernel/boot_information.h"
#include "kernel/processor.h"
#include "tools/verify/fuzz/targets/fuzz.h"

#define ERROR_MAXIMUM 900

static void check(const struct command_line *result, const char *text, size_t size)
{
	FUZZ_CHECK(result->run_count <= COMMAND_RUNS_MAXIMUM && result->processors <= PROCESSORS_MAXIMUM);
	FUZZ_CHECK(result->policy.policy == SCHEDULER_GLOBAL || result->policy.policy == SCHEDULER_LOCAL);
	FUZZ_CHECK(result->end == END_OFF || result->end == END_HALT || result->end == END_REBOOT);
	FUZZ_CHECK(result->quantum >= 1 && result->quantum <= INT32_MAX && result->extension <= INT32_MAX);
	FUZZ_CHECK(result->chain >= 1 && result->chain <= 1000000000 && result->linger <= 1000000000);
	FUZZ_CHECK(result->watchdog <= 1000000 && (result->memory == 0 || result->memory >= 16));
	uint32_t events = result->trace.size;
	FUZZ_CHECK(events == 0 || (events >= 16 && (events & (events - 1)) == 0));
	for (unsigned i = 0; i < result->run_count; i++) {
		FUZZ_CHECK(result->runs[i] > text && result->runs[i] < text + size);
		FUZZ_CHECK(strlen(result->runs[i]) > 0 && !strpbrk(result->runs[i], " \t\n\r"));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct command_line result;
	char error[ERROR_MAXIMUM] = "";
	if (size >= COMMAND_LINE_MAXIMUM)
		return 0;
	/* Ends in a 0, like the copy of the loader's. */
	char *text = malloc(size + 1);
	FUZZ_CHECK(text);
	memcpy(text, data, size);
	text[size] = 0;
	if (command_line_parse(text, &result, error, sizeof(error)))
		check(&result, text, size);
	else
		fuzz_check_sentence(error, sizeof(error));
	free(text);
	return 0;
}
