/*
 * The shared integer of the delegation paper's section 3: tasks multiply it by odd numbers, and sometimes read it.
 * There is a line for each way to write that: with the exchange mutex (or the exchange reader-writer lock, if it is
 * read), which is the reference; with lock and unlock of a delegation lock; with the multiplication delegated,
 * delegated and waited for, or written into the queue.
 */
#include "heddle/hqd_lock.h"
#include "heddle/mrqd_lock.h"
#include "heddle/program.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/system.h"
#include "user/bench/measure.h"
#include "user/bench/random.h"

enum form { ALL, EXCHANGE, LOCK, DELEGATE, DELEGATE_WAIT, DELEGATE_OR_LOCK, FORMS };
static const char *const form_names[] = {"all",      "exchange",      "lock",
                                         "delegate", "delegate-wait", "delegate-or-lock"};

enum kind { QD, MRQD, HQD };

struct integer {
	struct mutex mutex;
	struct reader_writer_lock reader_writer_lock;
	struct mrqd_lock lock; /* of QD only what is common to both */
	struct hqd_lock hierarchical;
	_Alignas(128) uint64_t value;
	uint64_t multiplications;
	/* of the run */
	enum form form;
	enum kind kind;
	uint64_t rounds, reads, work;
	_Atomic uint64_t product; /* of all factors */
	_Atomic uint64_t updates; /* how many there were */
};

struct factor {
	struct integer *integer;
	uint64_t factor;
	uint64_t *result; /* where to store it; NULL: not wanted */
};

static void multiply(size_t size, void *message)
{
	struct factor *factor = message;
	(void)size;
	factor->integer->value *= factor->factor;
	factor->integer->multiplications++;
	if (factor->result)
		*factor->result = factor->integer->value;
}

/* ------------------------------------------------------------------------------------------------ forms --
 */

static void multiply_exchange(struct integer *integer, struct factor *factor)
{
	if (integer->reads) {
		reader_writer_lock_write(&integer->reader_writer_lock);
		multiply(sizeof(*factor), factor);
		reader_writer_lock_write_unlock(&integer->reader_writer_lock);
	} else {
		mutex_lock(&integer->mutex);
		multiply(sizeof(*factor), factor);
		mutex_unlock(&integer->mutex);
	}
}

static void multiply_lock(struct integer *integer, struct factor *factor)
{
	if (integer->kind == HQD) {
		hqd_lock(&integer->hierarchical);
		multiply(sizeof(*factor), factor);
		hqd_unlock(&integer->hierarchical);
	} else {
		qd_lock(&integer->lock.lock);
		multiply(sizeof(*factor), factor);
		qd_unlock(&integer->lock.lock);
	}
}

static void multiply_detached(struct integer *integer, const struct factor *factor)
{
	if (integer->kind == HQD)
		hqd_delegate(&integer->hierarchical, multiply, sizeof(*factor), factor);
	else
		qd_delegate(&integer->lock.lock, multiply, sizeof(*factor), factor);
}

static void multiply_wait(struct integer *integer, struct factor *factor)
{
	uint64_t result = 0;
	factor->result = &result;
	if (integer->kind == HQD)
		hqd_delegate_wait(&integer->hierarchical, multiply, sizeof(*factor), factor);
	else
		qd_delegate_wait(&integer->lock.lock, multiply, sizeof(*factor), factor);
	/* All factors are odd. */
	if (!(result & 1))
		factor->factor = 0;
}

static void multiply_in_buffer(struct integer *integer, struct factor *factor)
{
	void *buffer;
	bool hierarchical = integer->kind == HQD;
	enum heddle_error error = hierarchical
	                              ? hqd_delegate_or_lock(&integer->hierarchical, sizeof(*factor), &buffer)
	                              : qd_delegate_or_lock(&integer->lock.lock, sizeof(*factor), &buffer);
	if (error != HEDDLE_OK)
		return;
	if (buffer) {
		*(struct factor *)buffer = *factor;
		if (hierarchical)
			hqd_close_buffer(&integer->hierarchical, buffer, multiply);
		else
			qd_close_buffer(&integer->lock.lock, buffer, multiply);
	} else {
		multiply(sizeof(*factor), factor);
		if (hierarchical)
			hqd_delegate_unlock(&integer->hierarchical);
		else
			qd_delegate_unlock(&integer->lock.lock);
	}
}

static void multiply_by(struct integer *integer, struct factor *factor)
{
	switch (integer->form) {
	case EXCHANGE:
		multiply_exchange(integer, factor);
		break;
	case LOCK:
		multiply_lock(integer, factor);
		break;
	case DELEGATE:
		multiply_detached(integer, factor);
		break;
	case DELEGATE_WAIT:
		multiply_wait(integer, factor);
		break;
	default:
		multiply_in_buffer(integer, factor);
	}
}

static void read_value(size_t size, void *message)
{
	struct factor *factor = message;
	(void)size;
	*factor->result = factor->integer->value;
}

/* Together with other readers, if the lock supports that. */
static uint64_t integer_read(struct integer *integer)
{
	uint64_t value = 0;
	struct factor factor = {.integer = integer, .result = &value};
	if (integer->form == EXCHANGE) {
		reader_writer_lock_read(&integer->reader_writer_lock);
		value = integer->value;
		reader_writer_lock_read_unlock(&integer->reader_writer_lock);
	} else if (integer->kind == MRQD) {
		mrqd_read_lock(&integer->lock);
		value = integer->value;
		mrqd_read_unlock(&integer->lock);
	} else if (integer->kind == HQD) {
		hqd_delegate_wait(&integer->hierarchical, read_value, sizeof(factor), &factor);
	} else {
		qd_delegate_wait(&integer->lock.lock, read_value, sizeof(factor), &factor);
	}
	return value;
}

