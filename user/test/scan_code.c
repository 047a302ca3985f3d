#include "arch/x86_64/decode/scan_code.h"
#include "user/test/test.h"

TEST(scan_code, turns_pages)
{
	/* space, enter, right (behind its prefix), F1 */
	static const uint8_t forwards[] = {0x39, 0x1c, 0x4d, 0x3b};
	/* backspace, left, up, page up */
	static const uint8_t backwards[] = {0x0e, 0x4b, 0x48, 0x49};
	/* nothing, prefixes, an answer, a request to send again, space let go, the shift keys, control, alternate */
	static const uint8_t nothing[] = {0, 0xe0, 0xe1, 0xfa, 0xfe, 0xb9, 0x2a, 0x36, 0x1d, 0x38};
	for (unsigned i = 0; i < sizeof(forwards); i++)
		CHECK_EQUAL(scan_code_page(forwards[i]), PAGE_KEY_NEXT);
	for (unsigned i = 0; i < sizeof(backwards); i++)
		CHECK_EQUAL(scan_code_page(backwards[i]), PAGE_KEY_PREVIOUS);
	for (unsigned i = 0; i < sizeof(nothing); i++)
		CHECK_EQUAL(scan_code_page(nothing[i]), PAGE_KEY_NONE);
}
