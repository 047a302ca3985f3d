#include "heddle/waiting.h"

#include <string.h>

const struct waiting_strategy waiting_default = {.spins = true, .yields = true, .suspends = true};

/* Each letter is either the given one or a star. */
static bool letter_is(char letter, char own, bool *set)
{
	*set = letter == own;
	return letter == own || letter == '*';
}

enum heddle_error waiting_parse(const char *letters, struct waiting_strategy *strategy)
{
	struct waiting_strategy parsed = {0};
	if (letters && strcmp(letters, "adaptive") == 0) {
		*strategy =
		    (struct waiting_strategy){.spins = true, .yields = true, .suspends = true, .adapts = true};
		return HEDDLE_OK;
	}
	if (!letters || strlen(letters) != 3 || !letter_is(letters[0], 'S', &parsed.spins) ||
	    !letter_is(letters[1], 'Y', &parsed.yields) || !letter_is(letters[2], 'S', &parsed.suspends) ||
	    strcmp(letters, "***") == 0)
		return HEDDLE_BAD_ARGUMENT;
	*strategy = parsed;
	return HEDDLE_OK;
}

const char *waiting_refusal(const struct waiting_strategy *strategy)
{
	if (strategy && strategy->adapts && !(strategy->spins && strategy->yields && strategy->suspends))
		return "a lock that adapts chooses among all stages of waiting; let it spin, yield and suspend";
	if (!strategy || strategy->yields || strategy->suspends)
		return NULL;
	if (!strategy->spins)
		return "a lock without a stage of waiting cannot be waited for; let it spin, yield or suspend";
	if (!strategy->uncooperative)
		return "a task that only spins keeps its processor from a holder that was switched away, so neither "
		       "goes on; let it yield or suspend as well, or make the lock's sections uncooperative";
	return NULL;
}
