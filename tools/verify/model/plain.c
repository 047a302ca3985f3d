/* For cases of a mutex that is plain at first (sync/mutex_plain.h): a task that is to try again waits until that may
 * help. */
#include "ready.h"

#include "sync/mutex_plain.h"

/* Read without a step. */
__attribute__((no_sanitize("thread"))) static bool has_changed(void *plain)
{
	const struct mutex *mutex = plain;
	return mutex->owner || !mutex_word_is_plain(mutex->word);
}

void model_refuse(struct task *left, struct mutex *mutex);
void model_refuse(struct task *left, struct mutex *mutex)
{
	model_publish_when(left, has_changed, mutex);
}
