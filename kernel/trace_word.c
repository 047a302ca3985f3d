#include "kernel/trace_word.h"

#include <stddef.h>
#include <string.h>

#define SIZE_MOST (1u << 24)

static const char *const group_names[] = {"switches", "waits", "locks",      "tasks",
                                          "idle",     "wakes", "migrations", NULL};

const char trace_word_allowed[] =
    "off, on or paused, then ,size=EVENTS of a processor, a power of two from 16 to 16777216, ,events= with "
    "some of "
    "switches, waits, locks, tasks, idle, wakes and migrations, joined by +, and last ,file=NAME";

static bool is_text(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool parse_size(const char *text, size_t length, uint32_t *size)
{
	uint64_t number = 0;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9' || number > SIZE_MOST)
			return false;
		number = number * 10 + (uint64_t)(text[i] - '0');
	}
	*size = (uint32_t)number;
	return number >= 16 && number <= SIZE_MOST && (number & (number - 1)) == 0;
}

static bool parse_group(const char *text, size_t length, uint32_t *groups)
{
	for (unsigned i = 0; group_names[i]; i++)
		if (is_text(text, length, group_names[i])) {
			*groups |= 1u << i;
			return true;
		}
	return false;
}

static bool parse_groups(const char *text, size_t length, uint32_t *groups)
{
	size_t begin = 0;
	for (size_t at = 0; at <= length; at++)
		if (at == length || text[at] == '+') {
			if (!parse_group(text + begin, at - begin, groups))
				return false;
			begin = at + 1;
		}
	return true;
}

static bool parse_mode(const char *text, size_t length, struct trace_word *result)
{
	result->paused = is_text(text, length, "paused");
	result->on = result->paused || is_text(text, length, "on");
	return result->on || is_text(text, length, "off");
}

/* The value of "key=..." in the text; NULL if the text does not begin with that key. */
static const char *trace_behind(const char *text, const char *key)
{
	size_t length = strlen(key);
	return strncmp(text, key, length) == 0 ? text + length : NULL;
}

bool trace_word_parse(const char *value, struct trace_word *result)
{
	size_t length = 0;
	*result = (struct trace_word){0};
	while (value[length] && value[length] != ',')
		length++;
	if (!parse_mode(value, length, result))
		return false;
	while (value[length] == ',') {
		const char *setting = value + length + 1, *text;
		value = setting;
		for (length = 0; setting[length] && setting[length] != ',';)
			length++;
		bool valid = false;
		if ((text = trace_behind(setting, "size=")))
			valid = parse_size(text, (size_t)(setting + length - text), &result->size);
		else if ((text = trace_behind(setting, "events=")))
			valid = parse_groups(text, (size_t)(setting + length - text), &result->groups);
		else if ((text = trace_behind(setting, "file=")) && *text && !setting[length]) {
			result->file = text;
			valid = true;
		}
		if (!valid)
			return false;
	}
	return true;
}
