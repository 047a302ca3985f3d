/* What the cases of delegation have in common: sections, which are alone and in the order of each task. */
#ifndef MODEL_SECTIONS_H
#define MODEL_SECTIONS_H

#include "heddle/mrqd_lock.h"

/* The message of a section: its task, and which of that task's it is. */
struct note {
	unsigned task, number;
};

/* A message that takes two slots. */
#define SECTION_LARGE (HEDDLE_QD_MESSAGE_FIRST + 8)

/* Carried out: of each task, and of all. Plain: under the lock. */
extern unsigned sections_of[3], sections_done;

/* By section_new(), of each task. */
extern unsigned sections_given[3];

/* Tasks that read: no section may be carried out meanwhile. */
extern unsigned sections_readers;

/* For the calling task's section of that number; and of the next, which is counted as given to somebody. */
struct note section_note(unsigned number);
struct note section_new(void);

/* That one was not taken. */
void section_withdraw(const struct note *note);

/* A section; a holder calls it too. */
void section(size_t size, void *message);

/* The next of the calling task, which holds the lock. */
void section_as_holder(void);

/* One in which the task that carries it out ends. */
void section_fault(size_t size, void *message);

/* A section that was awaited must have been carried out. */
void section_expect_done(const struct note *note);

/* What a reader does that has got the lock: it leaves it, too. */
void sections_read(struct mrqd_lock *lock);

/* In a set-up: name and watch a lock, which is called by the letters before. */
void sections_name(struct qd_lock *lock, const char *letters);

/* What is wrong with a lock that nobody uses, or NULL. */
const char *sections_check(const struct qd_lock *lock);

/* The same of those that section_new() has counted. */
const char *sections_check_given(void);

/* Both, and nobody reads. */
const char *sections_check_all(const struct mrqd_lock *lock);

#endif
