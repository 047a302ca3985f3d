#include "user/shell/editor.h"

#include <string.h>

#include "user/test/test.h"

static struct editor editor;

/* The event that the last byte caused. */
static enum editor_event type(const char *bytes)
{
	enum editor_event event = EDITOR_NOTHING;
	for (; *bytes; bytes++)
		event = editor_type(&editor, (unsigned char)*bytes);
	return event;
}

static void begin(void)
{
	memset(&editor, 0, sizeof(editor));
}

static bool line_is(const char *line, unsigned cursor)
{
	return strcmp(editor.line, line) == 0 && editor.length == strlen(line) && editor.cursor == cursor;
}

TEST(editor, inserts_and_erases_at_the_cursor)
{
	begin();
	CHECK_EQUAL(type("run swtch"), EDITOR_CHANGED);
	type("\033[D\033[D\033[Di");
	CHECK(line_is("run switch", 7));
	type("\001\033[C\033[C\033[C\177"); /* begin, right, backspace */
	CHECK(line_is("ru switch", 2));
	type("n\005!\010"); /* end, backspace */
	CHECK(line_is("run switch", 10));
	type("\001\033[3~\004"); /* delete, twice */
	CHECK(line_is("n switch", 0));
	type("\013");
	CHECK(line_is("", 0));
	type("one two  \027");
	CHECK(line_is("one ", 4));
	type("\025");
	CHECK(line_is("", 0));
}

TEST(editor, ends_lines)
{
	begin();
	CHECK_EQUAL(type("help\r"), EDITOR_LINE);
	CHECK(line_is("help", 4));
	editor_begin(&editor);
	CHECK_EQUAL(type("x\n"), EDITOR_LINE);
	editor_begin(&editor);
	CHECK_EQUAL(type("given up\003"), EDITOR_CANCEL);
	CHECK(line_is("", 0));
	type("\033[A"); /* and is not kept */
	CHECK(line_is("x", 1));
	type("\003");
	CHECK_EQUAL(type("\004"), EDITOR_END);
	CHECK_EQUAL(type("he\t"), EDITOR_COMPLETE);
}

TEST(editor, remembers_lines)
{
	begin();
	for (unsigned i = 0; i < EDITOR_HISTORY_MOST + 3; i++) {
		char line[2] = {(char)('a' + (int)i), 0};
		type(line);
		editor_begin(&editor);
	}
	type("new");
	type("\033[A");
	CHECK(line_is("s", 1));
	type("\033OA");
	CHECK(line_is("r", 1));
	for (unsigned i = 0; i < 2 * EDITOR_HISTORY_MOST; i++)
		type("\020");
	CHECK(line_is("d", 1));
	for (unsigned i = 0; i < 2 * EDITOR_HISTORY_MOST; i++)
		type("\033[B");
	CHECK(line_is("new", 3));
	editor_begin(&editor);
	type("new");
	editor_begin(&editor); /* the same line again is not kept twice */
	type("\033[A\033[A");
	CHECK(line_is("s", 1));
}

TEST(editor, bears_too_long_lines_and_foreign_keys)
{
	begin();
	for (unsigned i = 0; i < EDITOR_LINE_MOST; i++)
		type("x");
	CHECK(!editor.overflowed);
	type("y");
	CHECK(editor.overflowed);
	CHECK_EQUAL(editor.length, EDITOR_LINE_MOST);
	editor_begin(&editor);
	CHECK(!editor.overflowed);
	CHECK_EQUAL(type("\033[24~"), EDITOR_CHANGED); /* F12 */
	CHECK_EQUAL(type("\033[1;5Z"), EDITOR_NOTHING);
	CHECK_EQUAL(type("\033x\200\377"), EDITOR_NOTHING);
	CHECK(line_is("", 0));
}

static unsigned count(const char *text, char character)
{
	unsigned found = 0;
	for (; *text; text++)
		found += *text == character;
	return found;
}

TEST(editor, shows_the_part_around_the_cursor)
{
	char text[4 * EDITOR_SHOWN];
	begin();
	type("top\033[D");
	editor_show(&editor, "> ", text, sizeof(text));
	CHECK(strncmp(text, "\r> top ", 7) == 0);
	CHECK_EQUAL(count(text, '\b'), EDITOR_SHOWN - 2);
	for (unsigned i = 0; i < EDITOR_LINE_MOST; i++)
		type(i % 2 ? "a" : "b");
	type("\005");
	editor_show(&editor, "> ", text, sizeof(text));
	CHECK_EQUAL(count(text, 'a') + count(text, 'b') + count(text, 'o') + count(text, 'p'), EDITOR_SHOWN - 1);
	CHECK_EQUAL(count(text, '\b'), 1);
}
