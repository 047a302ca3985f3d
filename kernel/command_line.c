#include "kernel/command_line.h"

#include <stddef.h>
#include <string.h>

#include "kernel/console.h"
#include "kernel/format.h"
#include "kernel/processor.h"
#include "kernel/similar.h"

#define QUANTUM_DEFAULT   65536
#define EXTENSION_DEFAULT 10000
#define CHAIN_DEFAULT     64
#define DEFER_DEFAULT     300
#define LINGER_DEFAULT    10000
#define SERIAL_RATE       115200

struct command_line command_line;

const char *const command_line_help[] = {
    "Heddle runs programs as tasks: run=NAME for each; the word list shows which there are. For instance:",
    "    run=hello    run=switch,tasks=100 processors=2    run=locks,lock=mcs run=test",
    "All words:",
    "run=NAME[,key=value...]         run a program; repeatable, in order (list shows them)",
    "processors=N                    use N processors (default: all)",
    "sched=global|local|NAME         one ready queue for all, one a processor, or one of your own (default: "
    "local)",
    "seed=N                          the seed of all random numbers (default: 1)",
    "log=error|warning|info|debug    how much is logged (default: info; debug adds statistics at the end)",
    "quantum=N                       let a task run N instructions until another gets its turn (default: "
    "65536)",
    "extension=N                     extend a quantum that is spent in a critical section by N (default: "
    "10000; "
    "0: not at all)",
    "chain=N                         locks handed over in a row on a processor with other work (default: 64)",
    "defer=N                         go on for N instructions when a lock is handed over; 0: hand it over at "
    "once "
    "(default: 300)",
    "linger=NANOSECONDS              look for work that long before halting a processor (default: 10000)",
    "colour=off|on                   let tasks' stacks begin in different sets of the cache (default: on)",
    "plain=off|on                    let a yield look only at the next task, if that is enough (default: on)",
    "watchdog=SECONDS                report a processor that has not switched for that long (default: 10; 0: "
    "never)",
    "memory=MIB                      use at most so much memory (default: all)",
    "fail=N|N+                       let the Nth allocation fail, or each from it on, to see what becomes of "
    "it",
    "fault=task|machine              a fault in a task ends the task, or all with a report of it (default: "
    "task)",
    "safe=off|on                     do without x2APIC and the timer's deadline on a bare machine (default: "
    "off)",
    "performance=off|on              ask a bare machine's processors for their highest frequency (default: "
    "off)",
    "idle=halt|monitor               how a bare machine's processors idle (default: halt)",
    "trace=off|on|paused[,size=EVENTS][,events=KIND+KIND...][,file=NAME]  record what processors do with "
    "tasks "
    "(default: off)",
    "serial=auto|off|com1|com2|com3|com4|pci|PORT[,BAUD]  the serial line of a bare machine (default: auto, "
    "115200)",
    "end=off|halt|reboot             after success, switch the machine off, keep it on or restart it "
    "(default: "
    "off)",
    "list                            list the programs and their parameters",
    "help                            list these words",
    NULL,
};

#define ALLOWED_WORDS                                                                                  \
	"run=, processors=, sched=, seed=, log=, quantum=, extension=, chain=, defer=, linger=, colour=, " \
	"plain=, "                                                                                         \
	"watchdog=, "                                                                                      \
	"memory=, fail=, fault=, safe=, performance=, idle=, trace=, serial=, end=, list, help"

struct parser {
	struct command_line *result;
	char *error;
	unsigned error_size;
};

static size_t letters(const char *text)
{
	size_t length = 0;
	while (text[length] >= 'a' && text[length] <= 'z')
		length++;
	return length;
}

/* No word of the command line begins like this one. */
static bool fail_word(struct parser *parser, const char *word)
{
	struct similar search;
	similar_start(&search, word, letters(word));
	const char *name = ALLOWED_WORDS;
	while (*name) {
		size_t length = letters(name);
		if (length > 0)
			similar_consider(&search, name, length);
		name += length > 0 ? length : 1;
	}
	if (search.nearest)
		format_text(parser->error, parser->error_size,
		            "\"%s\" is not understood: did you mean %.*s%s? Allowed is %s", word,
		            (int)search.nearest_length, search.nearest,
		            search.nearest[search.nearest_length] == '=' ? "=" : "", ALLOWED_WORDS);
	else
		format_text(parser->error, parser->error_size, "\"%s\" is not understood: allowed is %s", word,
		            ALLOWED_WORDS);
	return false;
}

