#include "kernel/console.h"

#include "heddle/attributes.h"
#include "heddle/system.h"
#include "kernel/format.h"
#include "kernel/line_ring.h"
#include "user/crew.h"
#include "user/test/test.h"

#define LINES        8
#define ROUNDS       20000
#define WRITERS_MOST PROCESSORS_MAXIMUM

/* What the ring of the running test has put out. Changed by the task that serves the ring: one at a time. */
static struct {
	unsigned long lines, dropped, errors;
	uint32_t next[WRITERS_MOST]; /* the lowest number that the writer's next line may have */
} seen;

static struct line lines[LINES];
static struct line_ring ring;

/* A line is "WRITER NUMBER", zero-padded and then filled up so that its length depends on the number. */
static size_t make_line(char *text, size_t size, unsigned writer, uint32_t number)
{
	return format_text(text, size, "%04u %08u %0*u", writer, number, (int)(number % 50 + 1), 0);
}

static uint32_t parse_digits(const char *text, unsigned count)
{
	uint32_t number = 0;
	for (unsigned i = 0; i < count; i++)
		number = number * 10 + (uint32_t)(text[i] - '0');
	return number;
}

/* These two are called inside the ring's own code, where no task may be switched. */
HEDDLE_UNCOOPERATIVE_FUNCTION static void see_line(const struct line *line)
{
	uint32_t writer = parse_digits(line->text, 4), number = parse_digits(line->text + 5, 8);
	char text[100];
	size_t length = make_line(text, sizeof(text), writer, number);

	seen.lines++;
	if (writer >= WRITERS_MOST || line->length != length + 1 || line->text[length] != '\n' ||
	    line->stream != writer % 2) {
		seen.errors++;
		return;
	}
	for (size_t i = 0; i < length; i++)
		seen.errors += line->text[i] != text[i];
	seen.errors += number < seen.next[writer];
	seen.next[writer] = number + 1;
}

HEDDLE_UNCOOPERATIVE_FUNCTION static void see_dropped(unsigned long dropped)
{
	seen.dropped += dropped;
}

static void ring_create(void)
{
	ring = (struct line_ring){.lines = lines, .size = LINES, .put = see_line, .put_dropped = see_dropped};
	for (unsigned i = 0; i < LINES; i++)
		atomic_store_explicit(&lines[i].state, 0, memory_order_relaxed);
	seen.lines = seen.dropped = seen.errors = 0;
	for (unsigned i = 0; i < WRITERS_MOST; i++)
		seen.next[i] = 0;
}

static bool write_line(unsigned writer, uint32_t number)
{
	char text[100];
	size_t length = make_line(text, sizeof(text), writer, number);
	return line_ring_write(&ring, writer % 2, text, length);
}

TEST(console, keeps_lines_in_order)
{
	ring_create();
	for (uint32_t i = 0; i < 5 * LINES; i++) {
		CHECK(write_line(0, i));
		if (i % 3 == 0)
			line_ring_serve(&ring);
	}
	line_ring_serve(&ring);
	CHECK_EQUAL(seen.lines, 5 * LINES);
	CHECK_EQUAL(seen.errors, 0);
}

TEST(console, refuses_lines_when_full)
{
	ring_create();
	for (uint32_t i = 0; i < LINES; i++)
		CHECK(write_line(0, i));
	CHECK(!write_line(0, LINES));
	CHECK(!write_line(0, LINES));
	line_ring_drop(&ring);
	line_ring_serve(&ring);
	CHECK_EQUAL(seen.lines, LINES);
	CHECK_EQUAL(seen.dropped, 1);
	CHECK(write_line(0, LINES));
	line_ring_serve(&ring);
	CHECK_EQUAL(seen.lines, LINES + 1);
	CHECK_EQUAL(seen.dropped, 1);
	CHECK_EQUAL(seen.errors, 0);
}

/* The last moment for news: the server has looked at all slots and is about to leave. */
static void write_on_leaving(unsigned long dropped)
{
	see_dropped(dropped);
	write_line(0, 1);
	line_ring_serve(&ring);
}

TEST(console, is_served_until_nothing_is_left)
{
	ring_create();
	ring.put_dropped = write_on_leaving;
	CHECK(write_line(0, 0));
	line_ring_drop(&ring);
	line_ring_serve(&ring);
	CHECK_EQUAL(seen.dropped, 1);
	CHECK_EQUAL(seen.lines, 2);
	CHECK_EQUAL(seen.errors, 0);
}

/* As after a panic while a task serves: the serving word is ignored, and no line comes twice. */
TEST(console, is_taken_over)
{
	ring_create();
	for (uint32_t i = 0; i < LINES / 2; i++)
		CHECK(write_line(0, i));
	atomic_store_explicit(&ring.serving, LINE_RING_SERVING, memory_order_relaxed);
	line_ring_serve(&ring);
	CHECK_EQUAL(seen.lines, 0);
	line_ring_take_over(&ring);
	CHECK_EQUAL(seen.lines, LINES / 2);
	line_ring_take_over(&ring);
	CHECK_EQUAL(seen.lines, LINES / 2);
	CHECK_EQUAL(seen.errors, 0);
}

/* Returns how many lines were dropped. */
static intptr_t write_lines(size_t number, void *argument)
{
	intptr_t dropped = 0;
	(void)argument;
	for (uint32_t i = 0; i < ROUNDS / heddle_processors(); i++) {
		if (!write_line((unsigned)number, i)) {
			line_ring_drop(&ring);
			dropped++;
		}
		line_ring_serve(&ring);
	}
	return dropped;
}

TEST(console, leaves_no_line_behind)
{
	struct crew crew = {.name = "writer",
	                    .function = write_lines,
	                    .count = heddle_processors(),
	                    .processors = heddle_processors()};
	intptr_t dropped;

	ring_create();
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &dropped), HEDDLE_OK);
	CHECK_EQUAL(atomic_load_explicit(&ring.serving, memory_order_relaxed), LINE_RING_IDLE);
	CHECK_EQUAL(seen.errors, 0);
	CHECK_EQUAL(seen.dropped, dropped);
	CHECK_EQUAL(seen.lines + seen.dropped, ROUNDS / heddle_processors() * heddle_processors());
}

TEST(console, leaves_out_lines_above_the_level)
{
	enum log_level level = log_level;
	unsigned long dropped = console_dropped();
	log_level = LOG_ERROR;
	for (unsigned i = 0; i < 10000; i++)
		log_warning("the level does not hold");
	log_level = level;
	CHECK_EQUAL(console_dropped(), dropped);
}
