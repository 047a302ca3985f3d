/* A task that a plain mutex has refused waits until it may help to try again. */
#include "plain.h"
#include "ready.h"

void model_refuse(struct task *left, struct mutex *mutex);
void model_refuse(struct task *left, struct mutex *mutex)
{
	model_publish_when(left, plain_has_changed, mutex);
}
