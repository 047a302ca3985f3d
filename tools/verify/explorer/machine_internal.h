/* Between the parts of the machine: machine.c keeps its state, access.c has the functions that the code under test
 * calls. */
#ifndef VERIFY_MACHINE_INTERNAL_H
#define VERIFY_MACHINE_INTERNAL_H

#include "machine.h"

#define MEMORY_MAXIMUM 65536 /* bytes of all variables */
#define STACK_SIZE     8192

enum request_kind {
	REQUEST_END,    /* the program has returned */
	REQUEST_PAUSE,  /* nothing to do */
	REQUEST_WAIT,   /* until wait.ready(wait.argument) */
	REQUEST_LOAD,   /* atomic */
	REQUEST_STORE,  /* plain store that waits for room in the buffer */
	REQUEST_LOCKED, /* read, modify, write, with an empty buffer; also a sequentially consistent store */
	REQUEST_FENCE,  /* wait for an empty buffer */
	REQUEST_READ,   /* non-atomic, of watched bytes; the code under test then does it itself */
	REQUEST_WRITE,
};

enum locked_kind {
	LOCKED_EXCHANGE,
	LOCKED_ADD,
	LOCKED_SUBTRACT,
	LOCKED_AND,
	LOCKED_OR,
	LOCKED_XOR,
	LOCKED_COMPARE
};

struct request {
	uint16_t kind, locked;
	uint32_t size; /* no padding: it would be part of the state */
	uint64_t address, operand, expected;
	uint64_t where; /* its place in the code under test */
	bool (*ready)(void *);
	void *argument;
};

struct buffered_store {
	uint64_t address, value;
	uint64_t size;
};

/* A virtual processor, besides its stacks. */
struct virtual_processor {
	uint64_t stack; /* the stack that it is on */
	struct request request;
	uint64_t buffered;
	struct buffered_store buffer[MACHINE_BUFFER]; /* oldest first, zero beyond `buffered` */
};

/* What a state is, besides the variables. A stack pointer is NULL if the stack is empty. */
extern struct virtual_processor virtual[EXPLORE_PROCESSORS];
extern unsigned char stacks[EXPLORE_STACKS][STACK_SIZE];
extern void *stack_pointers[EXPLORE_STACKS];

/* states.c: the stack may have changed since the last state was hashed. */
void stack_written(unsigned stack);

/* The processor whose code runs; NULL: the explorer's own code, or a set-up. */
extern struct virtual_processor *running;

/* Hand a request of the running processor to the explorer; returns after it was carried out, with the value read. */
uint64_t machine_request(const struct request *request);

/* Put a store of the running processor into its buffer, which must have room. */
void machine_buffer(uint64_t address, unsigned size, uint64_t value, uint64_t where);

/* The youngest store to this address in the running processor's buffer. */
bool machine_buffered(uint64_t address, unsigned size, uint64_t *value);

/* Whether no other processor has accessed this word; records this access. If so, the access may be done at once. */
bool machine_is_private(uint64_t address);

/* Whether it is memory of the program; all other accesses are errors. */
bool machine_is_there(uint64_t address, size_t size);
bool machine_is_watched(uint64_t address, size_t size);
bool machine_is_explored(uint64_t address, size_t size);
bool machine_is_ignored(uint64_t address, size_t size);
/* Whether it was passed to explore_free(). */
bool machine_is_free(uint64_t address, size_t size);
bool machine_is_stack(uint64_t address, size_t size);
/* Whether it belonged to a variable of a function that has returned. */
bool machine_is_left(uint64_t address);

/* memory.c: all variables become as they were loaded. */
void memory_start(void);

/* Note what has changed in them since the state before (blocks.h), anywhere or where they were written: the first
 * blocks are theirs. */
void memory_compare_all(void);
void memory_compare_written(void);

/* Clear the ignored places. */
void memory_clear_ignored(void);

/* Whether the word is private to the processor. */
bool memory_is_owned(uint64_t address, unsigned processor);

/* A processor makes a request, so it is not in an endless loop of private accesses. */
void memory_request_made(void);

uint64_t memory_read(uint64_t address, unsigned size);
void memory_write(uint64_t address, unsigned size, uint64_t value);

/* Carry out a locked operation on memory; returns the previous value. */
uint64_t memory_locked(const struct request *request);

/* print.c */
void print_names_clear(void);
void print_request(unsigned processor, const struct request *request, uint64_t before);
/* A store was put into a buffer, or has moved from it to memory. */
void print_store(unsigned processor, bool drained, const struct buffered_store *store, uint64_t where);

#endif
