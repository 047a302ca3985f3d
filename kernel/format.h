/*
 * Formatting of text for console and results, the part of printf that we use: %s %c %d %i %u %x %p %% with
 * the lengths hh, h, l, ll, z, the flags '-' and '0', width and precision (for %s), both also as '*'.
 * Anything else is put out as it stands, and all of the format behind it too: which of the arguments the rest
 * belongs to is unknown, and a wrong one taken for a pointer would be a fault.
 */
#ifndef KERNEL_FORMAT_H
#define KERNEL_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* Writes at most size - 1 characters and a closing 0 (nothing if size is 0). Returns the length of the whole
 * text, also when it was cut. */
size_t format_text(char *buffer, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t format_arguments(char *buffer, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* A line to print: the same, but what is cut ends in "...". `size` is at least 4. Returns the length of what
 * is in the buffer. */
size_t format_line(char *buffer, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

#endif
