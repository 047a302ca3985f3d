// The same locks in C++11: the delegation paper's examples (section 4), messages that are objects, exceptions.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "qd.hpp"

#define CHECK(condition)                                                               \
	do {                                                                               \
		if (!(condition)) {                                                            \
			std::fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #condition); \
			std::exit(1);                                                              \
		}                                                                              \
	} while (0)

static void multiply(int *a, int b)
{
	*a = *a * b;
}

static int sum(int a, int b)
{
	return a + b;
}

static void examples()
{
	mrqdlock lock;
	std::map<int, double> map;
	int value = 3;
	lock.delegate_n([&map]() { map.insert(std::make_pair(21, 2.56)); });
	lock.delegate_n([&map]() { map.insert(std::make_pair(42, 3.14)); });
	auto future = lock.delegate_f([&map](int key) { return map[key]; }, 42);
	lock.rlock();
	double read = map[21];
	lock.runlock();
	CHECK(read == 2.56 && future.get() == 3.14);
	lock.delegate_n(&multiply, &value, 5);
	lock.DELEGATE_N(&multiply, &value, 7);
	lock.delegate_f([] {}).wait();
	CHECK(value == 105);
	CHECK(lock.DELEGATE_F(&sum, 2, 3).get() == 5);
}

// Each object is destroyed once, in whichever thread.
static void objects()
{
	qdlock lock;
	const std::string text = "a text that is too long to lie in the object itself";
	auto shared = std::make_shared<long>(0);
	std::vector<std::thread> threads;
	for (int i = 0; i < 4; i++)
		threads.emplace_back([&lock, &text, shared] {
			for (int k = 0; k < 5000; k++)
				lock.delegate_n(
				    [](const std::shared_ptr<long> &sum, const std::string &copy, std::unique_ptr<int> one) {
					    *sum += static_cast<long>(copy.size()) + *one;
				    },
				    shared, text, std::unique_ptr<int>(new int(1)));
		});
	for (auto &thread : threads)
		thread.join();
	lock.lock();
	CHECK(*shared == 4 * 5000 * static_cast<long>(text.size() + 1));
	lock.unlock();
	CHECK(shared.use_count() == 1);
}

static void exceptions()
{
	qdlock lock;
	try {
		lock.delegate_f([]() -> int { throw 5; }).get();
		CHECK(false);
	} catch (int thrown) {
		CHECK(thrown == 5);
	}
	CHECK(lock.try_lock());
	lock.unlock();
}

int main()
{
	examples();
	objects();
	exceptions();
	std::puts("done");
}
