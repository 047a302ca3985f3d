/*
 * What a keyboard sends through the PS/2 controller, which translates to the codes of the first keyboards (set 1),
 * where firmware leaves it and where it stands in for a USB keyboard.
 */
#ifndef ARCH_X86_64_DECODE_SCAN_CODE_H
#define ARCH_X86_64_DECODE_SCAN_CODE_H

#include <stdint.h>

enum page_key { PAGE_KEY_NONE, PAGE_KEY_NEXT, PAGE_KEY_PREVIOUS };

/* The way a key turns pages: backwards for backspace, left, up and page up, forwards for any other. A key that is let
 * go, a prefix and an answer of the keyboard are none. */
enum page_key scan_code_page(uint8_t code);

#endif
