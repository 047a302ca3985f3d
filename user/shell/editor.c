#include "user/shell/editor.h"

#include <string.h>

#include "user/text.h"

/* Where in an escape sequence the last byte was: ESC [ number letter, or ESC O letter. */
enum { OUTSIDE, BEGUN, INSIDE };

#define CONTROL(letter) ((letter)&0x1f)
#define ESCAPE          0x1b
#define DELETE          0x7f

/* --------------------------------------------------------------------------------------------- change -- */

static void set_line(struct editor *editor, const char *text)
{
	editor->length = 0;
	while (text[editor->length] && editor->length < EDITOR_LINE_MOST) {
		editor->line[editor->length] = text[editor->length];
		editor->length++;
	}
	editor->line[editor->length] = 0;
	editor->cursor = editor->length;
}

void editor_insert(struct editor *editor, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (editor->length == EDITOR_LINE_MOST) {
			editor->overflowed = true;
			return;
		}
		memmove(editor->line + editor->cursor + 1, editor->line + editor->cursor,
		        editor->length - editor->cursor + 1);
		editor->line[editor->cursor++] = text[i];
		editor->length++;
	}
}

/* Delete from here to the cursor, or from the cursor to here. */
static void erase(struct editor *editor, unsigned from, unsigned to)
{
	memmove(editor->line + from, editor->line + to, editor->length - to + 1);
	editor->length -= to - from;
	editor->cursor = from;
}

static unsigned word_begin(const struct editor *editor)
{
	unsigned at = editor->cursor;
	while (at > 0 && editor->line[at - 1] == ' ')
		at--;
	while (at > 0 && editor->line[at - 1] != ' ')
		at--;
	return at;
}

/* -------------------------------------------------------------------------------------------- history -- */

static unsigned kept(const struct editor *editor)
{
	return editor->history_count < EDITOR_HISTORY_MOST ? editor->history_count : EDITOR_HISTORY_MOST;
}

static char *history_back(struct editor *editor, unsigned back)
{
	return editor->history[(editor->history_count - back) % EDITOR_HISTORY_MOST];
}

static void show_back(struct editor *editor, unsigned back)
{
	if (back > kept(editor))
		return;
	if (editor->shown_back == 0)
		memcpy(editor->new_line, editor->line, editor->length + 1);
	editor->shown_back = back;
	set_line(editor, back == 0 ? editor->new_line : history_back(editor, back));
}

static void keep(struct editor *editor)
{
	if (editor->length == 0 || (kept(editor) > 0 && strcmp(history_back(editor, 1), editor->line) == 0))
		return;
	memcpy(editor->history[editor->history_count % EDITOR_HISTORY_MOST], editor->line, editor->length + 1);
	editor->history_count++;
}

static void begin(struct editor *editor)
{
	editor->shown_back = 0;
	editor->overflowed = false;
	set_line(editor, "");
}

void editor_begin(struct editor *editor)
{
	keep(editor);
	begin(editor);
}

/* ----------------------------------------------------------------------------------------------- keys -- */

static void move_to(struct editor *editor, unsigned place)
{
	if (place <= editor->length)
		editor->cursor = place;
}

/* The last byte of an escape sequence. */
static enum editor_event type_moving(struct editor *editor, unsigned char byte)
{
	switch (byte) {
	case 'A':
		show_back(editor, editor->shown_back + 1);
		break;
	case 'B':
		if (editor->shown_back > 0)
			show_back(editor, editor->shown_back - 1);
		break;
	case 'C':
		move_to(editor, editor->cursor + 1);
		break;
	case 'D':
		if (editor->cursor > 0)
			move_to(editor, editor->cursor - 1);
		break;
	case 'H':
		move_to(editor, 0);
		break;
	case 'F':
		move_to(editor, editor->length);
		break;
	case '~':
		if (editor->number == 3 && editor->cursor < editor->length)
			erase(editor, editor->cursor, editor->cursor + 1);
		else if (editor->number == 1 || editor->number == 4)
			move_to(editor, editor->number == 1 ? 0 : editor->length);
		break;
	default:
		return EDITOR_NOTHING;
	}
	return EDITOR_CHANGED;
}

