/*
 * Translates scan codes to what a terminal sends.
 */
#include "arch/x86_64/decode/scan_code.h"

#define LET_GO      0x80
#define PREFIX      0xe0
#define PREFIX_LONG 0xe1 /* the key Pause; two more codes belong to it */

#define CONTROL     0x1d
#define LEFT_SHIFT  0x2a
#define RIGHT_SHIFT 0x36
#define CAPITALS    0x3a

#define CHARACTERS 0x3a /* codes below it */

static const char plain[] = "\0\0331234567890-=\177\tqwertyuiop[]\r\0asdfghjkl;'`\0\\zxcvbnm,./\0*\0 ";
static const char shifted[] = "\0\033!@#$%^&*()_+\177\tQWERTYUIOP{}\r\0ASDFGHJKL:\"~\0|ZXCVBNM<>?\0*\0 ";
_Static_assert(sizeof plain == CHARACTERS + 1 && sizeof shifted == CHARACTERS + 1,
               "a character for each code, and the end of the text");

/* Keys after a prefix, and those of the number pad without one: the last byte of what they send. */
static char moving(uint8_t code)
{
	switch (code) {
	case 0x48:
		return 'A'; /* up */
	case 0x50:
		return 'B'; /* down */
	case 0x4d:
		return 'C'; /* right */
	case 0x4b:
		return 'D'; /* left */
	case 0x47:
		return 'H'; /* home */
	case 0x4f:
		return 'F'; /* end */
	case 0x53:
		return '3'; /* delete: a ~ follows */
	default:
		return 0;
	}
}

static bool is_letter(char character)
{
	return (character | 0x20) >= 'a' && (character | 0x20) <= 'z';
}

static unsigned type_moving(char last, char bytes[SCAN_CODE_BYTES])
{
	bytes[0] = '\033';
	bytes[1] = '[';
	bytes[2] = last;
	bytes[3] = '~';
	return last == '3' ? 4 : 3;
}

static unsigned type_character(const struct scan_code_state *state, uint8_t code, char bytes[SCAN_CODE_BYTES])
{
	char character = plain[code];
	if (state->shift != (state->capitals && is_letter(character)))
		character = shifted[code];
	if (state->control && (is_letter(character) || character == '\\'))
		character &= 0x1f;
	bytes[0] = character;
	return character != 0;
}

/* Whether the key changes what others mean. */
static bool hold(struct scan_code_state *state, uint8_t key, bool pressed)
{
	if (key == CONTROL)
		state->control = pressed;
	else if (key == LEFT_SHIFT || key == RIGHT_SHIFT)
		state->shift = pressed;
	else if (key == CAPITALS)
		state->capitals ^= pressed;
	else
		return false;
	return true;
}

unsigned scan_code_type(struct scan_code_state *state, uint8_t code, char bytes[SCAN_CODE_BYTES])
{
	bool prefixed = state->prefixed;
	if (code == 0)
		return 0;
	if (state->skipped > 0) {
		state->skipped--;
		return 0;
	}
	state->prefixed = code == PREFIX;
	if (code == PREFIX_LONG)
		state->skipped = 2;
	if (code == PREFIX || code == PREFIX_LONG)
		return 0;
	uint8_t key = code & (uint8_t)~LET_GO;
	/* After a prefix the shift keys are no keys: keyboards send them around others. */
	if ((!prefixed || key == CONTROL) && hold(state, key, !(code & LET_GO)))
		return 0;
	if (code & LET_GO)
		return 0;
	if (moving(code))
		return type_moving(moving(code), bytes);
	if (prefixed && code != 0x1c && code != 0x35) /* except Enter and / of the number pad */
		return 0;
	return code < CHARACTERS ? type_character(state, code, bytes) : 0;
}
