/*
 * Results as codes for a camera: the lines are compressed by zlib and divided among as many QR codes as needed. Each
 * code holds, in the characters that QR codes pack best,
 *
 *     HEDDLE/PART/PARTS/CHECKSUM/DATA
 *
 * Parts are counted from 1. CHECKSUM is that of the uncompressed text (Adler-32), the same in all parts. The DATA of
 * all parts together is the compressed text in base 45. tools/results reads it.
 */
#ifndef USER_RESULT_CODES_H
#define USER_RESULT_CODES_H

#include "kernel/results.h"

/* Make the codes; their memory is never freed. Returns NULL, or why there are none. May switch; needs 32 KiB of
 * stack. Missing in a program that is built without the sources of zlib and libqrencode
 * (user/ports/result_codes.c). */
const char *result_codes_make(const struct result_log *log, struct result_codes *codes) __attribute__((weak));

#endif
