/*
 * The keyboard at the PS/2 controller, or a USB keyboard that the firmware shows there. It is polled, and never
 * interrupts.
 */
#ifndef ARCH_BARE_KEYBOARD_H
#define ARCH_BARE_KEYBOARD_H

#include "arch/x86_64/decode/scan_code.h"

/* Have the keyboard send what is pressed from now on. Bounded, even if there is no keyboard. */
void keyboard_start(void);

/* The key that was pressed, if any. Does not wait. */
enum page_key keyboard_read(void);

/* The next typed byte (scan_code_type()); -1: none. Does not wait. */
int keyboard_read_byte(void);

#endif
