#include "user/crew.h"

#include "heddle/system.h"

struct crew_member {
	struct crew *crew;
	size_t number;
	struct task *task;
};

static intptr_t member_task(void *argument)
{
	struct crew_member *member = argument;
	struct crew *crew = member->crew;
	event_wait(&crew->begin);
	return crew->cancelled ? 0 : crew->function(member->number, crew->argument);
}

/* Join the first `count` members, which are running, and free the memory. */
static enum heddle_error members_join(struct crew *crew, size_t count, intptr_t *sum)
{
	enum heddle_error first_error = HEDDLE_OK;
	*sum = 0;
	for (size_t i = 0; i < count; i++) {
		intptr_t result = 0;
		enum heddle_error error = task_join(crew->members[i].task, &result);
		if (error != HEDDLE_OK && first_error == HEDDLE_OK)
			first_error = error;
		*sum += result;
	}
	heddle_free(crew->members, crew->count * sizeof(*crew->members));
	return first_error;
}

enum heddle_error crew_create_of(struct crew *crew, bool grows)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.stack = grows ? HEDDLE_TASK_STACK_GROWS : HEDDLE_TASK_STACK_WHOLE;
	options.name = crew->name;
	options.stack_size = crew->stack_size;
	if (!crew->processors)
		crew->processors = heddle_processors();
	crew->members = heddle_allocate(crew->count * sizeof(*crew->members));
	if (!crew->members && crew->count > 0)
		return HEDDLE_NO_MEMORY;
	crew->begin = (struct event)HEDDLE_EVENT_INITIALIZER;
	crew->cancelled = false;
	for (size_t i = 0; i < crew->count; i++) {
		struct crew_member *member = &crew->members[i];
		*member = (struct crew_member){.crew = crew, .number = i};
		options.bound = crew->bound;
		if (crew->bound)
			options.processor = (int)(i % crew->processors);
		enum heddle_error error = task_create(&member->task, member_task, member, &options);
		if (error != HEDDLE_OK) {
			intptr_t unused;
			crew->cancelled = true;
			event_set(&crew->begin);
			members_join(crew, i, &unused);
			return error;
		}
	}
	return HEDDLE_OK;
}

void crew_start(struct crew *crew)
{
	crew->started_at = heddle_clock();
	event_set(&crew->begin);
}

enum heddle_error crew_join(struct crew *crew, intptr_t *sum)
{
	return members_join(crew, crew->count, sum);
}

struct task *crew_task(const struct crew *crew, size_t number)
{
	return crew->members[number].task;
}
