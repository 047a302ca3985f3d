/*
 * A log that is read after its machine has crashed: a ring of slots in memory, of which nothing but the slots
 * themselves tells what they hold. A slot has a part of a line, its place in the log and a checksum of all that, so
 * that a slot which is torn, damaged or never written costs its part of a line and no more. A slot is a cache line: it
 * is written back at once.
 *
 * The bytes come from outside when they are read: nothing in them is believed without a check.
 *
 * | operation    | together with | progress  | takes effect                                                           |
 * |--------------|---------------|-----------|------------------------------------------------------------------------|
 * | log_write    | everything    | wait-free | slot by slot, when its checksum is there; two writers that are a whole |
 * |              |               |           | ring apart may damage each other's slot                                |
 * | log_mark     | everything    | wait-free | likewise                                                               |
 * | log_find and | a log that    | wait-free |                                                                        |
 * | log_read     | none writes   |           |                                                                        |
 */
#ifndef KERNEL_LOG_RECORD_H
#define KERNEL_LOG_RECORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOG_SLOT_TEXT 46

/* What a slot is: a part of a line, of which these bits say whether it is the first and the last; or a mark. */
enum log_kind { LOG_FIRST = 1, LOG_LAST = 2, LOG_MARK = 4 };

/* What a mark says, in place of text. */
enum log_mark {
	LOG_ENDED,    /* the run has come to its end, and all went well */
	LOG_FAILED,   /* the same, but something has failed */
	LOG_PANICKED, /* it came to its end by a panic */
	LOG_MARKS
};

struct log_slot {
	uint32_t checksum; /* of all that follows */
	uint32_t run;      /* never 0 */
	uint64_t position; /* counts the slots of a run; it is in slot position % count */
	uint8_t kind, length;
	char text[LOG_SLOT_TEXT];
};

_Static_assert(sizeof(struct log_slot) == 64, "a cache line");

struct log_ring {
	struct log_slot
	    *slots; /* aligned as they are large; NULL: there is no log, and what is written is forgotten */
	uint32_t count;
	uint32_t run;
	_Atomic uint64_t next;                                /* position */
	void (*write_back)(const void *memory, size_t bytes); /* have it reach memory; NULL: that is not needed */
};

/* Begin an empty log; what was in the slots is gone. */
void log_create(struct log_ring *ring, struct log_slot *slots, uint32_t count, uint32_t run,
                void (*write_back)(const void *memory, size_t bytes));

/* Add a line, without a line end. It takes a slot for each LOG_SLOT_TEXT bytes. */
void log_write(struct log_ring *ring, const char *text, size_t length);
void log_mark(struct log_ring *ring, enum log_mark mark);

/* What is found in a ring of slots, and how far it has been read. */
struct log_reader {
	const struct log_slot *slots;
	uint32_t count;
	uint32_t run;       /* the newest that there is */
	uint64_t next, end; /* positions that are still to be read */
	bool is_in_line;    /* `next` goes on with a line */
	bool is_lost;       /* what is before `next` */
	bool is_cut;        /* the ring has gone round, over the first lines */
	bool has_mark[LOG_MARKS];
	uint32_t lines;
};

/* False: no slot is valid. */
bool log_find(struct log_reader *reader, const struct log_slot *slots, uint32_t count);

#define LOG_LOST         "[...]" /* stands where something is lost: damaged, overwritten or never written */
#define LOG_READ_MINIMUM 64

/* The next line, or as much of it as fits in `size`, which is LOG_READ_MINIMUM at least; the rest comes as the next
 * one. It is closed by a 0, and printable. False: that was all. */
bool log_read(struct log_reader *reader, char *text, size_t size);

#endif
