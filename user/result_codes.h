/*
 * Results as codes for a camera: the lines compressed by zlib, in as many QR codes as that takes. Each holds, in the
 * characters that QR codes pack best,
 *
 *     HEDDLE/PART/PARTS/CHECKSUM/DATA
 *
 * where the parts are counted from 1, CHECKSUM is that of the uncompressed text (Adler-32), the same
 * in all parts, and the DATA of all parts together is the compressed text in base 45. tools/results reads it.
 */
#ifndef USER_RESULT_CODES_H
#define USER_RESULT_CODES_H

#include "kernel/results.h"

/* Make the codes, whose memory is never given back. Returns NULL, or why there are none. May switch; needs 32 KiB of
 * stack. Not there in a program that is built without the sources of zlib and libqrencode
 * (user/ports/result_codes.c). */
const char *result_codes_make(const struct result_log *log, struct result_codes *codes) __attribute__((weak));

#endif
