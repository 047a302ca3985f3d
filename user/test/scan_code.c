#include "arch/x86_64/decode/scan_code.h"

#include <string.h>

#include "user/test/test.h"

TEST(scan_code, turns_pages)
{
	/* space, enter, right (after its prefix), F1 */
	static const uint8_t forwards[] = {0x39, 0x1c, 0x4d, 0x3b};
	/* backspace, left, up, page up */
	static const uint8_t backwards[] = {0x0e, 0x4b, 0x48, 0x49};
	/* nothing, prefixes, an answer, a request to resend, space released, the shift keys, control, alternate */
	static const uint8_t nothing[] = {0, 0xe0, 0xe1, 0xfa, 0xfe, 0xb9, 0x2a, 0x36, 0x1d, 0x38};
	for (unsigned i = 0; i < sizeof(forwards); i++)
		CHECK_EQUAL(scan_code_page(forwards[i]), PAGE_KEY_NEXT);
	for (unsigned i = 0; i < sizeof(backwards); i++)
		CHECK_EQUAL(scan_code_page(backwards[i]), PAGE_KEY_PREVIOUS);
	for (unsigned i = 0; i < sizeof(nothing); i++)
		CHECK_EQUAL(scan_code_page(nothing[i]), PAGE_KEY_NONE);
}

/* The text that these codes type. */
static void type(const uint8_t *codes, unsigned count, char *text)
{
	struct scan_code_state state = {0};
	for (unsigned i = 0; i < count; i++)
		text += scan_code_type(&state, codes[i], text);
	*text = 0;
}

#define CHECK_TYPED(expected, ...)                      \
	do {                                                \
		static const uint8_t codes[] = {__VA_ARGS__};   \
		char text[SCAN_CODE_BYTES * sizeof(codes) + 1]; \
		type(codes, sizeof(codes), text);               \
		CHECK(strcmp(text, expected) == 0);             \
	} while (0)

TEST(scan_code, types_letters)
{
	CHECK_TYPED("he", 0x23, 0xa3, 0x12, 0x92);
	CHECK_TYPED("Aa", 0x2a, 0x1e, 0x9e, 0xaa, 0x1e, 0x9e);
	CHECK_TYPED("A1", 0x3a, 0xba, 0x1e, 0x9e, 0x02, 0x82);             /* caps lock does not affect digits */
	CHECK_TYPED("a!", 0x3a, 0xba, 0x2a, 0x1e, 0x9e, 0x02, 0x82, 0xaa); /* and shift undoes it */
	CHECK_TYPED("\r\t\177 ", 0x1c, 0x9c, 0x0f, 0x8f, 0x0e, 0x8e, 0x39, 0xb9);
}

TEST(scan_code, types_control_keys)
{
	CHECK_TYPED("\003\034", 0x1d, 0x2e, 0xae, 0x2b, 0xab, 0x9d);
	CHECK_TYPED("\003", 0xe0, 0x1d, 0x2e, 0xae, 0xe0, 0x9d); /* the right one */
	CHECK_TYPED("c", 0x1d, 0x9d, 0x2e, 0xae);
}

TEST(scan_code, types_moving_keys)
{
	CHECK_TYPED("\033[A\033[B", 0xe0, 0x48, 0xe0, 0xc8, 0x50, 0xd0);
	CHECK_TYPED("\033[3~", 0xe0, 0x2a, 0xe0, 0x53, 0xe0, 0xd3, 0xe0, 0xaa); /* with a fake shift */
	CHECK_TYPED("\r/", 0xe0, 0x1c, 0xe0, 0x9c, 0xe0, 0x35, 0xe0, 0xb5);
}

TEST(scan_code, types_nothing_for_what_says_nothing)
{
	CHECK_TYPED("", 0xfa, 0xfe, 0x00, 0xe1, 0x1d, 0x45, 0xe1, 0x9d, 0xc5, 0x38, 0xb8, 0x3b, 0xbb, 0xe0, 0x5b);
	CHECK_TYPED("a", 0xe1, 0x1d, 0x45, 0x1e);
}
