#include "arch/x86_64/decode/machine_check.h"

#include "kernel/format.h"

/* The error code is in the low 16 bits: a simple code, or one composed of fields below its highest bit. The filtering
 * bit, which concerns corrected errors, is not part of it. */
#define CODE(status)   ((unsigned)(status)&0xefff)
#define LEVEL(code)    ((code)&3)
#define KIND(code)     ((code) >> 2 & 3)
#define REQUEST(code)  ((code) >> 4 & 15)
#define TIMED_OUT      0x100u
#define CHANNEL(code)  ((code)&15)
#define CHANNEL_NONE   15
#define ACTION(code)   ((code) >> 4 & 7)
#define CODE_TIMER     0x400u
#define CODE_INTERNAL  0x400u /* from here up to CODE_BUS */
#define CODE_BUS       0x800u
#define CODE_MEMORY    0x080u
#define CODE_CACHE     0x100u
#define CODE_FAR       0x280u /* memory used as a cache of other memory */
#define CODE_ADDRESSES 0x010u
#define CODE_LEVEL     0x00cu

static const char *const simple_codes[] = {"no error that has a name",
                                           "of no known class",
                                           "parity of the microcode",
                                           "reported by another part of the machine",
                                           "two processors that should agree do not",
                                           "internal parity",
                                           "code of the firmware outside of its memory"};
static const char *const levels[] = {"level 0", "level 1", "level 2", "some level"};
static const char *const kinds[] = {"instructions", "data", "instructions or data", "unknown contents"};
static const char *const requests[] = {
    "some access",           "read",           "write",          "read of data",   "write of data",
    "fetch of instructions", "prefetch",       "eviction",       "snoop",          "unknown access",
    "unknown access",        "unknown access", "unknown access", "unknown access", "unknown access",
    "unknown access"};
static const char *const actions[] = {"some access", "read",    "write",   "address or command",
                                      "scrubbing",   "unknown", "unknown", "unknown"};
static const char *const places[] = {"memory", "reserved", "input or output", "something else"};

static size_t channel_text(const char *what, unsigned code, char *text, size_t size)
{
	if (CHANNEL(code) == CHANNEL_NONE)
		return format_text(text, size, "%s, %s", what, actions[ACTION(code)]);
	return format_text(text, size, "%s, %s, channel %u", what, actions[ACTION(code)], CHANNEL(code));
}

static size_t code_text(unsigned code, char *text, size_t size)
{
	if (code < sizeof(simple_codes) / sizeof(*simple_codes))
		return format_text(text, size, "%s", simple_codes[code]);
	if (code == CODE_TIMER)
		return format_text(text, size, "the processor made no progress for too long");
	if (code >= CODE_BUS)
		return format_text(text, size, "interconnect, %s of %s%s", requests[REQUEST(code)],
		                   places[KIND(code)], code & TIMED_OUT ? ", no answer in time" : "");
	if (code >= CODE_INTERNAL)
		return format_text(text, size, "internal, of no known class");
	if ((code & ~0x7fu) == CODE_FAR)
		return channel_text("memory behind memory", code, text, size);
	if (code >= CODE_CACHE)
		return format_text(text, size, "cache of %s, %s, %s", kinds[KIND(code)], levels[LEVEL(code)],
		                   requests[REQUEST(code)]);
	if (code >= CODE_MEMORY)
		return channel_text("memory controller", code, text, size);
	if (code >= CODE_ADDRESSES)
		return format_text(text, size, "translation of addresses of %s, %s", kinds[KIND(code)],
		                   levels[LEVEL(code)]);
	if (code >= CODE_LEVEL)
		return format_text(text, size, "some cache, %s", levels[LEVEL(code)]);
	return format_text(text, size, "code 0x%x", code);
}

void machine_check_text(uint64_t status, char *text, size_t size)
{
	size_t length =
	    format_text(text, size, "%s%s%s, ", status & MACHINE_CHECK_UNCORRECTED ? "uncorrected" : "corrected",
	                status & MACHINE_CHECK_CORRUPT ? ", the processor's state may be wrong" : "",
	                status & MACHINE_CHECK_OVERFLOW ? ", one of several" : "");
	if (length < size)
		code_text(CODE(status), text + length, size - length);
}
