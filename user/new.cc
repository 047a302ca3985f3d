/*
 * `new` and `delete` of C++ programs: heddle_new() and heddle_delete(). There are no exceptions, so where there is no
 * memory, `new` ends the task by a fault, and new (std::nothrow) returns a null pointer. For a type that asks for more
 * alignment than 16 bytes there is neither: its program does not link.
 */
#include <new>

#include "heddle/system.h"

const std::nothrow_t std::nothrow{};

void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept
{
	return heddle_new(bytes);
}

void *operator new(std::size_t bytes)
{
	void *memory = heddle_new(bytes);
	if (!memory) {
		heddle_log("error: new: there is no memory for an object of %zu bytes, so its task ends", bytes);
		__builtin_trap();
	}
	return memory;
}

void operator delete(void *memory) noexcept
{
	heddle_delete(memory);
}

void operator delete(void *memory, std::size_t) noexcept
{
	heddle_delete(memory);
}

void *operator new[](std::size_t bytes, const std::nothrow_t &) noexcept
{
	return heddle_new(bytes);
}

void *operator new[](std::size_t bytes)
{
	return operator new(bytes);
}

void operator delete[](void *memory) noexcept
{
	heddle_delete(memory);
}

void operator delete[](void *memory, std::size_t) noexcept
{
	heddle_delete(memory);
}
