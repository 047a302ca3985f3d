/*
 * What LevelDB needs of a platform (its port/port_example.h), on Heddle. It is found before LevelDB's own file of
 * this name, and gives all of LevelDB other locks.
 */
#ifndef LEVELDB_HEDDLE_PORT_H
#define LEVELDB_HEDDLE_PORT_H

#include "port/thread_annotations.h"
#include "tools/measure/leveldb/lock.h"
#include "tools/measure/leveldb/without_libraries.h"

namespace leveldb
{
namespace port
{

class CondVar;

class LOCKABLE Mutex
{
  public:
	Mutex()
	{
		port_mutex_create(&mutex_);
	}
	~Mutex()
	{
		port_mutex_destroy(&mutex_);
	}
	Mutex(const Mutex &) = delete;
	Mutex &operator=(const Mutex &) = delete;

	void Lock() EXCLUSIVE_LOCK_FUNCTION()
	{
		port_mutex_lock(&mutex_);
	}
	void Unlock() UNLOCK_FUNCTION()
	{
		port_mutex_unlock(&mutex_);
	}
	void AssertHeld() ASSERT_EXCLUSIVE_LOCK()
	{
	}

  private:
	friend class CondVar;
	port_mutex mutex_;
};

class CondVar
{
  public:
	explicit CondVar(Mutex *mutex) : mutex_(mutex)
	{
		port_condition_create(&condition_);
	}
	CondVar(const CondVar &) = delete;
	CondVar &operator=(const CondVar &) = delete;

	void Wait()
	{
		port_condition_wait(&condition_, &mutex_->mutex_);
	}

	/* LevelDB holds the mutex at both calls. */
	void Signal()
	{
		port_condition_notify_one(&condition_, &mutex_->mutex_);
	}
	void SignalAll()
	{
		port_condition_notify_all(&condition_, &mutex_->mutex_);
	}

  private:
	port_condition condition_;
	Mutex *const mutex_;
};

} // namespace port
} // namespace leveldb

#endif