/* -------------------------------------------------------------------------------------------------- run --
 */

/* Returns how often it read an impossible value. */
static intptr_t member(size_t number, void *argument)
{
	struct integer *integer = argument;
	struct random random = random_start(number);
	uint64_t product = 1, wrong = 0, updates = 0;
	for (uint64_t i = 0; i < integer->rounds; i++) {
		if (integer->reads && random_below(&random, 100) < integer->reads) {
			wrong += !(integer_read(integer) & 1);
		} else {
			struct factor factor = {.integer = integer, .factor = random_below(&random, UINT32_MAX) | 1};
			product *= factor.factor;
			multiply_by(integer, &factor);
			wrong += factor.factor == 0;
			updates++;
		}
		for (volatile uint64_t done = 0; done < integer->work; done++)
			continue;
	}
	/* relaxed: read after the joins, which order it */
	uint64_t old = atomic_load_explicit(&integer->product, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&integer->product, &old, old * product,
	                                              memory_order_relaxed, memory_order_relaxed)) {
	}
	atomic_fetch_add_explicit(&integer->updates, updates, memory_order_relaxed);
	return (intptr_t)wrong;
}

/* The last delegated section may still have to run: it does so before the lock is acquired here. */
static void settle(struct integer *integer)
{
	qd_lock(&integer->lock.lock);
	qd_unlock(&integer->lock.lock);
	for (unsigned i = 0; i < integer->hierarchical.nodes; i++) {
		qd_lock(&integer->hierarchical.node[i]);
		qd_unlock(&integer->hierarchical.node[i]);
	}
}

static bool is_unused(struct integer *integer)
{
	enum heddle_error error = integer->kind == HQD    ? hqd_lock_destroy(&integer->hierarchical)
	                          : integer->kind == MRQD ? mrqd_lock_destroy(&integer->lock)
	                                                  : qd_lock_destroy(&integer->lock.lock);
	return error == HEDDLE_OK;
}

static bool integer_measure(struct program_run *run, struct integer *integer)
{
	uint64_t tasks = program_value(run, "tasks"), duration;
	struct crew crew = {.name = "multiply", .function = member, .argument = integer, .count = tasks};
	intptr_t wrong;
	if (!crew_measure(run, &crew, &duration, &wrong))
		return false;
	settle(integer);
	bool ok = wrong == 0 && integer->value == integer->product &&
	          integer->multiplications == integer->updates && is_unused(integer);
	const struct qd_counters *counters = &integer->lock.lock.counters;
	if (integer->form != EXCHANGE && integer->kind != HQD) {
		program_result_extra(run, "helped", counters->helped);
		program_result_extra(run, "waited", counters->waited);
		program_result_extra(run, "longest_help", counters->longest_help);
	}
	program_result(run, form_names[integer->form], tasks * integer->rounds, duration, ok);
	return ok || program_failed(run, "a multiplication was lost or done twice, or read half done");
}

/* Including its queues. */
static bool integer_create(struct program_run *run, struct integer *integer, struct qd_slot *slots,
                           enum form form)
{
	uint64_t size = program_value(run, "size"), limit = program_value(run, "limit");
	*integer = (struct integer){.form = form,
	                            .kind = (enum kind)program_value(run, "lock"),
	                            .value = 1,
	                            .product = 1,
	                            .rounds = program_value(run, "rounds"),
	                            .reads = program_value(run, "reads"),
	                            .work = program_value(run, "work")};
	if (size & (size - 1))
		return program_failed(run, "size=%lu: a queue has 1, 2, 4, 8... slots", size);
	enum heddle_error error = mrqd_lock_create(&integer->lock, slots, size, (uint32_t)limit);
	if (error == HEDDLE_OK)
		error = hqd_lock_create(&integer->hierarchical, hqd_nodes(), slots + size, size, (uint32_t)limit);
	if (integer->kind == QD)
		integer->lock.lock.kind = HEDDLE_QD_PLAIN;
	return error == HEDDLE_OK || program_failed(run, "no lock: %s", heddle_error_text(error));
}

static bool run(struct program_run *run)
{
	size_t slots = (hqd_nodes() + 1) * program_value(run, "size"), bytes = sizeof(struct integer);
	bytes += slots * sizeof(struct qd_slot);
	struct integer *integer = heddle_allocate(bytes);
	uint64_t variant = program_value(run, "variant");
	bool ok = true;
	if (!integer)
		return program_failed(run, "no memory for a queue of %lu slots", slots);
	for (unsigned form = EXCHANGE; form < FORMS; form++)
		if (variant == ALL || variant == form || form == EXCHANGE)
			ok &= integer_create(run, integer, (struct qd_slot *)(integer + 1), (enum form)form) &&
			      integer_measure(run, integer);
	heddle_free(integer, bytes);
	return ok;
}

static const struct program_parameter parameters[] = {
    {"variant", .help = "the form, beside the reference",
     .choices = "all|exchange|lock|delegate|delegate-wait|delegate-or-lock"},
    {"lock", .help = "which delegation lock", .choices = "qd|mrqd|hqd"},
    {"tasks", 64, 1, 1000000, "how many tasks"},
    {"rounds", 5000, 1, 1000000000, "operations of each task"},
    {"reads", 0, 0, 100, "reads among 100 operations"},
    {"work", 0, 0, 1000000000, "turns of an empty loop between two operations"},
    {"size", HEDDLE_QD_SLOTS, 1, HEDDLE_QD_SLOTS_MAXIMUM, "slots of the queue, a power of two"},
    {"limit", HEDDLE_QD_LIMIT, 1, UINT32_MAX, "sections that one helper runs"},
    {0}};

HEDDLE_PROGRAM(multiply, "a shared integer (delegation paper, section 3)", parameters, run);
