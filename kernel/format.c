#include "kernel/format.h"

#include "arch/arch.h"
#include "kernel/decimal.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DIGITS_MAXIMUM 20 /* of 2^64 - 1 in base 10 */

struct output {
	char *buffer;
	size_t size, length;
};

/* One conversion, from its '%' to its letter. */
struct conversion {
	bool left, zero;
	size_t width;
	size_t precision; /* SIZE_MAX: none */
	size_t bytes;     /* of the integer */
};

static void format_put(struct output *output, char character)
{
	if (output->length + 1 < output->size)
		output->buffer[output->length] = character;
	output->length++;
}

static void put_repeated(struct output *output, char character, size_t count)
{
	while (count-- > 0)
		format_put(output, character);
}

static void put_text(struct output *output, const struct conversion *conversion, const char *text,
                     size_t length)
{
	size_t padding = conversion->width > length ? conversion->width - length : 0;
	if (!conversion->left)
		put_repeated(output, ' ', padding);
	for (size_t i = 0; i < length; i++)
		format_put(output, text[i]);
	if (conversion->left)
		put_repeated(output, ' ', padding);
}

static void put_string(struct output *output, const struct conversion *conversion, const char *text)
{
	size_t length = 0;
	if (!text)
		text = "(null)";
	while (length < conversion->precision && text[length])
		length++;
	put_text(output, conversion, text, length);
}

