"""C++20 coroutines: what they wait at, and executors."""

H = "user/include/heddle/coroutine"

CHANGES = [
    # A thread that waits for a word looks again when there is something to see. Others overtake it behind its unlock.
    (f"{H}/word.hpp", """\t\tfor (unsigned looks = 0; taken_.exchange(true, std::memory_order_acquire);)
\t\t\twhile (taken_.load(std::memory_order_relaxed))
\t\t\t\tif (++looks % LOOKS == 0)
\t\t\t\t\tstd::this_thread::yield();
""", "\t\twhile (taken_.exchange(true, std::memory_order_acquire))\n\t\t\tmodel::await_word(taken_);\n"),
    (f"{H}/word.hpp", "taken_.store(false, std::memory_order_release);",
     "taken_.store(false, std::memory_order_release);\n\t\texplore_pause();"),
    (f"{H}/word.hpp", "#include <atomic>\n", """#include <atomic>
#include "explorer.h"
namespace model { void await_word(std::atomic<bool> &); }
"""),
    (f"{H}/misuse.hpp", """\tstd::fprintf(stderr, "heddle/coroutine.hpp: %s\\n", sentence);
\tstd::abort();
""", '\texplore_fail("%s", sentence);\n'),
    (f"{H}/misuse.hpp", "#include <cstdio>\n", '#include "explorer.h"\n'),
]
T = "user/include/heddle/thread_executor.hpp"
# Its threads are virtual processors, which look once before they sleep.
THREADS = [
    (T, "#include <memory>\n", '#include <memory>\n\n#include "threads.hpp"\n'),
    (T, "std::vector<std::thread> threads_;", "std::vector<model::thread> threads_;"),
    (T, "for (std::thread &one : threads_)", "for (model::thread &one : threads_)"),
    (T, "std::mutex sleep_;", "model::mutex sleep_;"),
    (T, "std::condition_variable wake_;", "model::condition_variable wake_;"),
    (T, "std::unique_lock<std::mutex> held(sleep_);", "std::unique_lock<model::mutex> held(sleep_);"),
    (T, "std::lock_guard<std::mutex> held(sleep_);\n\t\twake_",
     "std::lock_guard<model::mutex> held(sleep_);\n\t\twake_"),
    (T, "std::lock_guard<std::mutex> held(sleep_);\n\t\t\tends_",
     "std::lock_guard<model::mutex> held(sleep_);\n\t\t\tends_"),
    (T, "\t\tstatic thread_local place own;\n\t\treturn own;",
     "\t\treturn *static_cast<place *>(model::thread_place());"),
    (T, "LOOKS_BEFORE_SLEEP = 64", "LOOKS_BEFORE_SLEEP = 1"),
    (T, "return found;\n\t\t\tstd::this_thread::yield();", "return found;"),
    (T, "while (posting_.load(std::memory_order_acquire) > 0)\n\t\t\tstd::this_thread::yield();",
     "while (posting_.load(std::memory_order_acquire) > 0)\n\t\t\tmodel::await_zero(posting_);"),
]
MODEL = ["tools/verify/model/coroutines.cc"]

ONE_HAND_OVER = [(f"{H}/executor.hpp", "CHAIN = 1000", "CHAIN = 2")]

# What leaves a line lets those behind it try again.
NOT_TRIED_AGAIN = (f"{H}/operation.hpp", "one.in->remove(one);\n\t\town.advance(going);",
                   "one.in->remove(one);\n\t\t(void)own, (void)going;")
NOT_REMOVED = (f"{H}/operation.hpp", "one.in->remove(one);\n\t\town.advance(going);", "own.advance(going);")


def case(errors, changes=()):
    return {"sources": MODEL, "changes": [*CHANGES, *changes], "errors": errors}


