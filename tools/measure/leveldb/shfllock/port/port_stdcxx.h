/*
 * What LevelDB needs of a platform (its port/port_example.h), for threads, with the ShflLock of ../lock.h. It is found
 * before LevelDB's own file of this name.
 */
#ifndef LEVELDB_SHFLLOCK_PORT_H
#define LEVELDB_SHFLLOCK_PORT_H

#include <condition_variable>

#include "port/thread_annotations.h"
#include "tools/measure/leveldb/shfllock/lock.h"
#include "tools/measure/leveldb/without_libraries.h"

namespace leveldb
{
namespace port
{

class CondVar;

class LOCKABLE Mutex
{
  public:
	Mutex() = default;
	Mutex(const Mutex &) = delete;
	Mutex &operator=(const Mutex &) = delete;

	void Lock() EXCLUSIVE_LOCK_FUNCTION()
	{
		mutex_.lock();
	}
	void Unlock() UNLOCK_FUNCTION()
	{
		mutex_.unlock();
	}
	void AssertHeld() ASSERT_EXCLUSIVE_LOCK()
	{
	}

  private:
	friend class CondVar;
	shuffling_mutex mutex_;
};

class CondVar
{
  public:
	explicit CondVar(Mutex *mutex) : mutex_(mutex)
	{
	}
	CondVar(const CondVar &) = delete;
	CondVar &operator=(const CondVar &) = delete;

	void Wait()
	{
		condition_.wait(mutex_->mutex_);
	}
	void Signal()
	{
		condition_.notify_one();
	}
	void SignalAll()
	{
		condition_.notify_all();
	}

  private:
	std::condition_variable_any condition_;
	Mutex *const mutex_;
};

} // namespace port
} // namespace leveldb

#endif
