/*
 * What run= accepts, and the errors for the rest.
 */
#include <string.h>

#include "heddle/program.h"
#include "heddle/system.h"
#include "user/choice.h"
#include "user/number.h"
#include "user/program_list.h"
#include "user/program_run.h"
#include "user/test/test.h"

static bool contains(const char *text, const char *part)
{
	for (; *text; text++) {
		size_t length = 0;
		while (part[length] && text[length] == part[length])
			length++;
		if (!part[length])
			return true;
	}
	return false;
}

static size_t length_of(const char *text)
{
	size_t length = 0;
	while (text[length])
		length++;
	return length;
}

struct number_case {
	const char *text;
	bool valid;
	uint64_t value;
};

TEST(number, syntax)
{
	static const struct number_case cases[] = {
	    {"0", true, 0},
	    {"7", true, 7},
	    {"0010", true, 10},
	    {"10k", true, 10000},
	    {"3M", true, 3000000},
	    {"2G", true, 2000000000},
	    {"18446744073709551615", true, UINT64_MAX},
	    {"18446744073709551616", false, 0},
	    {"18446744073709551615k", false, 0},
	    {"99999999999999999999999", false, 0},
	    {"", false, 0},
	    {"k", false, 0},
	    {"1kk", false, 0},
	    {"1K", false, 0},
	    {"-1", false, 0},
	    {"+1", false, 0},
	    {"1.5", false, 0},
	    {" 1", false, 0},
	    {"0x10", false, 0},
	};
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t value = 0;
		bool valid = number_parse(cases[i].text, length_of(cases[i].text), &value);
		CHECK_EQUAL(valid, cases[i].valid);
		CHECK_EQUAL(value, cases[i].value);
	}
}

TEST(choice, words_and_places)
{
	static const struct program_parameter choices = {"which", .choices = "one|two|three"};
	static const char *const words[] = {"one", "two", "three"};
	static const char *const others[] = {"", "on", "ones", "One", "one|two", "|", "four"};
	uint64_t place;
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		CHECK(choice_find(&choices, (struct piece){words[i], length_of(words[i])}, &place));
		CHECK_EQUAL(place, i);
		struct piece word = choice_of(&choices, i);
		CHECK(text_equal(word.text, word.length, words[i]));
	}
	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		CHECK(!choice_find(&choices, (struct piece){others[i], length_of(others[i])}, &place));
	CHECK_EQUAL(choice_of(&choices, 3).length, 0);
	CHECK_EQUAL(choice_count(choices.choices), 3);
}

struct words_case {
	const char *words;
	const char *sentence; /* what the error must contain; NULL: the words are right */
};

