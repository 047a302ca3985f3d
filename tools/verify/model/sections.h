/* What the cases of delegation have in common: sections that check that each runs alone and in the order of its
 * task. */
#ifndef MODEL_SECTIONS_H
#define MODEL_SECTIONS_H

#include "heddle/mrqd_lock.h"

/* The message of a section: its task, and the number among that task's sections. */
struct note {
	unsigned task, number;
};

/* A message that fits a slot and is larger than a pointer; one that takes two slots. */
#define SECTION_WIDE  (2 * sizeof(struct note))
#define SECTION_LARGE (HEDDLE_QD_MESSAGE_FIRST + 8)

/* Sections that have run: of each task, and of all. Plain: protected by the lock. */
extern unsigned sections_of[3], sections_done;

/* Created by section_new(), for each task. */
extern unsigned sections_given[3];

/* Tasks that read: no section may run meanwhile. */
extern unsigned sections_readers;

/* For the calling task's section of that number; and for its next one, which counts as delegated. */
struct note section_note(unsigned number);
struct note section_new(void);

/* The section was not accepted. */
void section_withdraw(const struct note *note);

/* A section; a holder also calls it. */
void section(size_t size, void *message);

/* The calling task's next section, while it holds the lock. */
void section_as_holder(void);

/* A section in which the task that runs it ends. */
void section_fault(size_t size, void *message);

/* An awaited section must have run. */
void section_expect_done(const struct note *note);

/* For a reader that has got the lock: read, and leave it. */
void sections_read(struct mrqd_lock *lock);

/* In a set-up: name and watch a lock; its names begin with these letters. */
void sections_name(struct qd_lock *lock, const char *letters);

/* What is wrong with a lock that is not in use, or NULL. */
const char *sections_check(const struct qd_lock *lock);

/* The same for the sections that section_new() has counted. */
const char *sections_check_given(void);

/* Check both of these, and that no task reads. */
const char *sections_check_all(const struct mrqd_lock *lock);

#endif
