#include "arch/x86_64/decode/scan_code.h"

#define LET_GO 0x80 /* key released; also set in prefixes (0xe0, 0xe1) and in answers (0xfa, 0xfe) */

/* The keys between letters and digits have the codes of those digits, after a prefix. */
#define BACKSPACE 0x0e
#define UP        0x48
#define PAGE_UP   0x49
#define LEFT      0x4b

/* These keys are held, and change what others mean. */
#define CONTROL     0x1d
#define LEFT_SHIFT  0x2a
#define RIGHT_SHIFT 0x36
#define ALTERNATE   0x38

enum page_key scan_code_page(uint8_t code)
{
	if (code == 0 || (code & LET_GO))
		return PAGE_KEY_NONE;
	switch (code) {
	case BACKSPACE:
	case UP:
	case PAGE_UP:
	case LEFT:
		return PAGE_KEY_PREVIOUS;
	case CONTROL:
	case LEFT_SHIFT:
	case RIGHT_SHIFT:
	case ALTERNATE:
		return PAGE_KEY_NONE;
	default:
		return PAGE_KEY_NEXT;
	}
}
