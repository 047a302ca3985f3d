#include "kernel/command_line.h"

#include <stddef.h>
#include <string.h>

#include "kernel/console.h"
#include "kernel/format.h"
#include "kernel/processor.h"

#define QUANTUM_DEFAULT   50000
#define EXTENSION_DEFAULT 10000
#define CHAIN_DEFAULT     64
#define LINGER_DEFAULT    10000

struct command_line command_line;

const char *const command_line_help[] = {
    "run=NAME[,key=value...]         run a program; repeatable, in order (list shows them)",
    "processors=N                    use N processors (default: all)",
    "sched=global|local              one ready queue for all, or one a processor (default: local)",
    "seed=N                          where all random numbers come from (default: 1)",
    "log=error|warning|info|debug    how much is logged (default: info; debug adds statistics at the end)",
    "quantum=N                       let a task run N instructions until another gets its turn (default: "
    "50000)",
    "extension=N                     so many more where it is spent in a critical section (default: 10000; "
    "0: "
    "none)",
    "chain=N                         locks handed over in a row on a processor with other work (default: 64)",
    "linger=NANOSECONDS              look for work so long before a processor is halted (default: 10000)",
    "colour=off|on                   let tasks' stacks begin in different sets of the cache (default: on)",
    "plain=off|on                    let a yield look at nothing but the next task, where that is enough "
    "(on)",
    "watchdog=SECONDS                report a processor that has not switched for so long (default: 10; 0: "
    "never)",
    "memory=MIB                      use at most so much memory (default: all)",
    "end=off|halt                    when all went well, switch the machine off or keep the screen (default: "
    "off)",
    "list                            list the programs and their parameters",
    "help                            list these words",
    NULL,
};

#define ALLOWED_WORDS                                                                                  \
	"run=, processors=, sched=, seed=, log=, quantum=, extension=, chain=, linger=, colour=, plain=, " \
	"watchdog=, "                                                                                      \
	"memory=, end=, list and help"

struct parser {
	struct command_line *result;
	char *error;
	unsigned error_size;
};

static bool fail_value(struct parser *parser, const char *word, const char *allowed)
{
	format_text(parser->error, parser->error_size, "\"%s\" is not understood: allowed is %s", word, allowed);
	return false;
}

/* Sets *value if the text is a number in [minimum, maximum]. */
static bool parse_range(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *value)
{
	uint64_t number = 0;
	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || number > (UINT64_MAX - 9) / 10)
			return false;
		number = number * 10 + (uint64_t)(*text - '0');
	}
	*value = number;
	return number >= minimum && number <= maximum;
}

/* The place of the text in the list, or -1. */
static int parse_choice(const char *text, const char *const *choices)
{
	for (int i = 0; choices[i]; i++)
		if (strcmp(text, choices[i]) == 0)
			return i;
	return -1;
}

static bool parse_run(struct parser *parser, const char *word, const char *value)
{
	if (!*value)
		return fail_value(parser, word, "run=NAME[,key=value...]; the word list shows the programs");
	if (parser->result->run_count == COMMAND_RUNS_MAXIMUM)
		return fail_value(parser, word, "at most 64 times run=");
	parser->result->runs[parser->result->run_count++] = value;
	return true;
}

#define FIELD(name) offsetof(struct command_line, name), sizeof(((struct command_line *)0)->name)

/* Words that are a number. */
static const struct number_word {
	const char *key;
	uint64_t minimum, maximum;
	const char *allowed;
	size_t offset, size; /* of what it sets */
} number_words[] = {
    {"processors", 1, PROCESSORS_MAXIMUM, "a number from 1 to 1024", FIELD(processors)},
    {"seed", 0, UINT64_MAX, "a number", FIELD(seed)},
    {"quantum", 1, INT32_MAX, "a number of instructions from 1 to 2147483647", FIELD(quantum)},
    {"extension", 0, INT32_MAX, "a number of instructions from 0 to 2147483647", FIELD(extension)},
    {"chain", 1, 1000000000, "a number from 1 to 1000000000", FIELD(chain)},
    {"linger", 0, 1000000000, "a number of nanoseconds from 0 to 1000000000", FIELD(linger)},
    {"watchdog", 0, 1000000, "a number of seconds from 0 to 1000000", FIELD(watchdog)},
    {"memory", 16, 1u << 30, "a number of MiB from 16 up", FIELD(memory)},
};

