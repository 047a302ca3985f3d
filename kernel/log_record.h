/*
 * A log that is read after its machine has crashed: a ring of slots in memory. Only the slots themselves tell what
 * they hold. A slot has a part of a line, its position in the log and a checksum of both, so a torn, damaged or
 * unwritten slot costs its part of a line and no more. A slot is one cache line, and is written back at once.
 *
 * A reader trusts no byte without a check: the bytes come from outside.
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

/* What a slot is: a part of a line, with bits that say whether it is the first and the last part; or a mark. */
enum log_kind { LOG_FIRST = 1, LOG_LAST = 2, LOG_MARK = 4 };

/* What a mark means; a mark has no text. */
enum log_mark {
	LOG_ENDED,    /* the run has ended, and all went well */
	LOG_FAILED,   /* the run has ended, and something has failed */
	LOG_PANICKED, /* the run has ended by a panic */
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
	struct log_slot *slots; /* aligned to their size; NULL: there is no log, and what is written is lost */
	uint32_t count;
	uint32_t run;
	_Atomic uint64_t next;                                /* position */
	void (*write_back)(const void *memory, size_t bytes); /* makes it reach memory; NULL: not needed */
};

/* Begin an empty log; the slots' contents are lost. */
void log_create(struct log_ring *ring, struct log_slot *slots, uint32_t count, uint32_t run,
                void (*write_back)(const void *memory, size_t bytes));

/* Add a line, without a line end. It takes a slot for each LOG_SLOT_TEXT bytes. */
void log_write(struct log_ring *ring, const char *text, size_t length);
void log_mark(struct log_ring *ring, enum log_mark mark);

/* What was found in a ring of slots, and how far it has been read. */
struct log_reader {
	const struct log_slot *slots;
	uint32_t count;
	uint32_t run;       /* the newest one */
	uint64_t next, end; /* positions still to be read */
	bool is_in_line;    /* `next` continues a line */
	bool is_lost;       /* what came before `next` */
	bool is_cut;        /* the ring has wrapped and overwritten the first lines */
	bool has_mark[LOG_MARKS];
	uint32_t lines;
};

/* False: no slot is valid. */
bool log_find(struct log_reader *reader, const struct log_slot *slots, uint32_t count);

#define LOG_LOST         "[...]" /* stands where something is lost: damaged, overwritten or never written */
#define LOG_READ_MINIMUM 64

/* The next line, or as much of it as fits into `size`, which is at least LOG_READ_MINIMUM; the rest comes as the next
 * line. It is printable and ends with a 0. False: that was all. */
bool log_read(struct log_reader *reader, char *text, size_t size);

#endif
