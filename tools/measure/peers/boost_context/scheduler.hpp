/*
 * Tasks on fibers of Boost.Context, in one thread: a queue of those that are ready, from which each switches
 * straight to the next.
 */
#ifndef PEERS_BOOST_CONTEXT_SCHEDULER_HPP
#define PEERS_BOOST_CONTEXT_SCHEDULER_HPP

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>

#include <deque>
#include <functional>

namespace boost_context
{

using boost::context::fiber;

/* A stack that begins some bytes further down: the same frames of all tasks lie in other sets of the cache. */
struct coloured_stack {
	boost::context::fixedsize_stack plain;
	std::size_t colour;

	boost::context::stack_context allocate()
	{
		boost::context::stack_context stack = plain.allocate();
		stack.sp = static_cast<char *>(stack.sp) - colour;
		return stack;
	}

	void deallocate(boost::context::stack_context &stack)
	{
		stack.sp = static_cast<char *>(stack.sp) + colour;
		plain.deallocate(stack);
	}
};

struct task {
	fiber place; // where it goes on; empty while it runs
	task *next = nullptr;
	bool waits = false;
};

class scheduler
{
	std::deque<task> tasks; // they stay where they are
	task *first = nullptr, *last = nullptr;
	task outside; // the caller of run()
	task *running = &outside, *left = nullptr;

	/* The task that goes on stores where the one before was left, unless that has ended. */
	void arrive(fiber &&before)
	{
		if (before)
			left->place = std::move(before);
	}

	task *take()
	{
		task *taken = first;
		if (!taken)
			return &outside;
		first = taken->next;
		return taken;
	}

	void ready(task *task)
	{
		task->next = nullptr;
		(first ? last->next : first) = task;
		last = task;
	}

	void go(task *next)
	{
		left = running;
		running = next;
		arrive(std::move(next->place).resume());
	}

  public:
	bool is_coloured = false;

	task *current() const
	{
		return running;
	}

	void add(std::function<void()> function)
	{
		std::size_t colour = is_coloured ? tasks.size() * 37 % 64 * 64 : 0;
		coloured_stack stack{boost::context::fixedsize_stack(), colour};
		task &made = tasks.emplace_back();
		made.place = fiber(std::allocator_arg, stack, [this, function](fiber &&before) {
			arrive(std::move(before));
			function();
			running = take();
			return std::move(running->place);
		});
		ready(&made);
	}

	void yield()
	{
		if (!first)
			return;
		ready(running);
		go(take());
	}

	/* Wait for resume(). */
	void suspend()
	{
		running->waits = true;
		go(take());
	}

	void resume(task *task)
	{
		if (task->waits)
			ready(task);
		task->waits = false;
	}

	/* Until no task is ready any more. */
	void run()
	{
		go(take());
	}
};

} // namespace boost_context

#endif
