/*
 * What a keyboard sends through the PS/2 controller: the codes of the first keyboards (set 1), into which the
 * controller translates, if firmware leaves that on and if it emulates a USB keyboard.
 */
#ifndef ARCH_X86_64_DECODE_SCAN_CODE_H
#define ARCH_X86_64_DECODE_SCAN_CODE_H

#include <stdbool.h>
#include <stdint.h>

enum page_key { PAGE_KEY_NONE, PAGE_KEY_NEXT, PAGE_KEY_PREVIOUS };

/* How a key turns pages: backwards for backspace, left, up and page up, forwards for any other. Releasing a key, a
 * prefix and an answer of the keyboard turn none. */
enum page_key scan_code_page(uint8_t code);

/* Which keys are held, and what the last code was. Zeroed at the start. */
struct scan_code_state {
	bool shift, control, capitals;
	bool prefixed;    /* the last code was a prefix, */
	unsigned skipped; /* this many more codes belong to a key without meaning */
};

/* The bytes that a terminal sends for a key (ECMA-48, as in xterm), with the letters of an American keyboard. Returns
 * how many; 0: the code stands for no key with a meaning. (scan_code_text.c) */
#define SCAN_CODE_BYTES 4
unsigned scan_code_type(struct scan_code_state *state, uint8_t code, char bytes[SCAN_CODE_BYTES]);

#endif
