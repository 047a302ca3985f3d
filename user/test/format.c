#include "kernel/format.h"

#include <limits.h>
#include <stdbool.h>

#include "user/test/test.h"

static bool is_same(const char *one, const char *other)
{
	while (*one && *one == *other)
		one++, other++;
	return *one == *other;
}

#define CHECK_TEXT(expected, ...)                                     \
	do {                                                              \
		char text[120];                                               \
		size_t length = format_text(text, sizeof(text), __VA_ARGS__); \
		CHECK(is_same(text, expected));                               \
		CHECK_EQUAL(length, sizeof(expected) - 1);                    \
	} while (0)

TEST(format, prints_integers)
{
	CHECK_TEXT("0 1 -1 2147483647 -2147483648", "%d %i %d %d %d", 0, 1, -1, INT_MAX, INT_MIN);
	CHECK_TEXT("4294967295 ffffffff", "%u %x", UINT_MAX, UINT_MAX);
	CHECK_TEXT("-9223372036854775808 18446744073709551615", "%ld %lu", LONG_MIN, ULONG_MAX);
	CHECK_TEXT("-1 ffffffffffffffff 7", "%lld %llx %zu", -1ll, ULLONG_MAX, sizeof("length"));
	CHECK_TEXT("-1 255 65535 -32768", "%hhd %hhu %hu %hd", (signed char)-1, (unsigned char)255,
	           (unsigned short)65535, (short)SHRT_MIN);
}

TEST(format, pads_integers)
{
	CHECK_TEXT("[   42][42   ][00042]", "[%5d][%-5d][%05d]", 42, 42, 42);
	CHECK_TEXT("[  -42][-42  ][-0042]", "[%5d][%-5d][%05d]", -42, -42, -42);
	CHECK_TEXT("[123456][123456]", "[%5d][%05d]", 123456, 123456);
	CHECK_TEXT("[   7][7   ]", "[%*d][%*d]", 4, 7, -4, 7);
	CHECK_TEXT("[00000000000000ff]", "[%016lx]", 255ul);
}

TEST(format, prints_strings_and_characters)
{
	const char *volatile nothing = NULL; /* otherwise the compiler complains */
	CHECK_TEXT("[text][  text][text  ]", "[%s][%6s][%-6s]", "text", "text", "text");
	CHECK_TEXT("[te][  te][te]", "[%.2s][%4.2s][%.*s]", "text", "text", 2, "text");
	CHECK_TEXT("[][text]", "[%.0s][%.*s]", "text", -1, "text");
	CHECK_TEXT("a%b (null) 0x1234", "%c%%%c %s %p", 'a', 'b', nothing, (void *)0x1234);
}

TEST(format, prints_numbers_with_a_point)
{
	CHECK_TEXT("0.000000 -0.000000 1.500000 -2.250000", "%f %f %f %f", 0.0, -0.0, 1.5, -2.25);
	CHECK_TEXT("0 2 2 4 10.0", "%.0f %.0f %.0f %.0f %.1f", 0.5, 1.5, 2.5, 3.5, 9.96);
	CHECK_TEXT("0.1000000000000000055511151231257827021182", "%.40f", 0.1);
	CHECK_TEXT("[  3.14][3.14  ][003.14][-03.14]", "[%6.2f][%-6.2f][%06.2f][%06.2f]", 3.14159, 3.14159,
	           3.14159, -3.14159);
	CHECK_TEXT("[ 2.5][2.500]", "[%*.*f][%.*f]", 4, 1, 2.5, 3, 2.5);
	CHECK_TEXT("1.000000e+00 9.99e-05 1e+01 4.94e-324 1.80e+308", "%e %.2e %.0e %.2e %.2e", 1.0, 9.99e-5, 9.5,
	           0x1p-1074, 0x1.fffffffffffffp1023);
	CHECK_TEXT("0 100000 1e+06 0.0001 1e-05 0.3", "%g %g %g %g %g %g", 0.0, 1e5, 1e6, 1e-4, 1e-5, 0.3);
	CHECK_TEXT("0.29999999999999999 1e+02 3", "%.17g %.1g %.3g", 0.3, 99.0, 3.0);
	CHECK_TEXT("inf -inf [   nan]", "%f %e [%06.1f]", __builtin_inf(), -__builtin_inf(), __builtin_nan(""));
}

/* Without the compiler's check of the arguments. */
static size_t format_unchecked(char *text, size_t size, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	size_t length = format_arguments(text, size, format, arguments);
	va_end(arguments);
	return length;
}

/* The rest takes no argument: a text taken for a number would be wrong, a number taken for a text would fault. */
TEST(format, leaves_what_it_does_not_know)
{
	static const char *const formats[] = {"%a",  "%5.2a, %s", "%X %s", "%n%s", "%#x %s",
	                                      "%jd", "%+d %s",    "%*F",   "%",    "%-08.3l"};
	char text[40];
	for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		size_t length = format_unchecked(text, sizeof(text), formats[i], 8ul, "text");
		CHECK(is_same(text, formats[i]));
		CHECK(length < sizeof(text) && text[length] == 0);
	}
	format_unchecked(text, sizeof(text), "%d%% %a %d", 8, 9);
	CHECK(is_same(text, "8% %a %d"));
}

__attribute__((format(printf, 3, 4))) static size_t line_of(char *text, size_t size, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	size_t length = format_line(text, size, format, arguments);
	va_end(arguments);
	return length;
}

TEST(format, says_that_a_line_was_cut)
{
	char text[8];
	CHECK_EQUAL(line_of(text, sizeof(text), "%s", "1234567"), 7);
	CHECK(is_same(text, "1234567"));
	CHECK_EQUAL(line_of(text, sizeof(text), "%s", "12345678"), 7);
	CHECK(is_same(text, "1234..."));
	CHECK_EQUAL(line_of(text, 4, "%s", "1234"), 3);
	CHECK(is_same(text, "..."));
	CHECK_EQUAL(line_of(text, sizeof(text), "%s", ""), 0);
	CHECK(is_same(text, ""));
}

TEST(format, cuts_what_is_too_long)
{
	char text[6] = "?????";
	CHECK_EQUAL(format_text(text, sizeof(text), "%s", "1234567"), 7);
	CHECK(is_same(text, "12345"));
	CHECK_EQUAL(format_text(text, 1, "%d", 1234), 4);
	CHECK(is_same(text, ""));
	text[0] = '?';
	CHECK_EQUAL(format_text(text, 0, "%d", 1234), 4);
	CHECK_EQUAL(text[0], '?');
	CHECK_EQUAL(format_text(text, sizeof(text), "%1000d", 1), 1000);
}
