#include "coroutines.hpp"

#include <atomic>
#include <cstring>

namespace model
{

executor executors[2];

unsigned alone::there_, shared::there_;

static const script *own;
static unsigned running, there; /* processors that run a coroutine, and that have not ended */
static bool outside_has_ended;
static unsigned in_turn[EXPLORE_PROCESSORS];

/* ---- the heap ---- */

constexpr std::size_t HEAP = 8192, ALIGNMENT = 16;
constexpr unsigned PIECES = 32;

alignas(64) static unsigned char heap[HEAP];

/* What was allocated, in the order of its places. */
static struct {
	unsigned short start, room;
	bool is_used;
} pieces[PIECES];
static unsigned piece_count, pieces_left;
static unsigned
    prepared; /* pieces that the set-up has allocated for the case; those behind are its coroutines' */

static void *allocate(std::size_t size, std::size_t alignment)
{
	std::size_t end = piece_count ? pieces[piece_count - 1].start + pieces[piece_count - 1].room : 0;
	std::size_t start = (end + alignment - 1) / alignment * alignment;
	if (start + size > HEAP || piece_count == PIECES)
		explore_fail("the heap of the case is too small");
	pieces[piece_count++] = {static_cast<unsigned short>(start), static_cast<unsigned short>(size), true};
	pieces_left++;
	return heap + start;
}

static bool does_any_wait()
{
	for (unsigned i = prepared; i < piece_count; i++)
		if (pieces[i].is_used)
			return true;
	return false;
}

/* What was in it makes no states different. */
static void release(void *place)
{
	if (!place)
		return;
	for (unsigned i = 0; i < piece_count; i++)
		if (heap + pieces[i].start == place && pieces[i].is_used) {
			std::memset(place, 0, pieces[i].room);
			explore_free(place, pieces[i].room);
			pieces[i].is_used = false;
			pieces_left--;
			return;
		}
	explore_fail("something is freed that is not allocated");
}

/* ---- words ---- */

AS_MEMORY_IS static bool is_free(void *word)
{
	return !*static_cast<const volatile bool *>(word);
}

void await_word(std::atomic<bool> &word)
{
	explore_wait(is_free, &word);
}

/* ---- executors ---- */

/* What the poster has stored reaches memory before. Behind it, others can overtake the poster: it must not touch the
 * coroutine any more. */
void executor::post(co::work &one) noexcept
{
	static std::atomic<unsigned> stored;
	stored.exchange(1);
	for (unsigned i = 0; i < count_; i++)
		expect(ready_[i] != &one, "a coroutine is posted twice");
	expect(count_ < 2 * COROUTINES, "more is ready than there are coroutines");
	ready_[count_++] = &one;
	explore_pause();
}

AS_MEMORY_IS static bool is_over()
{
	return running == 0 && (outside_has_ended || !own->outside);
}

AS_MEMORY_IS bool may_take(void *executor)
{
	bool is_ready = false;
	for (const model::executor &one : executors)
		is_ready |= one.count_ > 0;
	return static_cast<model::executor *>(executor)->count_ > 0 || (!is_ready && is_over());
}

/* nullptr: nothing will be ready any more. */
co::work *executor::take() noexcept
{
	explore_wait(may_take, this);
	if (count_ == 0)
		return nullptr;
	co::work *one = ready_[0];
	for (unsigned i = 1; i < count_; i++)
		ready_[i - 1] = ready_[i];
	ready_[--count_] = nullptr;
	return one;
}

void expect_on(const executor &one)
{
	expect(&one == &executors[explore_processor() % own->executors],
	       "a coroutine runs where it does not belong");
}

void expect_in_turn(unsigned at_most)
{
	expect(++in_turn[explore_processor()] <= at_most, "too many coroutines run by hand-overs in a row");
}

/* ---- cases ---- */

void set_up(const explore_case *explored)
{
	own = static_cast<const script *>(explored->script);
	there = explored->processors;
	explore_name(heap, sizeof heap, "heap");
	if (own->is_watched)
		explore_watch(heap, sizeof heap);
	if (own->prepare)
		own->prepare();
	prepared = piece_count;
	for (unsigned i = 0; i < COROUTINES && own->coroutines[i]; i++)
		co::spawn(executors[i % own->executors], own->coroutines[i]());
}

static void serve(executor &served)
{
	while (co::work *one = served.take()) {
		running++;
		one->run();
		in_turn[explore_processor()] = 0;
		running--;
	}
}

void program(const explore_case *, unsigned processor)
{
	if (processor < own->processors) {
		serve(executors[processor % own->executors]);
	} else {
		own->outside();
		outside_has_ended = true;
	}
	explore_drain();
	if (--there > 0)
		return;
	expect(!does_any_wait(), "a coroutine waits for ever");
	if (own->finish)
		own->finish();
	expect(pieces_left == 0, "something that was allocated is not freed");
}

const char *check(const explore_case *)
{
	return nullptr;
}

} // namespace model

/* ---- what the code under test calls ---- */

void *operator new(std::size_t size)
{
	return model::allocate(size, model::ALIGNMENT);
}

void *operator new(std::size_t size, std::align_val_t alignment)
{
	return model::allocate(size, static_cast<std::size_t>(alignment));
}

void operator delete(void *place) noexcept
{
	model::release(place);
}

void operator delete(void *place, std::size_t) noexcept
{
	model::release(place);
}

void operator delete(void *place, std::size_t, std::align_val_t) noexcept
{
	model::release(place);
}
