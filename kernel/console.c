#include "kernel/console.h"

#include "kernel/format.h"
#include "kernel/line_ring.h"
#include "kernel/log_memory.h"
#include "kernel/results.h"

#define RING_SIZE 512
/* The time in which a serial line prints a full ring: 115,200 bits a second, ten bits a byte, two more bytes at each
 * line's end. */
#define BYTE_NANOSECONDS  (10 * UINT64_C(1000000000) / 115200)
#define FLUSH_NANOSECONDS (RING_SIZE * (CONSOLE_LINE_MAXIMUM + 2) * BYTE_NANOSECONDS)

enum log_level log_level = LOG_INFO;

static const char *const level_prefix[] = {
    [LOG_ERROR] = "error: ", [LOG_WARNING] = "warning: ", [LOG_INFO] = "", [LOG_DEBUG] = "debug: "};

static void console_put_line(const struct line *line);
static void put_dropped(unsigned long dropped);

static struct line lines[RING_SIZE];
static struct line_ring ring = {
    .lines = lines, .size = RING_SIZE, .put = console_put_line, .put_dropped = put_dropped};

/* Once set, the devices belong to the processor that panics. */
static atomic_bool panicking;

void console_start(void)
{
	line_ring_reset(&ring);
}

static size_t format_prefix(char *text, size_t size, enum log_level level)
{
	uint64_t microseconds = arch_clock() / 1000;
	return format_text(text, size, "[%4lu.%06lu p%02u] %s", (unsigned long)(microseconds / 1000000),
	                   (unsigned long)(microseconds % 1000000), processor_current()->index,
	                   level_prefix[level]);
}

/* Whole lines only: control characters become blanks, and a line that was cut says so. Returns the length. */
static size_t finish_line(char *text, size_t length)
{
	if (length > CONSOLE_LINE_MAXIMUM) {
		length = CONSOLE_LINE_MAXIMUM;
		for (size_t i = length - 3; i < length; i++)
			text[i] = '.';
	}
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] < ' ')
			text[i] = ' ';
	return length;
}

/* Used by the server only: the last text that it put out has not ended its line. */
static bool is_open;

static void console_put_text(const struct line *line)
{
	arch_console_write(ARCH_STREAM_TERMINAL, line->text, line->length - 1u);
	is_open = line->length > 1 && line->text[line->length - 2] != '\n';
}

static void console_put_line(const struct line *line)
{
	if (line->stream == ARCH_STREAM_TERMINAL) {
		console_put_text(line);
		return;
	}
	if (is_open)
		arch_console_write(ARCH_STREAM_TERMINAL, "\n", 1);
	is_open = false;
	arch_console_write(line->stream, line->text, line->length);
	if (line->stream == ARCH_STREAM_RESULT)
		result_log_keep(&result_log, line->text, line->length);
}

static void put_dropped(unsigned long dropped)
{
	char text[120];
	size_t length = format_prefix(text, sizeof(text), LOG_WARNING);
	length += format_text(text + length, sizeof(text) - length, "%lu log lines were dropped\n", dropped);
	arch_console_write(ARCH_STREAM_LOG, text, length);
}

struct message {
	enum log_level level;
	const char *format;
	va_list *arguments;
};

static void console_message_log(void *argument)
{
	struct message *message = argument;
	char text[CONSOLE_LINE_MAXIMUM + 1];

	size_t length = format_prefix(text, sizeof(text), message->level);
	length += format_arguments(text + length, sizeof(text) - length, message->format, *message->arguments);
	length = finish_line(text, length);
	/* At once: the processor that serves the ring may be slow, or stand still. */
	log_write(&log_memory.ring, text, length);
	if (!line_ring_write(&ring, ARCH_STREAM_LOG, text, length))
		line_ring_drop(&ring);
	line_ring_serve(&ring);
}

/* Kept out of line: a line is longer than the stack that many a task has left. */
static void log_arguments(enum log_level level, const char *format, va_list *arguments)
{
	struct message message = {level, format, arguments};

	if (level <= log_level && !atomic_load_explicit(&panicking, memory_order_relaxed))
		arch_call_on_processor_stack(console_message_log, &message);
}

#define LOG_FUNCTION(name, level)                           \
	ARCH_WITHOUT_VECTORS void name(const char *format, ...) \
	{                                                       \
		va_list arguments;                                  \
		va_start(arguments, format);                        \
		log_arguments(level, format, &arguments);           \
		va_end(arguments);                                  \
	}
LOG_FUNCTION(log_error, LOG_ERROR)
LOG_FUNCTION(log_warning, LOG_WARNING)
LOG_FUNCTION(log_info, LOG_INFO)
LOG_FUNCTION(log_debug, LOG_DEBUG)

/* The log in memory is found after a reset. Inline, because console_put() has no stack for that part. */
__attribute__((always_inline)) static inline bool console_write(enum arch_stream stream, const char *text,
                                                                bool kept)
{
	size_t length = 0;

	if (atomic_load_explicit(&panicking, memory_order_relaxed))
		return true;
	while (length < CONSOLE_LINE_MAXIMUM && text[length])
		length++;
	bool written = line_ring_write(&ring, stream, text, length);
	if (written && kept)
		log_write(&log_memory.ring, text, length);
	line_ring_serve(&ring);
	return written;
}

bool console_result(const char *line)
{
	return console_write(ARCH_STREAM_RESULT, line, true);
}

STACK_ENTRY(console_put)
bool console_put(const char *text)
{
	return console_write(ARCH_STREAM_TERMINAL, text, false);
}

unsigned long console_position(void)
{
	return atomic_load_explicit(&ring.tail, memory_order_relaxed);
}

void console_flush(void)
{
	uint64_t end = atomic_load_explicit(&ring.tail, memory_order_relaxed);
	uint64_t deadline = arch_clock() + FLUSH_NANOSECONDS;
	/* acquire: pairs with the server's release after it has put lines out. */
	do
		line_ring_serve(&ring);
	while (atomic_load_explicit(&ring.head, memory_order_acquire) < end && arch_clock() < deadline);
}

unsigned long console_dropped(void)
{
	return atomic_load_explicit(&ring.dropped, memory_order_relaxed);
}

void console_panic_start(void)
{
	atomic_store_explicit(&panicking, true, memory_order_relaxed);
	/* The processor that was writing may have been stopped in the middle of a line. */
	arch_console_write(ARCH_STREAM_LOG, "\n", 1);
	line_ring_take_over(&ring);
}

void console_panic_line(const char *format, ...)
{
	static char text[CONSOLE_LINE_MAXIMUM + 1]; /* the stack may be all but used up */
	va_list arguments;

	va_start(arguments, format);
	size_t length = finish_line(text, format_arguments(text, sizeof(text), format, arguments));
	va_end(arguments);
	log_write(&log_memory.ring, text, length);
	text[length] = '\n';
	arch_console_write(ARCH_STREAM_LOG, text, length + 1);
}
