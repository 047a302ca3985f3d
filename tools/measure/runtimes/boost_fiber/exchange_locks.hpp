/* The runtime of ../../peers/threads/boost_fiber.hpp with locks by exchange. */
#ifndef RUNTIMES_BOOST_FIBER_EXCHANGE_LOCKS_HPP
#define RUNTIMES_BOOST_FIBER_EXCHANGE_LOCKS_HPP

#include "runtimes/boost_fiber/exchange_mutex.hpp"

namespace runtime
{

constexpr const char *name = "boost-fiber-exchange";

using mutex = exchange::mutex;
using condition = exchange::condition;
using stealing = exchange::work_stealing;

} // namespace runtime

#endif