static const struct number_word *find_number_word(const char *key)
{
	for (size_t i = 0; i < sizeof(number_words) / sizeof(*number_words); i++)
		if (strcmp(key, number_words[i].key) == 0)
			return &number_words[i];
	return NULL;
}

static bool parse_number(struct parser *parser, const char *word, const struct number_word *found,
                         const char *value)
{
	uint64_t number;
	if (!parse_range(value, found->minimum, found->maximum, &number))
		return fail_value(parser, word, found->allowed);
	/* The machine is little-endian. */
	memcpy((char *)parser->result + found->offset, &number, found->size);
	return true;
}

static bool parse_policy(struct parser *parser, const char *word, const char *value)
{
	static const char *const choices[] = {"global", "local", NULL};
	int choice = parse_choice(value, choices);
	if (choice < 0)
		return fail_value(parser, word, "global or local");
	parser->result->policy = choice == 0 ? SCHEDULER_GLOBAL : SCHEDULER_LOCAL;
	return true;
}

static bool parse_end(struct parser *parser, const char *word, const char *value)
{
	static const char *const choices[] = {"off", "halt", NULL};
	int choice = parse_choice(value, choices);
	if (choice < 0)
		return fail_value(parser, word, "off or halt");
	parser->result->end = choice == 0 ? END_OFF : END_HALT;
	return true;
}

static bool parse_switch(struct parser *parser, const char *word, const char *value, bool *setting)
{
	static const char *const choices[] = {"off", "on", NULL};
	int choice = parse_choice(value, choices);
	if (choice < 0)
		return fail_value(parser, word, "off or on");
	*setting = choice == 1;
	return true;
}

static bool parse_log(struct parser *parser, const char *word, const char *value)
{
	static const char *const choices[] = {"error", "warning", "info", "debug", NULL};
	int choice = parse_choice(value, choices);
	if (choice < 0)
		return fail_value(parser, word, "error, warning, info or debug");
	log_level = (enum log_level)choice;
	return true;
}

/* `word` stays whole for messages; key and value are its parts, value NULL without '='. */
static bool parse_word(struct parser *parser, const char *word, const char *key, const char *value)
{
	if (!value && strcmp(key, "list") == 0)
		return parser->result->list = true;
	if (!value && strcmp(key, "help") == 0)
		return parser->result->help = true;
	if (value && strcmp(key, "run") == 0)
		return parse_run(parser, word, value);
	if (value && strcmp(key, "sched") == 0)
		return parse_policy(parser, word, value);
	if (value && strcmp(key, "log") == 0)
		return parse_log(parser, word, value);
	if (value && strcmp(key, "colour") == 0)
		return parse_switch(parser, word, value, &parser->result->colour);
	if (value && strcmp(key, "plain") == 0)
		return parse_switch(parser, word, value, &parser->result->plain);
	if (value && strcmp(key, "end") == 0)
		return parse_end(parser, word, value);
	const struct number_word *number = value ? find_number_word(key) : NULL;
	if (number)
		return parse_number(parser, word, number, value);
	return fail_value(parser, word, ALLOWED_WORDS);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool command_line_parse(char *text, struct command_line *result, char *error, unsigned error_size)
{
	struct parser parser = {result, error, error_size};
	*result = (struct command_line){.policy = SCHEDULER_LOCAL,
	                                .seed = 1,
	                                .quantum = QUANTUM_DEFAULT,
	                                .extension = EXTENSION_DEFAULT,
	                                .chain = CHAIN_DEFAULT,
	                                .linger = LINGER_DEFAULT,
	                                .colour = true,
	                                .plain = true,
	                                .watchdog = 10};
	for (;;) {
		while (is_blank(*text))
			text++;
		if (!*text)
			return true;
		char *word = text, key[16];
		const char *value = NULL;
		while (*text && !is_blank(*text)) {
			if (*text == '=' && !value)
				value = text + 1;
			text++;
		}
		if (*text)
			*text++ = 0;
		format_text(key, sizeof(key), "%.*s", value ? (int)(value - word - 1) : (int)sizeof(key), word);
		if (!parse_word(&parser, word, key, value))
			return false;
	}
}
