/*
 * Mistakes, which the address and leak sanitizers are to find in tasks, each at the line that names it. The first
 * argument has the words to start the machine with, the second one is the mistake's name.
 */
#include <stdlib.h>
#include <string.h>

#include <heddle/generator.h>
#include <heddle/host.h>
#include <heddle/system.h>
#include <heddle/task.h>

#define TASKS  8
#define NUMBER 40
#define BYTES  (NUMBER * sizeof(unsigned))
#define TURNS  2000 /* longer than a quantum */
#define DEPTH  30

static volatile unsigned beyond = NUMBER;
static volatile uintptr_t hidden;
static const char *mistake;

static bool makes(const char *name)
{
	return strcmp(mistake, name) == 0;
}

static void linger(void)
{
	for (volatile unsigned turn = 0; turn < TURNS;)
		turn = turn + 1;
	task_yield();
}

__attribute__((noipa)) static unsigned *obtain(void)
{
	return malloc(BYTES); /* obtained */
}

__attribute__((noipa)) static void forget(unsigned *numbers)
{
	free(numbers); /* freed */
}

__attribute__((noipa)) static void overflow(void)
{
	unsigned array[NUMBER];
	memset(array, 1, sizeof(array));
	linger();
	array[beyond] = 1; /* overflow of a local array */
	hidden = array[beyond / 2];
}

static void generate(struct generator_body *self, void *unused)
{
	(void)unused;
	for (;;) {
		generator_yield(self, 1);
		overflow();
	}
}

static void overflow_in_generator(void)
{
	struct generator generator;
	if (generator_create(&generator, NULL, 0, generate, NULL) != HEDDLE_OK)
		return;
	for (unsigned i = 0; i < 2; i++)
		generator_resume(&generator);
	generator_destroy(&generator);
}

static intptr_t err(void *unused)
{
	unsigned *numbers = obtain();
	(void)unused;
	linger();
	if (makes("overflow of memory"))
		numbers[beyond] = 1; /* overflow of memory */
	if (makes("overflow of a local array"))
		overflow();
	if (makes("overflow in a generator"))
		overflow_in_generator();
	forget(numbers);
	linger();
	if (makes("use after free"))
		numbers[beyond / 2] = 1; /* use after free */
	return 0;
}

/* ------------------------------------------------------------------------------------------------- leaks -- */

static struct task *ender;

/* Leave no copies of pointers. */
__attribute__((noipa)) static unsigned overwrite(unsigned depth)
{
	volatile unsigned char room[100];
	memset((void *)room, (int)depth, sizeof(room));
	return depth == 0 ? room[depth] : overwrite(depth - 1) + room[depth];
}

__attribute__((noipa)) static void leak(void)
{
	hidden = ~(uintptr_t)obtain();
}

/* In memory of Heddle's, which only this task's variable leads to. */
__attribute__((noipa)) static unsigned **keep(void)
{
	unsigned **kept = heddle_new(BYTES);
	for (unsigned i = 0; kept && i < BYTES / sizeof(*kept); i++)
		kept[i] = obtain();
	return kept;
}

/* Whether `kept` is still there keeps the compiler from forgetting it. */
static intptr_t stay(void *unused)
{
	unsigned *volatile own = obtain();
	unsigned **volatile kept = keep();
	(void)unused;
	overwrite(DEPTH);
	task_resume(ender);
	task_suspend();
	return own && kept;
}

/* The program ends while the machine runs. */
static intptr_t end(void *unused)
{
	struct task *task;
	(void)unused;
	ender = task_current();
	if (makes("leak"))
		leak();
	for (unsigned i = 0; i < TASKS; i++)
		if (task_create(&task, stay, NULL, NULL) == HEDDLE_OK)
			task_suspend();
	overwrite(DEPTH);
	exit(0);
}

static intptr_t run_all(void *unused)
{
	struct task *tasks[TASKS];
	unsigned made = 0;
	(void)unused;
	while (made < TASKS && task_create(&tasks[made], err, NULL, NULL) == HEDDLE_OK)
		made++;
	for (unsigned i = 0; i < made; i++)
		task_join(tasks[i], NULL);
	return made == TASKS;
}

int main(int count, char **arguments)
{
	intptr_t result = 0;
	if (count < 3 || heddle_start(arguments[1]) != HEDDLE_OK)
		return 1;
	mistake = arguments[2];
	if (makes("leak") || makes("none at the end"))
		heddle_run(end, NULL, &result);
	else
		heddle_run(run_all, NULL, &result);
	return heddle_stop() != 0 || !result;
}
