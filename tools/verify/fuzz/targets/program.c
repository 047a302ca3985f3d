/*
 * The words of run=, against programs with parameters of each kind.
 */
#include "heddle/program.h"
#include "tools/verify/fuzz/targets/fuzz.h"
#include "user/activity.h"
#include "user/choice.h"
#include "user/program_list.h"
#include "user/program_run.h"

#define ERROR_MAXIMUM 900

void activity_begin(void)
{
}

static bool run(struct program_run *run)
{
	return run != NULL;
}

static const struct program_parameter none[] = {{0}};
static const struct program_parameter numbers[] = {
    {"tasks", 10, 1, 1000000, "how many", .older_name = "threads"},
    {"rounds", 100, 0, UINT64_MAX, "how often"},
    {"t", 5, 5, 5, "always the same"},
    {0}};
static const struct program_parameter words[] = {
    {"lock", .help = "which", .choices = "exchange|dispatch|in", .older_name = "variant"},
    {"one", .help = "only one", .choices = "word"},
    {0}};
static const struct program_parameter texts[] = {
    {"name", .help = "any", .text = "word"}, {"other", .help = "any", .text = ""}, {0}};
static const struct program_parameter full[HEDDLE_PROGRAM_PARAMETERS_MAXIMUM + 1] = {
    {"a", 1, 0, 9, "a"}, {"b", 1, 0, 9, "b"}, {"c", 1, 0, 9, "c"}, {"d", 1, 0, 9, "d"},
    {"e", 1, 0, 9, "e"}, {"f", 1, 0, 9, "f"}, {"g", 1, 0, 9, "g"}, {"h", 1, 0, 9, "h"},
    {"i", 1, 0, 9, "i"}, {"j", 1, 0, 9, "j"}, {"k", 1, 0, 9, "k"}, {"l", 1, 0, 9, "l"},
    {"m", 1, 0, 9, "m"}, {"n", 1, 0, 9, "n"}, {"o", 1, 0, 9, "o"}, {"p", .choices = "x|y|z"}};

HEDDLE_PROGRAM(plain, "takes none", none, run);
HEDDLE_PROGRAM(counts, "takes numbers", numbers, run);
HEDDLE_PROGRAM(chooses, "takes words", words, run);
HEDDLE_PROGRAM(says, "takes texts", texts, run);
HEDDLE_PROGRAM(most, "takes as many as there may be", full, run);

static void check(const struct program_run *parsed)
{
	const struct program_parameter *parameter = parsed->program->parameters;
	for (unsigned i = 0; parameter[i].name; i++) {
		if (parameter[i].choices)
			FUZZ_CHECK(choice_of(&parameter[i], parsed->values[i]).length > 0);
		else if (parameter[i].text)
			FUZZ_CHECK(strlen((const char *)parsed->values[i]) < HEDDLE_PROGRAM_TEXTS_MAXIMUM);
		else
			FUZZ_CHECK(parsed->values[i] >= parameter[i].minimum &&
			           parsed->values[i] <= parameter[i].maximum);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct program_run parsed;
	char error[ERROR_MAXIMUM] = "";
	char *text = malloc(size + 1);
	FUZZ_CHECK(text);
	memcpy(text, data, size);
	text[size] = 0;
	if (program_parse(text, &parsed, error, sizeof(error)))
		check(&parsed);
	else
		fuzz_check_sentence(error, sizeof(error));
	free(text);
	return 0;
}
