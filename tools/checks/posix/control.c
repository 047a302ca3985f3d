/* Rounding modes and floating-point flags are each thread's own. */
#include <fenv.h>
#include <pthread.h>
#include <sched.h>

#include "check.h"

#define THREADS 8
#define ROUNDS  2000

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

/* Divided when it is called, and not left out. */
__attribute__((noipa)) static double quotient(double one, double other)
{
	volatile double numerator = one, denominator = other;
	return numerator / denominator;
}

static void *divide(void *number)
{
	int own = *(int *)number % 4;
	CHECK_EQUAL(fesetround(modes[own]), 0);
	double expected = quotient(1, 3);
	for (int round = 0; round < ROUNDS; round++) {
		sched_yield();
		CHECK_EQUAL(fegetround(), modes[own]);
		CHECK(quotient(1, 3) == expected);
	}
	return NULL;
}

/* Half of the threads set the flag, and it stays set; the others never see it. */
static void *raise_flag(void *number)
{
	int sets = *(int *)number % 2;
	feclearexcept(FE_ALL_EXCEPT);
	if (sets)
		quotient(1, 0);
	for (int round = 0; round < ROUNDS; round++) {
		sched_yield();
		CHECK_EQUAL(fetestexcept(FE_DIVBYZERO) != 0, sets);
	}
	return NULL;
}

static void run(void *(*function)(void *))
{
	pthread_t threads[THREADS];
	int numbers[THREADS];
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		CHECK_EQUAL(pthread_create(&threads[i], NULL, function, &numbers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
}

int main(void)
{
	run(divide);
	printf("rounding\n");
	run(raise_flag);
	printf("flags\n");
	return 0;
}
