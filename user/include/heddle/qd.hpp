/*
 * Delegation locks in C++ (qd_lock.h, mrqd_lock.h) that contain their queues:
 *
 *     static heddle::mrqdlock lock;
 *     lock.delegate_n([](int *a, int b) { *a = *a * b; }, &value, 7);     returns at once
 *     lock.delegate_n<&multiply>(&value, 7);                              the same without a stored pointer
 *     heddle::future<int> f = lock.delegate_f([](int *a) { return *a; }, &value);
 *     if (f.wait() == HEDDLE_OK) ...
 *
 * Like all of Heddle's locks they need no destruction: they must only not be in use any more.
 */
#ifndef HEDDLE_QD_HPP
#define HEDDLE_QD_HPP

#include "heddle/delegation.hpp"
#include "heddle/guard.hpp"

namespace heddle
{

template <size_t Slots = HEDDLE_QD_SLOTS, uint32_t Limit = HEDDLE_QD_LIMIT>
class sized_qdlock : public delegation_lock<struct qd_lock, Slots>
{
  public:
	constexpr sized_qdlock() : delegation_lock<struct qd_lock, Slots>(Limit)
	{
	}
};

/* Many tasks may read together. */
template <size_t Slots = HEDDLE_QD_SLOTS, uint32_t Limit = HEDDLE_QD_LIMIT>
class sized_mrqdlock : public delegation_lock<struct mrqd_lock, Slots>
{
  public:
	constexpr sized_mrqdlock() : delegation_lock<struct mrqd_lock, Slots>(Limit)
	{
	}

	/* Wait for what was delegated before, and read: mrqd_read_lock(). */
	HEDDLE_MAY_SWITCH heddle_error read_lock()
	{
		return mrqd_read_lock(&this->lock_);
	}

	HEDDLE_MAY_SWITCH heddle_error read_lock_until(uint64_t deadline)
	{
		return mrqd_read_lock_until(&this->lock_, deadline);
	}

	heddle_error read_try_lock()
	{
		return mrqd_read_try_lock(&this->lock_);
	}

	HEDDLE_MAY_WAKE heddle_error read_unlock()
	{
		return mrqd_read_unlock(&this->lock_);
	}
};

using qdlock = sized_qdlock<>;
using mrqdlock = sized_mrqdlock<>;

} // namespace heddle

#endif
