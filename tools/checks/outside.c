/*
 * A Linux program whose only processor is kept busy by two tasks that hand a mutex over to each other for ever, so
 * that it never has to pick a task: what another thread hands in still gets its turn, and ends that.
 */
#include <heddle/condition.h>
#include <heddle/host.h>
#include <heddle/mutex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
static struct condition turn = HEDDLE_CONDITION_INITIALIZER;
static atomic_bool plays, over;

static intptr_t play(void *unused)
{
	mutex_lock(&mutex);
	while (!over) {
		plays = true;
		condition_notify_one(&turn);
		condition_wait(&turn, &mutex);
	}
	condition_notify_one(&turn);
	mutex_unlock(&mutex);
	return (intptr_t)unused;
}

static intptr_t play_together(void *unused)
{
	struct task *other;
	if (task_create(&other, play, NULL, NULL) != HEDDLE_OK)
		return -1;
	play(unused);
	return task_join(other, NULL);
}

static void *host_play(void *result)
{
	heddle_run(play_together, NULL, result);
	return NULL;
}

static intptr_t end(void *unused)
{
	over = true;
	return (intptr_t)unused;
}

int main(void)
{
	pthread_t thread;
	intptr_t played = -1;
	if (heddle_start("processors=1") != HEDDLE_OK || pthread_create(&thread, NULL, host_play, &played) != 0)
		return EXIT_FAILURE;
	while (!plays)
		usleep(1000);
	heddle_run(end, NULL, NULL);
	pthread_join(thread, NULL);
	printf("the game is over: %d\n", (int)played);
	return heddle_stop() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
