#include "user/choice.h"

#include <string.h>

bool choice_find(const char *choices, struct piece word, uint64_t *place)
{
	*place = 0;
	for (const char *rest = choices; rest; ++*place) {
		struct piece choice = piece_cut(&rest, '|');
		if (choice.length == word.length && memcmp(choice.text, word.text, word.length) == 0)
			return true;
	}
	return false;
}

struct piece choice_word(const char *choices, uint64_t place)
{
	for (const char *rest = choices; rest; place--) {
		struct piece choice = piece_cut(&rest, '|');
		if (place == 0)
			return choice;
	}
	return (struct piece){"", 0};
}
