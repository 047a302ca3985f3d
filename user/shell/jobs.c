/*
 * Programs that the shell runs, each in a task of its own: the shell waits for one, or leaves it in the background.
 *
 *     FREE --jobs_run--> RUNS --its task, at its end--> ENDED --the shell joins it--> FREE
 */
#include <stdatomic.h>
#include <string.h>

#include "arch/arch.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "user/program_list.h"
#include "user/shell/editor.h"
#include "user/shell/shell.h"
#include "user/shell/terminal.h"

#define JOBS  8
#define STACK 65536 /* as the main task's */

enum { FREE, RUNS, ENDED };

static struct job {
	_Atomic uint32_t state;
	bool behind;
	struct task *task;
	unsigned succeeded, count;
	char words[EDITOR_LINE_MOST + 1];
} jobs[JOBS];

static intptr_t run_all(void *argument)
{
	struct job *job = argument;
	char copy[EDITOR_LINE_MOST + 1];
	const char *words = job->words;
	for (struct piece word = shell_word(&words); word.length > 0; word = shell_word(&words)) {
		memcpy(copy, word.text, word.length);
		copy[word.length] = 0;
		job->succeeded += program_run_words(copy);
		job->count++;
	}
	/* RUNS -> ENDED; release: the outcome; pairs with the load in has_ended. */
	atomic_store_explicit(&job->state, ENDED, memory_order_release);
	return 0;
}

static bool has_ended(struct job *job)
{
	/* acquire: pairs with run_all. */
	return atomic_load_explicit(&job->state, memory_order_acquire) == ENDED;
}

static void finish(struct job *job)
{
	task_join(job->task, NULL);
	if (job->behind)
		heddle_print("shell: %s has ended: %u of %u succeeded", job->words, job->succeeded, job->count);
	else if (job->succeeded < job->count)
		heddle_print("shell: %u of %u programs succeeded", job->succeeded, job->count);
	atomic_store_explicit(&job->state, FREE, memory_order_relaxed);
}

static struct job *find_free(void)
{
	for (unsigned i = 0; i < JOBS; i++)
		if (atomic_load_explicit(&jobs[i].state, memory_order_relaxed) == FREE)
			return &jobs[i];
	return NULL;
}

/* A program has static variables, which two runs of it would share. */
static bool is_running(const char *words)
{
	for (struct piece word = shell_word(&words); word.length > 0; word = shell_word(&words)) {
		const char *rest = word.text;
		struct piece name = piece_cut(&rest, ',');
		name.length = name.length < word.length ? name.length : word.length;
		for (unsigned i = 0; i < JOBS; i++) {
			const char *others = jobs[i].words;
			if (atomic_load_explicit(&jobs[i].state, memory_order_relaxed) != RUNS)
				continue;
			for (struct piece other = shell_word(&others); other.length > 0; other = shell_word(&others))
				if (other.length >= name.length && memcmp(other.text, name.text, name.length) == 0 &&
				    (other.length == name.length || other.text[name.length] == ',')) {
					heddle_print("run: %.*s runs already, in the background", (int)name.length, name.text);
					return true;
				}
		}
	}
	return false;
}

static bool start(struct job *job, const char *words, bool behind)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.name = "run";
	options.stack_size = STACK;
	job->behind = behind;
	job->succeeded = job->count = 0;
	memcpy(job->words, words, strlen(words) + 1);
	atomic_store_explicit(&job->state, RUNS, memory_order_relaxed);
	if (task_create(&job->task, run_all, job, &options) == HEDDLE_OK)
		return true;
	atomic_store_explicit(&job->state, FREE, memory_order_relaxed);
	heddle_print("run: there is no memory for a task");
	return false;
}

void jobs_run(const char *words, bool behind)
{
	struct job *job = find_free();
	if (!job) {
		heddle_print("run: %d programs run in the background, and no more can", JOBS);
		return;
	}
	if (is_running(words) || !start(job, words, behind) || behind)
		return;
	while (!has_ended(job)) {
		if (terminal_is_interrupted()) {
			job->behind = true;
			heddle_print("shell: %s goes on in the background", words);
			return;
		}
		terminal_wait();
	}
	finish(job);
}

void jobs_report(void)
{
	for (unsigned i = 0; i < JOBS; i++)
		if (has_ended(&jobs[i]))
			finish(&jobs[i]);
}

unsigned jobs_count(void)
{
	unsigned count = 0;
	for (unsigned i = 0; i < JOBS; i++)
		count += atomic_load_explicit(&jobs[i].state, memory_order_relaxed) == RUNS;
	return count;
}