static enum editor_event type_in_escape(struct editor *editor, unsigned char byte)
{
	if (editor->escape == BEGUN) {
		editor->escape = byte == '[' || byte == 'O' ? INSIDE : OUTSIDE;
		editor->number = 0;
		return EDITOR_NOTHING;
	}
	if (byte >= '0' && byte <= '9') {
		editor->number = (editor->number * 10 + (byte - '0')) % 1000;
		return EDITOR_NOTHING;
	}
	if (byte == ';')
		return EDITOR_NOTHING;
	editor->escape = OUTSIDE;
	return type_moving(editor, byte);
}

static enum editor_event type_control(struct editor *editor, unsigned char byte)
{
	switch (byte) {
	case '\r':
	case '\n':
		return EDITOR_LINE;
	case '\t':
		return EDITOR_COMPLETE;
	case CONTROL('C'):
		begin(editor);
		return EDITOR_CANCEL;
	case CONTROL('D'):
		if (editor->length == 0)
			return EDITOR_END;
		if (editor->cursor < editor->length)
			erase(editor, editor->cursor, editor->cursor + 1);
		return EDITOR_CHANGED;
	case CONTROL('H'):
	case DELETE:
		if (editor->cursor > 0)
			erase(editor, editor->cursor - 1, editor->cursor);
		return EDITOR_CHANGED;
	case CONTROL('K'):
		erase(editor, editor->cursor, editor->length);
		return EDITOR_CHANGED;
	case CONTROL('U'):
		erase(editor, 0, editor->cursor);
		return EDITOR_CHANGED;
	case CONTROL('W'):
		erase(editor, word_begin(editor), editor->cursor);
		return EDITOR_CHANGED;
	case CONTROL('L'):
		return EDITOR_CHANGED;
	default:
		return EDITOR_NOTHING;
	}
}

/* The letter of the escape sequence that does the same as this control key; 0: there is none. */
static unsigned char moving_letter(unsigned char byte)
{
	static const char letters[][2] = {{CONTROL('A'), 'H'}, {CONTROL('E'), 'F'}, {CONTROL('B'), 'D'},
	                                  {CONTROL('F'), 'C'}, {CONTROL('P'), 'A'}, {CONTROL('N'), 'B'}};
	for (unsigned i = 0; i < sizeof(letters) / sizeof(*letters); i++)
		if ((unsigned char)letters[i][0] == byte)
			return (unsigned char)letters[i][1];
	return 0;
}

enum editor_event editor_type(struct editor *editor, unsigned char byte)
{
	if (byte == ESCAPE) {
		editor->escape = BEGUN;
		return EDITOR_NOTHING;
	}
	if (editor->escape != OUTSIDE)
		return type_in_escape(editor, byte);
	if (moving_letter(byte))
		return type_moving(editor, moving_letter(byte));
	if (byte < ' ' || byte >= DELETE)
		return type_control(editor, byte);
	editor_insert(editor, (const char *)&byte, 1);
	return EDITOR_CHANGED;
}

/* ----------------------------------------------------------------------------------------------- show -- */

void editor_show(const struct editor *editor, const char *prompt, char *text, size_t size)
{
	struct text shown;
	unsigned first = editor->cursor < EDITOR_SHOWN ? 0 : editor->cursor - EDITOR_SHOWN + 1;
	unsigned last = editor->length < first + EDITOR_SHOWN ? editor->length : first + EDITOR_SHOWN;
	text_start(&shown, text, size);
	text_add(&shown, "\r%s%.*s", prompt, (int)(last - first), editor->line + first);
	/* Overwrite the old text, then move back to the cursor. */
	for (unsigned at = last; at < first + EDITOR_SHOWN; at++)
		text_add(&shown, " ");
	for (unsigned at = first + EDITOR_SHOWN; at > editor->cursor; at--)
		text_add(&shown, "\b");
}
