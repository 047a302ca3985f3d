#include <expat.h>

#include "document.h"

static void XMLCALL starts(void *data, const XML_Char *name, const XML_Char **attributes)
{
	uint64_t *sum = data;
	*sum = checksum(*sum, name, strlen(name));
	for (; *attributes; attributes++)
		*sum = checksum(*sum, *attributes, strlen(*attributes));
}

static void XMLCALL ends(void *data, const XML_Char *name)
{
	uint64_t *sum = data;
	*sum = checksum(*sum, name, strlen(name) + 1);
}

static void XMLCALL says(void *data, const XML_Char *text, int length)
{
	uint64_t *sum = data;
	*sum = checksum(*sum, text, (size_t)length);
}

/* In pieces, as from a network. The salt of its hashes is random otherwise. */
static int read_document(const char *text, size_t size, uint64_t *sum)
{
	XML_Parser parser = XML_ParserCreate(NULL);
	enum XML_Status status = parser ? XML_STATUS_OK : XML_STATUS_ERROR;
	if (!parser)
		return 0;
	XML_SetHashSalt(parser, 1);
	XML_SetUserData(parser, sum);
	XML_SetElementHandler(parser, starts, ends);
	XML_SetCharacterDataHandler(parser, says);
	for (size_t at = 0; at < size && status == XML_STATUS_OK; at += 777) {
		size_t length = size - at < 777 ? size - at : 777;
		status = XML_Parse(parser, text + at, (int)length, at + length == size);
	}
	XML_ParserFree(parser);
	return status == XML_STATUS_OK;
}

int main(int count, char **arguments)
{
	static char text[DOCUMENT_ROOM];
	uint64_t sum = CHECKSUM_START;
	int right = 1;
	for (unsigned round = 0; round < rounds_of(count, arguments) && right; round++) {
		size_t size = document_make(text, round);
		right = read_document(text, size, &sum) && !read_document(text, size - 4, &sum);
	}
	return finish("expat", sum, right);
}
