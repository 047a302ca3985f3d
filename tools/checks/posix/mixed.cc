/* C++: the standard library's own threads stay the host's, beside those of POSIX. */
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" { /* as old programs do */
#include <pthread.h>
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static std::mutex standard;
static std::vector<std::string> words;
static int cleaned;

/* Its constructor runs before main(). */
struct early {
	early()
	{
		pthread_mutex_lock(&mutex);
		words.push_back("early");
		pthread_mutex_unlock(&mutex);
	}
	~early()
	{
		pthread_mutex_lock(&mutex);
		std::cout << "late" << std::endl;
		pthread_mutex_unlock(&mutex);
	}
};
static early object;

static void clean(void *)
{
	cleaned++;
}

static void throw_inside()
{
	pthread_cleanup_push(clean, nullptr);
	throw std::runtime_error("thrown");
	pthread_cleanup_pop(0);
}

static void *work(void *number)
{
	for (int round = 0; round < 200; round++) {
		pthread_mutex_lock(&mutex);
		words.push_back(std::to_string(reinterpret_cast<long>(number)));
		pthread_mutex_unlock(&mutex);
		std::lock_guard<std::mutex> guard(standard);
		try {
			throw_inside();
		} catch (const std::exception &) {
		}
	}
	return number;
}

int main()
{
	std::vector<pthread_t> threads(8);
	for (size_t i = 0; i < threads.size(); i++)
		if (pthread_create(&threads[i], nullptr, work, reinterpret_cast<void *>(i)) != 0)
			return 1;
	for (pthread_t thread : threads)
		pthread_join(thread, nullptr);
	std::cout << words.size() << " words, cleaned " << cleaned << " times" << std::endl;
}
