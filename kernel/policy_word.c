#include "kernel/policy_word.h"

#include "kernel/format.h"
#include "kernel/registered.h"
#include "kernel/similar.h"

static const struct registered global = {"global"}, local = {"local"};
static const struct registered *const built_in[] = {&global, &local};
static const struct registered_list policies = {built_in, SCHEDULER_ADDED};

_Static_assert(SCHEDULER_GLOBAL == 0 && SCHEDULER_LOCAL == 1 && SCHEDULER_ADDED == 2, "built_in");

bool policy_word_parse(const char *value, struct policy_word *result)
{
	struct registered_list added = heddle_ready_queues();
	size_t policy = registered_find(policies, value, strlen(value));
	size_t place = registered_find(added, value, strlen(value));
	*result = (struct policy_word){(enum scheduler_policy)policy, (unsigned)place};
	return policy < policies.count || place < added.count;
}

static void consider(struct similar *search, struct registered_list list)
{
	for (size_t i = 0; i < list.count; i++)
		similar_consider(search, list.first[i]->name, strlen(list.first[i]->name));
}

void policy_word_refuse(const char *word, const char *value, char *error, unsigned error_size)
{
	struct registered_list added = heddle_ready_queues();
	struct similar search;
	similar_start(&search, value, strlen(value));
	consider(&search, policies);
	consider(&search, added);
	if (search.nearest)
		format_text(error, error_size,
		            "\"%s\" is not understood: did you mean %.*s? Allowed is global%slocal", word,
		            (int)search.nearest_length, search.nearest, added.count > 0 ? ", " : " or ");
	else
		format_text(error, error_size, "\"%s\" is not understood: allowed is global%slocal", word,
		            added.count > 0 ? ", " : " or ");
	for (size_t i = 0; i < added.count; i++) {
		size_t length = strlen(error);
		format_text(error + length, error_size - length, "%s%s", i + 1 < added.count ? ", " : " or ",
		            added.first[i]->name);
	}
}
