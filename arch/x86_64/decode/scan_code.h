/*
 * What a keyboard sends through the PS/2 controller, which translates to the codes of the first keyboards (set 1),
 * where firmware leaves it and where it stands in for a USB keyboard.
 */
#ifndef ARCH_X86_64_DECODE_SCAN_CODE_H
#define ARCH_X86_64_DECODE_SCAN_CODE_H

#include <stdbool.h>
#include <stdint.h>

enum page_key { PAGE_KEY_NONE, PAGE_KEY_NEXT, PAGE_KEY_PREVIOUS };

/* The way a key turns pages: backwards for backspace, left, up and page up, forwards for any other. A key that is let
 * go, a prefix and an answer of the keyboard are none. */
enum page_key scan_code_page(uint8_t code);

/* What is held, and what the last code was. Zeroed at the start. */
struct scan_code_state {
	bool shift, control, capitals;
	bool prefixed;    /* the last one was a prefix, */
	unsigned skipped; /* and so many more belong to a key that says nothing */
};

/* The bytes that a terminal sends for a key (ECMA-48, as xterm has them), with the letters where an American keyboard
 * has them. Returns how many; 0: the code is none of a key that says something. (scan_code_text.c) */
#define SCAN_CODE_BYTES 4
unsigned scan_code_type(struct scan_code_state *state, uint8_t code, char bytes[SCAN_CODE_BYTES]);

#endif
