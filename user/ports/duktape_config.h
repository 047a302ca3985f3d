/*
 * The configuration of duktape: its own one for Linux, except what does not exist here. Included before anything else
 * of duktape. It may be configured freely; this changes none of its code.
 */
#ifndef USER_PORTS_DUKTAPE_CONFIG_H
#define USER_PORTS_DUKTAPE_CONFIG_H

#include "duk_config.h"

/* Time is time()'s, and there are no time zones. */
#undef DUK_USE_DATE_PRS_STRPTIME
#undef DUK_USE_DATE_FMT_STRFTIME
#undef DUK_USE_DATE_GET_NOW
#undef DUK_USE_DATE_GET_LOCAL_TZOFFSET
#undef DUK_USE_DATE_NOW_GETTIMEOFDAY
#undef DUK_USE_DATE_TZO_GMTIME_R
#define DUK_USE_DATE_NOW_TIME
#define DUK_USE_DATE_GET_NOW(ctx)          duk_bi_date_get_now_time()
#define DUK_USE_DATE_GET_LOCAL_TZOFFSET(d) 0

/* Used only to read addresses, in its own notation besides JSON. */
#undef DUK_SSCANF
#define DUK_SSCANF(text, format, address) ((void)(text), *(address) = NULL, 0)

/* Recursion through C must end as an error before the task's stack does: everything that was tried in
 * scripts/depth.js ends within 192 KiB. */
#undef DUK_USE_NATIVE_CALL_RECLIMIT
#undef DUK_USE_COMPILER_RECLIMIT
#undef DUK_USE_JSON_DEC_RECLIMIT
#undef DUK_USE_JSON_ENC_RECLIMIT
#undef DUK_USE_CBOR_DEC_RECLIMIT
#undef DUK_USE_CBOR_ENC_RECLIMIT
#undef DUK_USE_REGEXP_COMPILER_RECLIMIT
#undef DUK_USE_REGEXP_EXECUTOR_RECLIMIT
#define DUK_USE_NATIVE_CALL_RECLIMIT     200
#define DUK_USE_COMPILER_RECLIMIT        200
#define DUK_USE_JSON_DEC_RECLIMIT        200
#define DUK_USE_JSON_ENC_RECLIMIT        200
#define DUK_USE_CBOR_DEC_RECLIMIT        200
#define DUK_USE_CBOR_ENC_RECLIMIT        200
#define DUK_USE_REGEXP_COMPILER_RECLIMIT 200
#define DUK_USE_REGEXP_EXECUTOR_RECLIMIT 1000

#endif
