/*
 * C++20 coroutines that synchronize by exchange (exchange paper, section 5): tasks, and what they wait at. It
 * needs nothing but the standard library. `make coroutine-header` joins its parts, coroutine/, into one file, which
 * can be copied into programs without Heddle.
 *
 *     namespace co = heddle::coroutine;
 *
 *     co::task<int> insert(co::mutex &mutex, std::map<int, int> &map, int key)
 *     {
 *         co_await mutex.lock();
 *         map[key]++;
 *         int found = map[key];
 *         co_await mutex.unlock();            a coroutine that waits runs here, and at once
 *         co_return found;
 *     }
 *
 *     co::thread_executor executor(4);        heddle/thread_executor.hpp; on Heddle: heddle/task_executor.hpp
 *     int found = co::run(executor, insert(mutex, map, 7));
 *
 * Order. An operation that lets others go on (unlock(), release(), set() ...) is awaited. The first coroutine
 * that may go on is resumed next in the caller's place; the caller and the others are posted
 * to their executors. So critical sections follow each other on one thread without a queue between them.
 * An operation named ..._dispatch() is an ordinary function, for destructors too: it posts all that may go on,
 * and the caller continues (Figure 3).
 *
 * Executors. An executor is anything with `void post(co::work &) noexcept`. It calls work.run() once, soon, on
 * a thread of its choice, and not in post() itself. A coroutine belongs to one executor and runs only there:
 * the one given to spawn() or run(), or that of the task that awaits it. resume_on() changes it. Where a
 * coroutine lets one of another executor go on, that one is posted to its own. Only run() resumes it: an awaitable
 * of another library lets it go on by handle.promise().post().
 *
 * Stack. A coroutine that suspends returns to run(), which resumes the one that it has named. So hand-overs, tasks that
 * are awaited and tasks that end take no stack, however many follow each other, with any compiler and option.
 *
 * Memory. Only a coroutine's frame and a channel's ring are allocated: no unlock can fail.
 *
 * Fairness. Waiting is first come, first served, and suspends. A lock is handed over, so that no third
 * coroutine can take it between. After 1,000 hand-overs in a row the next coroutine is posted, which gives what
 * else is ready on that thread its turn. What leaves a line, cancelled or destroyed, lets those behind it try again.
 *
 * Progress. Each operation holds its object's test-and-set word for a bounded number of instructions, as in the
 * paper's library (section 5.1), and takes effect there; threads wait for each other that long.
 *
 * | operation                                   | progress                   | takes effect               |
 * |---------------------------------------------|----------------------------|----------------------------|
 * | lock, acquire, wait, receive, send, arrive  | waits for the word, then   | in the word's section that |
 * |                                             | suspends until it may go   | grants it, maybe another's |
 * | unlock, release, set, notify, close, ...    | waits for the word         | in the word's section      |
 * | try_..., ..._dispatch, is_set, reset        | waits for the word         | in the word's section      |
 * | cancellation::request                       | waits for the words of all | with its own word, then in |
 * |                                             | waits that it ends         | the section of each wait   |
 * | a coroutine that waits is destroyed         | waits for the word, of a   | in the word's section      |
 * |                                             | condition for both words   |                            |
 *
 * Exceptions. What a task throws comes out where the task is awaited, or of run(). An exception that leaves a
 * task of spawn() ends the process (std::terminate()). A channel's messages must move without exceptions.
 *
 * Cancellation. cancellable(cancellation, operation) ends a wait when that is requested, and says so: by false, or by
 * a result that is empty, as the `held` of mutex.scoped(). What has no empty result does not compile there. A
 * condition's wait still returns with its mutex. An arrival at a latch or a barrier still counts.
 *
 * Destruction. A coroutine that waits may be destroyed by the task that owns it, and with it the tasks that it awaits,
 * one in the other, which takes stack. It leaves its line, and what it waited for goes to the next, a condition's
 * notification included. Nothing may let it go on meanwhile, notify it or cancel it, so its executor must stand still
 * or run on the destroying thread. What the coroutine holds must be given up in destructors, as co::held does. At a
 * condition it does not hold the mutex, and its co::held is empty; a guard of one's own must know that too. A
 * coroutine that is ready or runs must not be destroyed.
 *
 * Misuse ends the process with a sentence on standard error: to unlock what is not locked, or by another way what a
 * co::held holds, to destroy an object that is locked or waited for, to destroy a coroutine that is ready, to count a
 * latch below 0, to await a task or an operation twice, to take a result before there is one. Three kinds are not
 * seen: to unlock what another coroutine holds, to lock what the caller holds, which waits for ever, and to resume
 * past run() a coroutine that has run.
 *
 * Any number of threads and coroutines may use an object. Its last user may destroy it when that user's last
 * operation has returned. A condition, an event, a latch or a barrier must stay until all that waited have gone on, and
 * a cancellation until all waits that it could end have ended.
 */
#ifndef HEDDLE_COROUTINE_HPP
#define HEDDLE_COROUTINE_HPP

#include "heddle/coroutine/barrier.hpp"
#include "heddle/coroutine/cancellation.hpp"
#include "heddle/coroutine/channel.hpp"
#include "heddle/coroutine/condition.hpp"
#include "heddle/coroutine/event.hpp"
#include "heddle/coroutine/executor.hpp"
#include "heddle/coroutine/hand_over.hpp"
#include "heddle/coroutine/latch.hpp"
#include "heddle/coroutine/line.hpp"
#include "heddle/coroutine/misuse.hpp"
#include "heddle/coroutine/mutex.hpp"
#include "heddle/coroutine/operation.hpp"
#include "heddle/coroutine/outcome.hpp"
#include "heddle/coroutine/semaphore.hpp"
#include "heddle/coroutine/shared_mutex.hpp"
#include "heddle/coroutine/start.hpp"
#include "heddle/coroutine/task.hpp"
#include "heddle/coroutine/word.hpp"

#endif