CASES = {
    "coroutine_mutex": case({
        "word-taken-by-store": (
            f"{H}/word.hpp", "while (taken_.exchange(true, std::memory_order_acquire))",
            "while (taken_.load(std::memory_order_acquire) || (taken_.store(true, std::memory_order_relaxed), false))"),
        "word-released-early": (
            f"{H}/operation.hpp",
            "\t\thold held(object_.word_);\n\t\tif (is == state::cancelled)\n\t\t\treturn false;\n\t\tcoroutine",
            "\t\t{ hold held(object_.word_); if (is == state::cancelled) return false; }\n\t\tcoroutine"),
        "touched-in-line": (f"{H}/operation.hpp", "if (!is_done_ && is_waiting(self))\n\t\t\treturn true;",
                            "if (!is_done_ && is_waiting(self))\n\t\t\treturn is != state::comes;"),
        "free-while-handed-over": (f"{H}/mutex.hpp", "is_locked_ = next;", "is_locked_ = false;"),
        "next-not-let-go": (f"{H}/mutex.hpp", "\t\t\tgoing.let_go(*next);", "\t\t\t(void)going;"),
        "followed-elsewhere": (f"{H}/hand_over.hpp", "next.executor == self.executor && ", ""),
        "caller-forgotten": (f"{H}/hand_over.hpp", "\t\t\tself.post();\n\t\t\treturn next;", "\t\t\treturn next;"),
        "caller-touched": (f"{H}/hand_over.hpp", "\t\t\tself.post();\n\t\t\treturn next;",
                           "\t\t\tself.post();\n\t\t\tself.next = nullptr;\n\t\t\treturn next;"),
        "chain-unbounded": (f"{H}/executor.hpp", "return ++hand_overs_ < CHAIN;", "return true;"),
        "held-though-cancelled": (f"{H}/mutex.hpp", "return this->is_cancelled() ?", "return false ?"),
        "left-in-line": NOT_REMOVED,
    }, ONE_HAND_OVER),
    "coroutine_semaphore": case({
        "not-tried-again": NOT_TRIED_AGAIN,
        "permits-kept": (f"{H}/semaphore.hpp", "\t\tpermits_ -= amount;\n", ""),
        "given-too-late": (f"{H}/semaphore.hpp", "permits_ += one.amount;\n\t\tadvance(going);",
                           "advance(going);\n\t\tpermits_ += one.amount;"),
        "cancelled-though-it-goes": (f"{H}/operation.hpp", "if (is == state::goes || is_done_)", "if (is_done_)"),
        "done-twice": (f"{H}/operation.hpp", "if (!is_done_ && is_waiting(self))", "if (is_waiting(self))"),
    }),
    "coroutine_shared_mutex": case({
        "not-tried-again": NOT_TRIED_AGAIN,
        "writer-beside-readers": (f"{H}/shared_mutex.hpp", " || (amount == WRITES && readers_ > 0)", ""),
        "reader-beside-writer": (f"{H}/shared_mutex.hpp", "is_written_ || (amount == WRITES && readers_ > 0)",
                                 "amount == WRITES && (is_written_ || readers_ > 0)"),
        "one-reader-only": (f"{H}/shared_mutex.hpp", "while (!waiting_.is_empty() && admit",
                            "if (!waiting_.is_empty() && admit"),
    }),
    "coroutine_condition": case({
        "held-while-it-waits": (f"{H}/condition.hpp", "\t\t\t\tscope_ = own.empty_scope();\n", ""),
        "notification-lost": (f"{H}/condition.hpp", "\t\twaiter next(1);\n\t\tnotify(next, going);\n", ""),
        "notifies-none": (f"{H}/condition.hpp", "one.amount > 0 && (next", "one.amount > 1 && (next"),
        "not-in-line-for-mutex": (f"{H}/condition.hpp", "notified.mutex_.accept(notified, going);",
                                  "going.let_go(notified);"),
        "touched-in-line": (f"{H}/condition.hpp", "\t\t\tif (waiter *next = going.take())",
                            "\t\t\tif (is == state::comes)\n\t\t\t\treturn false;\n"
                            "\t\t\tif (waiter *next = going.take())"),
        "cancelled-though-notified": (f"{H}/condition.hpp", "if (came_ != news::none || is == state::cancelled)",
                                      "if (is == state::cancelled)"),
    }),
    "coroutine_meet": case({
        "event-for-one": (f"{H}/event.hpp", "going.let_all_go(waiting_);",
                          "if (waiter *one = waiting_.take())\n\t\t\tgoing.let_go(*one);"),
        "event-not-set": (f"{H}/event.hpp", "\t\tis_set_ = true;\n", ""),
        "counted-twice": (f"{H}/latch.hpp", "std::exchange(one.amount, 0)", "one.amount"),
        "passed-early": (f"{H}/latch.hpp", "return count_ == 0 ? nullptr : &waiting_;", "return nullptr;"),
        "arrived-twice": (f"{H}/barrier.hpp", "if (one.amount != 0)", "if (false)"),
        "phase-not-counted": (f"{H}/barrier.hpp", "phase_ = phase_ + 1 == 0 ? 1 : phase_ + 1;", ""),
    }),
    "coroutine_channel": case({
        "close-forgets-senders": (f"{H}/channel.hpp", "\t\tgoing.let_all_go(senders_);\n", ""),
        "close-forgets-receivers": (f"{H}/channel.hpp", "\t\tgoing.let_all_go(waiting_);\n", ""),
        "sender-not-let-go": (f"{H}/channel.hpp", "sender.is_sent = true;\n\t\tgoing.let_go(*one);",
                              "sender.is_sent = true;"),
        "waits-though-closed": (f"{H}/channel.hpp", "return own.message || is_closed_ ? nullptr : &waiting_;",
                                "return own.message ? nullptr : &waiting_;"),
        "room-not-counted": (f"{H}/channel.hpp", "\t\t\tcount_--;\n", ""),
        "left-in-line": NOT_REMOVED,
    }),
    "coroutine_cancellation": case({
        "left-twice": (f"{H}/cancellation.hpp", "if (std::exchange(is_entered_, false))", "if (is_entered_)"),
        "left-without-word": (f"{H}/cancellation.hpp", "\t\thold held(word_);\n\t\tif (one.is", "\t\tif (one.is"),
        "entered-after-request": (f"{H}/cancellation.hpp", "\t\tif (is_requested_)", "\t\tif (false)"),
        "taken-out-twice": (f"{H}/cancellation.hpp", "\t\t\t\tone->is = waiter::state::goes;\n", ""),
        "not-let-go": (f"{H}/operation.hpp", "\t\t\tgoing.let_go(*this);\n", ""),
    }),
    "coroutine_executors": case({
        "stays": (f"{H}/start.hpp", "\t\thandle.promise().executor = to_;\n", ""),
        "ends-elsewhere": (f"{H}/task.hpp", "if (next.executor == self.executor)", "if (true)"),
        "ended-task-lost": (f"{H}/task.hpp", "\t\t\t\telse\n\t\t\t\t\tnext.post();\n", ""),
        "touched-when-posted": (f"{H}/task.hpp", "\t\t\t\t\tnext.post();",
                                "\t\t\t\t\tnext.post(), self.next = nullptr;"),
        "posted-twice": (f"{H}/start.hpp", "\t\thandle.promise().executor = to_;\n\t\thandle.promise().post();",
                         "\t\thandle.promise().executor = to_;\n\t\thandle.promise().post();\n"
                         "\t\thandle.promise().post();"),
    }),
    "thread_executor": {
        "sources": [*MODEL, "tools/verify/model/threads.cc"],
        "changes": [*CHANGES, *THREADS],
        "errors": {
            "stolen-unseen": (T, "\t\t\tif (puts)\n\t\t\t\twake();\n", ""),
            "counted-too-late": (
                T, "\t\tsleeping_.fetch_add(1, std::memory_order_relaxed);\n\t\twork *found;\n\t\tbool puts;\n"
                "\t\twhile (!(found = find(number, puts)) && !is_over())\n\t\t\twake_.wait(held);\n",
                "\t\tbool puts;\n\t\twork *found = find(number, puts);\n"
                "\t\tsleeping_.fetch_add(1, std::memory_order_relaxed);\n\t\twhile (!found && !is_over()) {\n"
                "\t\t\twake_.wait(held);\n\t\t\tfound = find(number, puts);\n\t\t}\n"),
            "looked-before-put": (T, "\t\t\tqueues_[own.number]->put(one);\n\t\t\twake();",
                                  "\t\t\twake();\n\t\t\tqueues_[own.number]->put(one);"),
            "ends-too-early": (T, "sleeping_.load(std::memory_order_relaxed) == queues_.size() && ", ""),
            "stolen-lost": (T, "for (std::size_t i = 1; i < count; i++)", "for (std::size_t i = 2; i < count; i++)"),
        },
    },
}