static void put_number(struct output *output, const struct conversion *conversion, uint64_t value,
                       unsigned base, const char *sign)
{
	char text[2 + DIGITS_MAXIMUM]; /* with the longest prefix, "0x" */
	char *start = text + sizeof(text);
	size_t sign_length = 0;

	do {
		*--start = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	while (sign[sign_length])
		sign_length++;

	size_t length = (size_t)(text + sizeof(text) - start) + sign_length;
	if (conversion->zero && !conversion->left) {
		for (size_t i = 0; i < sign_length; i++)
			format_put(output, sign[i]);
		put_repeated(output, '0', conversion->width > length ? conversion->width - length : 0);
		for (size_t i = sign_length; i < length; i++)
			format_put(output, *start++);
		return;
	}
	for (size_t i = sign_length; i > 0; i--)
		*--start = sign[i - 1];
	put_text(output, conversion, start, length);
}

/* How the digits of a number that is not whole are laid out; with %e, those before the exponent. */
struct layout {
	const char *sign;
	int first, last; /* the powers of ten of the first and the last digit */
	int point;       /* the power of ten before the point */
	bool scientific; /* with an exponent */
};

static size_t layout_length(const struct layout *layout, const struct decimal *decimal)
{
	size_t length = (size_t)(layout->first - layout->last) + 1 + (layout->last < layout->point);
	if (layout->scientific)
		length += decimal->exponent >= 100 || decimal->exponent <= -100 ? 5 : 4;
	return length + (layout->sign[0] != 0);
}

static void put_exponent(struct output *output, int exponent)
{
	unsigned magnitude = (unsigned)(exponent < 0 ? -exponent : exponent);
	format_put(output, 'e');
	format_put(output, exponent < 0 ? '-' : '+');
	if (magnitude >= 100)
		format_put(output, (char)('0' + magnitude / 100));
	format_put(output, (char)('0' + magnitude / 10 % 10));
	format_put(output, (char)('0' + magnitude % 10));
}

static void put_decimal(struct output *output, const struct conversion *conversion,
                        const struct layout *layout, const struct decimal *decimal)
{
	size_t length = layout_length(layout, decimal);
	size_t padding = conversion->width > length ? conversion->width - length : 0;
	bool zeros = conversion->zero && !conversion->left;
	if (!zeros && !conversion->left)
		put_repeated(output, ' ', padding);
	if (layout->sign[0])
		format_put(output, layout->sign[0]);
	put_repeated(output, '0', zeros ? padding : 0);
	for (int power = layout->first; power >= layout->last; power--) {
		format_put(output, (char)('0' + decimal_digit(decimal, power)));
		if (power == layout->point && power > layout->last)
			format_put(output, '.');
	}
	if (layout->scientific)
		put_exponent(output, decimal->exponent);
	if (conversion->left)
		put_repeated(output, ' ', padding);
}

/* %g: as %e, or as %f where the exponent is small, without zeros at the end. `places`: for %e. Returns the places of
 * the chosen form. */
static int choose_shortest(struct decimal *decimal, uint64_t bits, int places, bool *scientific)
{
	decimal_behind_first(decimal, bits, places);
	*scientific = decimal->exponent < -4 || decimal->exponent > places;
	int least = decimal->exponent - places; /* the power of ten of the last digit, the same for both */
	while (least < decimal->exponent && decimal_digit(decimal, least) == 0)
		least++;
	if (*scientific)
		return decimal->exponent - least;
	return least < 0 ? -least : 0;
}

#define PLACES_USUAL  6
#define INFINITE_BITS (UINT64_C(0x7ff) << 52)

/* %f, %e or %g of a double, by its representation. */
static void put_real(struct output *output, const struct conversion *conversion, char letter, uint64_t bits)
{
	struct decimal decimal;
	struct layout layout = {.sign = bits >> 63 ? "-" : "", .scientific = letter == 'e'};
	size_t wanted = conversion->precision == SIZE_MAX ? PLACES_USUAL : conversion->precision;
	int places = (int)(wanted < DECIMAL_PLACES_MAXIMUM ? wanted : DECIMAL_PLACES_MAXIMUM);
	bits &= ~(UINT64_C(1) << 63);
	if (bits >= INFINITE_BITS) {
		static const char *const texts[] = {"inf", "-inf", "nan", "-nan"};
		const char *text = texts[(bits > INFINITE_BITS) * 2 + (layout.sign[0] != 0)];
		put_text(output, conversion, text, strlen(text));
		return;
	}
	if (letter == 'g')
		places = choose_shortest(&decimal, bits, places > 0 ? places - 1 : 0, &layout.scientific);
	else if (letter == 'e')
		decimal_behind_first(&decimal, bits, places);
	else
		decimal_behind_point(&decimal, bits, places);
	layout.point = layout.scientific ? decimal.exponent : 0;
	layout.first = layout.scientific || decimal.exponent > 0 ? decimal.exponent : 0;
	layout.last = layout.point - places;
	put_decimal(output, conversion, &layout, &decimal);
}

/* The argument, cut to the bytes that the length letters name. */
static uint64_t cut_unsigned(uint64_t value, size_t bytes)
{
	return bytes == sizeof(value) ? value : value & (((uint64_t)1 << (bytes * 8)) - 1);
}

static int64_t cut_signed(uint64_t value, size_t bytes)
{
	unsigned shift = (unsigned)(sizeof(value) - bytes) * 8;
	return (int64_t)(value << shift) >> shift;
}

static void put_signed(struct output *output, const struct conversion *conversion, int64_t value)
{
	uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	put_number(output, conversion, magnitude, 10, value < 0 ? "-" : "");
}

static size_t format_parse_number(const char **format)
{
	size_t number = 0;
	for (; **format >= '0' && **format <= '9'; (*format)++)
		number = number * 10 + (size_t)(**format - '0');
	return number;
}

/* In a structure: on some machines va_list is an array, and cannot be passed by its address. */
struct arguments {
	va_list list;
};

static void parse_flags_and_width(const char **format, struct conversion *conversion,
                                  struct arguments *arguments)
{
	for (;; (*format)++) {
		if (**format == '-')
			conversion->left = true;
		else if (**format == '0')
			conversion->zero = true;
		else
			break;
	}
	if (**format != '*') {
		conversion->width = format_parse_number(format);
		return;
	}
	(*format)++;
	int width = va_arg(arguments->list, int);
	if (width < 0)
		conversion->left = true;
	conversion->width = width < 0 ? 0 - (size_t)width : (size_t)width;
}

static void parse_precision(const char **format, struct conversion *conversion, struct arguments *arguments)
{
	if (**format != '.')
		return;
	(*format)++;
	if (**format != '*') {
		conversion->precision = format_parse_number(format);
		return;
	}
	(*format)++;
	int precision = va_arg(arguments->list, int);
	conversion->precision = precision < 0 ? SIZE_MAX : (size_t)precision;
}

static void parse_length(const char **format, struct conversion *conversion)
{
	conversion->bytes = sizeof(int);
	for (;; (*format)++) {
		if (**format == 'l' || **format == 'z')
			conversion->bytes = sizeof(long);
		else if (**format == 'h')
			conversion->bytes = conversion->bytes == sizeof(short) ? sizeof(char) : sizeof(short);
		else
			return;
	}
}

_Static_assert(sizeof(long) == 8 && sizeof(long long) == 8 && sizeof(size_t) == 8,
               "one argument size for l, ll and z");

static uint64_t next_integer(const struct conversion *conversion, struct arguments *arguments)
{
	if (conversion->bytes == sizeof(long))
		return va_arg(arguments->list, unsigned long);
	return va_arg(arguments->list, unsigned);
}

/* False: there is no such conversion; nothing was put out and no argument was taken. */
static bool put_conversion(struct output *output, const struct conversion *conversion, char letter,
                           struct arguments *arguments)
{
	switch (letter) {
	case 'd':
	case 'i':
		put_signed(output, conversion, cut_signed(next_integer(conversion, arguments), conversion->bytes));
		break;
	case 'u':
	case 'x':
		put_number(output, conversion, cut_unsigned(next_integer(conversion, arguments), conversion->bytes),
		           letter == 'u' ? 10 : 16, "");
		break;
	case 'p':
		put_number(output, conversion, (uintptr_t)va_arg(arguments->list, void *), 16, "0x");
		break;
	case 'f':
	case 'e':
	case 'g': {
		double value = va_arg(arguments->list, double);
		uint64_t bits;
		memcpy(&bits, &value, sizeof(bits));
		put_real(output, conversion, letter, bits);
		break;
	}
	case 'c':
		put_text(output, conversion, &(char){(char)va_arg(arguments->list, int)}, 1);
		break;
	case 's':
		put_string(output, conversion, va_arg(arguments->list, const char *));
		break;
	case '%':
		format_put(output, letter);
		break;
	default:
		return false;
	}
	return true;
}

STACK_ENTRY(format_arguments)
size_t format_arguments(char *buffer, size_t size, const char *format, va_list list)
{
	struct output output = {buffer, size, 0};
	struct arguments arguments;

	va_copy(arguments.list, list);
	while (*format) {
		if (*format != '%') {
			format_put(&output, *format++);
			continue;
		}
		const char *directive = format++;
		struct conversion conversion = {.precision = SIZE_MAX};
		parse_flags_and_width(&format, &conversion, &arguments);
		parse_precision(&format, &conversion, &arguments);
		parse_length(&format, &conversion);
		if (!put_conversion(&output, &conversion, *format++, &arguments)) {
			for (format = directive; *format; format++)
				format_put(&output, *format);
		}
	}
	va_end(arguments.list);
	if (size > 0)
		buffer[output.length < size ? output.length : size - 1] = 0;
	return output.length;
}

size_t format_line(char *buffer, size_t size, const char *format, va_list arguments)
{
	size_t length = format_arguments(buffer, size, format, arguments);
	if (length < size)
		return length;
	for (size_t i = size - 4; i < size - 1; i++)
		buffer[i] = '.';
	return size - 1;
}

size_t format_text(char *buffer, size_t size, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	size_t length = format_arguments(buffer, size, format, arguments);
	va_end(arguments);
	return length;
}
