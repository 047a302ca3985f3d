/*
 * Heddle inside an ordinary Linux program: two threads of the program each hand in a job, the jobs are divided among
 * many tasks, and the machine is stopped again. From the root of the repository, after `make hosted`:
 *
 *     gcc -Iuser/include user/demo/embedding/main.c build/hosted/libheddle.a -pthread -o embedding
 *     ./embedding
 */
#include <pthread.h>
#include <stdio.h>

#include <heddle/host.h>
#include <heddle/task.h>

#define PARTS 100

/* Count the numbers from 0 to below `end` that `divisor` divides. */
struct job {
	long end, divisor;
	enum heddle_error error;
	intptr_t count;
};

struct part {
	long first, end, divisor;
};

/* A task: one part of a job. */
static intptr_t part_count(void *argument)
{
	const struct part *part = argument;
	intptr_t count = 0;
	for (long number = part->first; number < part->end; number++)
		count += number % part->divisor == 0;
	return count;
}

/* A task: creates one for each part, and adds up their results; -1: one could not be created, or failed. */
static intptr_t job_count(void *argument)
{
	const struct job *job = argument;
	struct part parts[PARTS];
	struct task *tasks[PARTS];
	intptr_t sum = 0;
	int made = 0, failed = 0;
	for (; made < PARTS; made++) {
		parts[made] = (struct part){job->end * made / PARTS, job->end * (made + 1) / PARTS, job->divisor};
		if (task_create(&tasks[made], part_count, &parts[made], NULL) != HEDDLE_OK)
			break;
	}
	for (int i = 0; i < made; i++) {
		intptr_t count = 0;
		failed += task_join(tasks[i], &count) != HEDDLE_OK;
		sum += count;
	}
	return made == PARTS && !failed ? sum : -1;
}

/* A thread of the program, not a processor of the machine: hands in a job and blocks until it is done. */
static void *thread_main(void *argument)
{
	struct job *job = argument;
	job->error = heddle_run(job_count, job, &job->count);
	return NULL;
}

static int job_report(const struct job *job)
{
	intptr_t expected = (job->end + job->divisor - 1) / job->divisor;
	printf("numbers below %ld divisible by %ld: %ld (%s)\n", job->end, job->divisor, (long)job->count,
	       heddle_error_text(job->error));
	return job->error == HEDDLE_OK && job->count == expected;
}

int main(void)
{
	struct job jobs[2] = {{.end = 3000000, .divisor = 3}, {.end = 7000001, .divisor = 7}};
	pthread_t threads[2];
	enum heddle_error error = heddle_start("processors=2");
	if (error != HEDDLE_OK) {
		fprintf(stderr, "the machine does not start: %s\n", heddle_error_text(error));
		return 1;
	}
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, thread_main, &jobs[i]) != 0)
			return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	int left = heddle_stop();
	int ok = job_report(&jobs[0]) & job_report(&jobs[1]);
	printf("tasks left behind: %d\n", left);
	return ok && left == 0 ? 0 : 1;
}
