/*
 * How duktape is built: its own configuration for Linux, but for what there is none of here. Seen before anything else
 * of it. Any configuration may be given to duktape; this one changes none of its code.
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

/* It reads nothing by this but addresses, in a notation of its own beside JSON. */
#undef DUK_SSCANF
#define DUK_SSCANF(text, format, address) ((void)(text), *(address) = NULL, 0)

/* What goes through C again and again must end as an error before the stack of a task does: all that was tried in
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
