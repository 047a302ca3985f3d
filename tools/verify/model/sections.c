#include "sections.h"

#include "script.h"

#include "sync/delegation/delegation.h"

unsigned sections_of[3], sections_given[3], sections_done, sections_readers;

struct note section_note(unsigned number)
{
	return (struct note){model_task_number(task_current()), number};
}

struct note section_new(void)
{
	struct note note = section_note(0);
	note.number = sections_given[note.task]++;
	return note;
}

void section_withdraw(const struct note *note)
{
	sections_given[note->task]--;
}

void section(size_t size, void *message)
{
	const struct note *note = message;
	if (size != sizeof *note && size != SECTION_WIDE && size != SECTION_LARGE)
		explore_fail("a message has another size");
	if (sections_readers)
		explore_fail("a section runs while a task reads");
	script_alone();
	if (sections_of[note->task]++ != note->number)
		explore_fail("the sections of a task have changed places");
	sections_done++;
}

void section_as_holder(void)
{
	struct note note = section_new();
	section(sizeof note, &note);
}

void section_fault(size_t size, void *message)
{
	section(size, message);
	task_exit_by_fault();
}

void section_expect_done(const struct note *note)
{
	if (sections_of[note->task] != note->number + 1)
		explore_fail("a wait for a section has ended before that was carried out");
}

void sections_read(struct mrqd_lock *lock)
{
	sections_readers++;
	explore_pause();
	sections_readers--;
	script_expect("mrqd_read_unlock()", mrqd_read_unlock(lock), HEDDLE_OK, HEDDLE_OK);
}

void sections_name(struct qd_lock *lock, const char *letters)
{
	explore_name(lock, sizeof *lock, "%slock", letters);
	explore_name(&lock->mutex.word, sizeof lock->mutex.word, "%smutex.word", letters);
	explore_name(&lock->mutex.owner, sizeof lock->mutex.owner, "%sowner", letters);
	explore_name(&lock->tail, sizeof lock->tail, "%stail", letters);
	explore_name(&lock->head, sizeof lock->head, "%shead", letters);
	explore_ignore(&lock->mutex.counters, sizeof lock->mutex.counters);
	explore_ignore(&lock->counters, sizeof lock->counters);
	script_watch(&lock->mutex.first, &lock->mutex.counters);
	script_watch(&lock->busy, &lock->awaiting);
	for (unsigned i = 0; i < lock->count; i++) {
		explore_name(&lock->slots[i], sizeof lock->slots[i], "%sslot%u", letters, i);
		explore_watch(lock->slots[i].message, sizeof lock->slots[i].message);
	}
}

const char *sections_check(const struct qd_lock *lock)
{
	bool is_free = lock->mutex.word == MUTEX_FREE && !lock->mutex.first && !qd_is_open(lock) &&
	               !qd_has_rest(lock) && !lock->busy && !lock->current && !lock->running;
	return is_free ? NULL : "the lock is not free";
}

const char *sections_check_given(void)
{
	for (unsigned i = 0; i < 3; i++)
		if (sections_of[i] != sections_given[i])
			return "a section was lost, or carried out though it was refused";
	return NULL;
}

const char *sections_check_all(const struct mrqd_lock *lock)
{
	const char *wrong = sections_check(&lock->lock);
	if (!wrong && mrqd_is_read(lock))
		wrong = "a task still reads";
	return wrong ? wrong : sections_check_given();
}
