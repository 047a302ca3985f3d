/* A program of POSIX's threads, which knows nothing of Heddle; it has a function of a name that Heddle has as well. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

int mutex_lock(int number);
int mutex_lock(int number)
{
	return number + 1;
}

static void *add(void *number)
{
	pthread_mutex_lock(&mutex);
	sum += mutex_lock(*(int *)number);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	int numbers[] = {1, 20, 300};
	for (int i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, add, &numbers[i]) != 0)
			return 1;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", sum);
	return 0;
}