static bool fail_value(struct parser *parser, const char *word, const char *allowed)
{
	format_text(parser->error, parser->error_size, "\"%s\" is not understood: allowed is %s", word, allowed);
	return false;
}

/* Set *value if the text is a number in [minimum, maximum]. */
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

/* The index of the text in the list, or -1. */
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

/* Words whose value is a number. */
static const struct number_word {
	const char *key;
	uint64_t minimum, maximum;
	const char *allowed;
	size_t offset, size; /* of the field that it sets */
} number_words[] = {
    {"processors", 1, PROCESSORS_MAXIMUM, "a number from 1 to 1024", FIELD(processors)},
    {"seed", 0, UINT64_MAX, "a number", FIELD(seed)},
    {"quantum", 1, INT32_MAX, "a number of instructions from 1 to 2147483647", FIELD(quantum)},
    {"extension", 0, INT32_MAX, "a number of instructions from 0 to 2147483647", FIELD(extension)},
    {"chain", 1, 1000000000, "a number from 1 to 1000000000", FIELD(chain)},
    {"defer", 0, 1000000, "a number of instructions from 0 to 1000000", FIELD(defer)},
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

static bool command_line_parse_number(struct parser *parser, const char *word,
                                      const struct number_word *found, const char *value)
{
	uint64_t number;
	if (!parse_range(value, found->minimum, found->maximum, &number))
		return fail_value(parser, word, found->allowed);
	/* The machine is little-endian, so this stores the low bytes. */
	memcpy((char *)parser->result + found->offset, &number, found->size);
	return true;
}

/* Words whose value is one of a list; its index there is what they set. */
static const char *const switch_choices[] = {"off", "on", NULL};
static const char *const end_choices[] = {"off", "halt", "reboot", NULL};

static const char *const idle_choices[] = {"halt", "monitor", NULL};
static const char *const fault_choices[] = {"task", "machine", NULL};

static const struct choice_word {
	const char *key;
	const char *const *choices;
	const char *allowed;
	size_t offset, size; /* of the field that it sets */
} choice_words[] = {
    {"colour", switch_choices, "off or on", FIELD(colour)},
    {"plain", switch_choices, "off or on", FIELD(plain)},
    {"fault", fault_choices, "task or machine", FIELD(fault)},
    {"safe", switch_choices, "off or on", FIELD(safe)},
    {"performance", switch_choices, "off or on", FIELD(performance)},
    {"idle", idle_choices, "halt or monitor", FIELD(idle)},
    {"end", end_choices, "off, halt or reboot", FIELD(end)},
};

_Static_assert(FAULT_ENDS_TASK == 0 && FAULT_ENDS_MACHINE == 1, "fault_choices");
_Static_assert(IDLE_BY_HALT == 0 && IDLE_BY_MONITOR == 1, "idle_choices");
_Static_assert(END_OFF == 0 && END_HALT == 1 && END_REBOOT == 2, "end_choices");

static const struct choice_word *find_choice_word(const char *key)
{
	for (size_t i = 0; i < sizeof(choice_words) / sizeof(*choice_words); i++)
		if (strcmp(key, choice_words[i].key) == 0)
			return &choice_words[i];
	return NULL;
}

static bool parse_choice_word(struct parser *parser, const char *word, const struct choice_word *found,
                              const char *value)
{
	int choice = parse_choice(value, found->choices);
	if (choice < 0)
		return fail_value(parser, word, found->allowed);
	memcpy((char *)parser->result + found->offset, &choice, found->size);
	return true;
}

#define DIGITS_MAXIMUM 19

/* A number, with or without a '+' behind it. */
static bool parse_fail(struct parser *parser, const char *word, const char *value)
{
	struct command_line *result = parser->result;
	char number[DIGITS_MAXIMUM + 1];
	size_t length = strlen(value);
	result->fail_on = length > 0 && value[length - 1] == '+';
	length -= result->fail_on;
	if (length <= DIGITS_MAXIMUM) {
		memcpy(number, value, length);
		number[length] = 0;
		result->fails = parse_range(number, 0, UINT64_MAX, &result->fail);
	}
	return result->fails || fail_value(parser, word, "a number, or one followed by a +");
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

/* A port is a number; hexadecimal after 0x. */
static bool parse_port(const char *text, uint16_t *port)
{
	uint64_t number = 0;
	if (text[0] != '0' || text[1] != 'x')
		return parse_range(text, 1, UINT16_MAX, &number) && (*port = (uint16_t)number, true);
	text += 2;
	if (!*text)
		return false;
	for (; *text && number <= UINT16_MAX; text++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit = digits;
		while (*digit && *digit != *text)
			digit++;
		if (!*digit)
			return false;
		number = number * 16 + (uint64_t)(digit - digits);
	}
	*port = (uint16_t)number;
	return number >= 1 && number <= UINT16_MAX;
}

static bool parse_serial(struct parser *parser, const char *word, const char *value)
{
	static const char *const choices[] = {"auto", "off", "com1", "com2", "com3", "com4", "pci", NULL};
	_Static_assert(SERIAL_FIRST == 2 && SERIAL_PCI == 6, "the choices above");
	struct serial_line *line = &parser->result->serial;
	char name[8];
	size_t length = 0;
	uint64_t rate = line->rate;
	while (value[length] && value[length] != ',')
		length++;
	format_text(name, sizeof(name), "%.*s", (int)length, value);
	int choice = parse_choice(name, choices);
	line->choice = choice < 0 ? SERIAL_PORT : (enum serial_choice)choice;
	if ((choice < 0 && (length >= sizeof(name) || !parse_port(name, &line->port))) ||
	    (value[length] && !parse_range(value + length + 1, 50, 115200, &rate)))
		return fail_value(
		    parser, word,
		    "auto, off, com1, com2, com3, com4, pci or a port (0x3e8), then ,BAUD from 50 to 115200");
	line->rate = (unsigned)rate;
	return true;
}

/* `word` stays whole for messages; key and value are its parts. value is NULL where there is no '='. */
static bool parse_word(struct parser *parser, const char *word, const char *key, const char *value)
{
	if (!value && strcmp(key, "list") == 0)
		return parser->result->list = true;
	if (!value && (strcmp(key, "help") == 0 || strcmp(key, "--help") == 0 || strcmp(key, "-h") == 0))
		return parser->result->help = true;
	if (value && strcmp(key, "run") == 0)
		return parse_run(parser, word, value);
	if (value && strcmp(key, "sched") == 0)
		return policy_word_parse(value, &parser->result->policy) ||
		       (policy_word_refuse(word, value, parser->error, parser->error_size), false);
	if (value && strcmp(key, "log") == 0)
		return parse_log(parser, word, value);
	if (value && strcmp(key, "fail") == 0)
		return parse_fail(parser, word, value);
	if (value && strcmp(key, "serial") == 0)
		return parse_serial(parser, word, value);
	if (value && strcmp(key, "trace") == 0)
		return trace_word_parse(value, &parser->result->trace) ||
		       fail_value(parser, word, trace_word_allowed);
	const struct number_word *number = value ? find_number_word(key) : NULL;
	if (number)
		return command_line_parse_number(parser, word, number, value);
	const struct choice_word *choice = value ? find_choice_word(key) : NULL;
	if (choice)
		return parse_choice_word(parser, word, choice, value);
	return fail_word(parser, word);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool command_line_parse(char *text, struct command_line *result, char *error, unsigned error_size)
{
	struct parser parser = {result, error, error_size};
	*result = (struct command_line){.policy.policy = SCHEDULER_LOCAL,
	                                .seed = 1,
	                                .quantum = QUANTUM_DEFAULT,
	                                .extension = EXTENSION_DEFAULT,
	                                .chain = CHAIN_DEFAULT,
	                                .defer = DEFER_DEFAULT,
	                                .linger = LINGER_DEFAULT,
	                                .colour = true,
	                                .plain = true,
	                                .serial.rate = SERIAL_RATE,
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
