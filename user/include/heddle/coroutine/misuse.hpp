/* Coroutines by exchange (coroutine.hpp): how misuse ends the process. */
#ifndef HEDDLE_COROUTINE_MISUSE_HPP
#define HEDDLE_COROUTINE_MISUSE_HPP

#include <cstdio>
#include <cstdlib>

namespace heddle::coroutine
{

[[noreturn]] inline void misuse(const char *sentence) noexcept
{
	std::fprintf(stderr, "heddle/coroutine.hpp: %s\n", sentence);
	std::abort();
}

} // namespace heddle::coroutine

#endif
