/*
 * Formatting of text for the console and for results. It is the part of printf that Heddle uses: %s %c %d %i %u %x %p
 * %f %e %g %% with the lengths hh, h, l, ll, z, the flags '-' and '0', width and precision (for %s, and for %f, %e and
 * %g at most DECIMAL_PLACES_MAXIMUM), both also as '*'.
 * Anything else is put out unchanged, and so is the rest of the format: it is unknown which argument belongs to the
 * rest, and an argument wrongly taken for a pointer would fault.
 */
#ifndef KERNEL_FORMAT_H
#define KERNEL_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* Writes at most size - 1 characters and a closing 0 (nothing if size is 0). Returns the length of the whole text,
 * even if it was cut. */
size_t format_text(char *buffer, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t format_arguments(char *buffer, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* A line to print: the same, but a line that is cut ends in "...". `size` is at least 4. Returns the length of the
 * text in the buffer. */
size_t format_line(char *buffer, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

#endif
