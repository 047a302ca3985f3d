/*
 * A generator of bare fibers of Boost.Context: a value is handed over in memory, and each resumes the other.
 */
#ifndef PEERS_BOOST_CONTEXT_GENERATOR_HPP
#define PEERS_BOOST_CONTEXT_GENERATOR_HPP

#include <boost/context/fiber.hpp>

#include <cstdint>
#include <utility>

namespace boost_context
{

class generator
{
	boost::context::fiber inside, outside; // whichever is suspended
	uint64_t yielded = 0;
	bool ended = false;

  public:
	/* Runs function(*this), which calls yield(). */
	template <class Function>
	explicit generator(Function function)
	    : inside([this, function](boost::context::fiber &&resumer) {
		      outside = std::move(resumer);
		      function(*this);
		      ended = true;
		      return std::move(outside);
	      })
	{
	}
	generator(const generator &) = delete;

	void yield(uint64_t value)
	{
		yielded = value;
		outside = std::move(outside).resume();
	}

	/* Run it until it yields; false: it has ended. */
	bool next()
	{
		inside = std::move(inside).resume();
		return !ended;
	}

	uint64_t value() const
	{
		return yielded;
	}
};

} // namespace boost_context

#endif
