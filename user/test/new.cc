/*
 * `new` and `delete` in C++ programs.
 */
#include <new>

#include "heddle/system.h"
#include "user/test/test.h"

namespace
{
int living;

struct counted {
	int number;
	explicit counted(int given = 0) : number(given)
	{
		living++;
	}
	virtual ~counted()
	{
		living--;
	}
};

struct larger : counted {
	char more[3000];
	larger() : counted(7)
	{
	}
};
} // namespace

TEST(new, one_object)
{
	counted *object = new counted(3);
	CHECK_EQUAL(object->number, 3);
	CHECK_EQUAL(living, 1);
	delete object;
	object = new larger;
	CHECK_EQUAL(object->number, 7);
	delete object;
	CHECK_EQUAL(living, 0);
}

TEST(new, many_objects)
{
	volatile int count = 1000;
	counted *objects = new counted[count];
	CHECK_EQUAL(living, 1000);
	delete[] objects;
	CHECK_EQUAL(living, 0);
}

TEST(new, without_memory)
{
	volatile std::size_t most = (std::size_t)1 << 40;
	char *memory = new (std::nothrow) char[most];
	CHECK(memory == nullptr);
	delete[] memory;
}
