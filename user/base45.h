/*
 * Bytes as the 45 characters that a QR code packs best: two bytes become three characters (RFC 9285).
 */
#ifndef USER_BASE45_H
#define USER_BASE45_H

#include <stddef.h>

/* The number of characters for that many bytes. */
#define BASE45_LENGTH(bytes) ((bytes) / 2 * 3 + (bytes) % 2 * 2)

/* Write BASE45_LENGTH(length) characters, without a closing 0. */
void base45_encode(char *text, const unsigned char *bytes, size_t length);

#endif
