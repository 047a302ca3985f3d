#include "user/choice.h"

#include <string.h>

#include "kernel/registered.h"

struct piece choice_word(const char *choices, uint64_t place)
{
	for (const char *rest = choices; rest; place--) {
		struct piece choice = piece_cut(&rest, '|');
		if (place == 0)
			return choice;
	}
	return (struct piece){"", 0};
}

uint64_t choice_count(const char *choices)
{
	uint64_t count = 0;
	for (const char *rest = choices; rest; count++)
		piece_cut(&rest, '|');
	return count;
}

struct piece choice_of(const struct program_parameter *parameter, uint64_t place)
{
	struct registered_list added = heddle_locks();
	uint64_t count = choice_count(parameter->choices);
	if (place < count || !parameter->is_lock || place - count >= added.count)
		return choice_word(parameter->choices, place);
	const char *name = added.first[place - count]->name;
	return (struct piece){name, strlen(name)};
}

bool choice_find(const struct program_parameter *parameter, struct piece word, uint64_t *place)
{
	struct piece choice;
	for (*place = 0; (choice = choice_of(parameter, *place)).length > 0; ++*place)
		if (choice.length == word.length && memcmp(choice.text, word.text, word.length) == 0)
			return true;
	return false;
}

void choices_add(struct text *text, const struct program_parameter *parameter)
{
	struct piece choice;
	for (uint64_t place = 0; (choice = choice_of(parameter, place)).length > 0; place++)
		text_add(text, "%s%.*s", place ? "|" : "", (int)choice.length, choice.text);
}