TEST(program, words)
{
	static const struct words_case cases[] = {
	    {"test", NULL},
	    {"test,only=3", NULL},
	    {"test,only=1k", NULL},
	    {"", "there is no such program; allowed are "},
	    {"nothing", "there is no such program; allowed are "},
	    {"tes", "there is no such program; did you mean test? Allowed are "},
	    {"tests", "there is no such program; did you mean test? Allowed are "},
	    {"Test", "run=Test: there is no such program; did you mean test? Allowed are "},
	    {"test,", "is none of its settings; allowed are (with their defaults) only=0"},
	    {"test,only", "\"only\" is none of its settings"},
	    {"test,=", "\"=\" is none of its settings"},
	    {"test,onl=1",
	     "\"onl=1\" is none of its settings; did you mean only=? Allowed are (with their defaults) only=0"},
	    {"test,onlyy=1", "\"onlyy=1\" is none of its settings"},
	    {"test,only=", "only= is no number"},
	    {"test,only=x", "only=x is no number"},
	    {"test,only=1=2", "only=1=2 is no number"},
	    {"test,only=1000000", "only=1000000 is out of range; allowed are 0 to 10000"},
	    {"test,only=1,only=1", "only is given twice"},
	    {"test,only=1,,", "\"\" is none of its settings"},
	    {"hello,name=word", NULL},
	    {"hello,name=", NULL},
	    {"hello,tasks=2,name=a=b|c\"\\%s", NULL},
	    {"hello,nam=word", "did you mean name=? Allowed are (with their defaults) tasks=4, name="},
	    {"hello,name=a,name=b", "name is given twice"},
	    {"hello,name=\xc3\xa4", "name= has a character that no text may have"},
	    {"hello,name=a\tb", "name= has a character that no text may have"},
	    {"locks,scope=global", NULL},
	    {"locks,scope=", "scope= is none of its choices; allowed are local|global"},
	    {"locks,scope=globa",
	     "scope=globa is none of its choices; did you mean global? Allowed are local|global"},
	    {"locks,scope=globally", "scope=globally is none of its choices"},
	    {"locks,scope=local|global", "scope=local|global is none of its choices"},
	    {"locks,scope=0", "scope=0 is none of its choices"},
	    {"locks,scope=local,scope=local", "scope is given twice"},
	    {"locks,colour=1", "allowed are (with their defaults) lock=exchange"},
	    {"locks,lock=mcs", NULL},
	    {"locks,variant=mcs", NULL},
	    {"locks,lock=mcs,variant=mcs", "lock is given twice"},
	    {"locks,lock=fast", "allowed are exchange|dispatch|inline|ces-spin|ttas|mcs|cohort"},
	    {"readers,lock=mcs", "allowed are exchange|dispatch|inline|ces-spin"},
	    {"locks,lock=mcs,waiting=*YS", NULL},
	    {"locks,waiting=***",
	     "waiting=*** is none of its choices; did you mean S**? Allowed are SYS|SY*|S*S|"},
	    {"locks,waiting=sys", "waiting=sys is none of its choices"},
	    {"locks,lock=cohort,queues=0", "queues=0 is out of range"},
	    {"locks,lock=cohort,queue=best", "allowed are processor|node|random"},
	};
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char error[1000] = "";
		bool valid = program_check(cases[i].words, error, sizeof(error));
		CHECK_EQUAL(valid, cases[i].sentence == NULL);
		if (cases[i].sentence)
			CHECK(contains(error, cases[i].sentence));
	}
}

/* The last byte of the room for texts is for the closing 0. */
TEST(program, texts_fill_their_room)
{
	static const char start[] = "hello,name=";
	char words[sizeof(start) + HEDDLE_PROGRAM_TEXTS_MAXIMUM], error[500];
	memset(words, 'n', sizeof(words));
	memcpy(words, start, sizeof(start) - 1);
	words[sizeof(start) - 1 + HEDDLE_PROGRAM_TEXTS_MAXIMUM - 1] = 0;
	struct program_run run;
	CHECK(program_parse(words, &run, error, sizeof(error)));
	CHECK(strcmp(program_text(&run, "name"), words + sizeof(start) - 1) == 0);
	CHECK_EQUAL(program_value(&run, "tasks"), 4);
	words[sizeof(start) - 1 + HEDDLE_PROGRAM_TEXTS_MAXIMUM - 1] = 'n';
	words[sizeof(start) - 1 + HEDDLE_PROGRAM_TEXTS_MAXIMUM] = 0;
	CHECK(!program_parse(words, &run, error, sizeof(error)));
	CHECK(contains(error, "too long; allowed are 255 characters for all texts together"));
}

TEST(program, error_is_cut_to_its_room)
{
	char error[20];
	for (unsigned size = 1; size <= sizeof(error); size++) {
		for (unsigned i = 0; i < sizeof(error); i++)
			error[i] = '#';
		CHECK(!program_check("nothing of this name", error, size));
		CHECK_EQUAL(length_of(error), size - 1);
		for (unsigned i = size; i < sizeof(error); i++)
			CHECK_EQUAL(error[i], '#');
	}
}

/* The declarations of all programs are consistent. */
TEST(program, declarations)
{
	for (const struct program *const *entry = __start_heddle_programs; entry != __stop_heddle_programs;
	     entry++) {
		const struct program *program = *entry;
		unsigned count = 0;
		CHECK(program->name[0] && program->help[0] && program->run);
		for (const struct program *const *other = __start_heddle_programs; other != entry; other++)
			CHECK(strcmp((*other)->name, program->name) != 0);
		for (; program->parameters[count].name; count++) {
			const struct program_parameter *parameter = &program->parameters[count];
			if (parameter->choices)
				CHECK(choice_word(parameter->choices, parameter->value).length > 0);
			else if (!parameter->text)
				CHECK(parameter->minimum <= parameter->value && parameter->value <= parameter->maximum);
			CHECK(parameter->help[0]);
		}
		CHECK(count <= HEDDLE_PROGRAM_PARAMETERS_MAXIMUM);
	}
}
