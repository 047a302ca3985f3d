/*
 * The part of HTTP/1.1 that `client` uses: a GET request and its response, with a body of declared length. A header
 * may arrive in pieces of any size, and is copied; a body is not. Functions return NULL on success, and a sentence
 * for anything else. C and C++ (tools/measure/peers/).
 */
#ifndef USER_BENCH_HTTP_H
#define USER_BENCH_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HTTP_HEADER_MAXIMUM 1024

struct http_header {
	char text[HTTP_HEADER_MAXIMUM]; /* with the empty line that ends it */
	size_t length;
	bool is_complete;
};

struct http_request {
	uint64_t object;
};

struct http_response {
	unsigned status;
	uint64_t content_length;
	bool stays_open;
};

/* ---------------------------------------------------------------------------------------------- read -- */

/* Take the bytes that belong to the header; *taken is how many those were. */
static inline const char *http_collect(struct http_header *header, const char *bytes, size_t size,
                                       size_t *taken)
{
	size_t length = header->length, i = 0;
	while (i < size && !header->is_complete) {
		size_t line = 1; /* up to the end of a line, or of the bytes */
		while (i + line < size && bytes[i + line - 1] != '\n')
			line++;
		if (line > HTTP_HEADER_MAXIMUM - length)
			return "the header is longer than 1024 bytes";
		memcpy(header->text + length, bytes + i, line);
		length += line;
		i += line;
		header->is_complete = length >= 4 && memcmp(header->text + length - 4, "\r\n\r\n", 4) == 0;
	}
	header->length = length;
	*taken = i;
	return NULL;
}

/* A part of a header, not closed by a 0. */
struct http_text {
	const char *start;
	size_t length;
};

/* The next line of a complete header, without its end; the last one is empty. */
static inline struct http_text http_line(const char **at)
{
	const char *start = *at, *end = start;
	while (end[0] != '\r' || end[1] != '\n')
		end++;
	*at = end + 2;
	struct http_text line = {start, (size_t)(end - start)};
	return line;
}

static inline bool http_skip(struct http_text *text, const char *prefix)
{
	size_t length = strlen(prefix);
	if (text->length < length || memcmp(text->start, prefix, length) != 0)
		return false;
	text->start += length;
	text->length -= length;
	return true;
}

/* Field names ignore case; `name` is in lower case. */
static inline bool http_is(struct http_text text, const char *name)
{
	if (text.length != strlen(name))
		return false;
	for (size_t i = 0; i < text.length; i++) {
		char letter = text.start[i];
		if ((letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter) != name[i])
			return false;
	}
	return true;
}

/* Only digits. */
static inline bool http_number(struct http_text text, uint64_t *number)
{
	*number = 0;
	for (size_t i = 0; i < text.length; i++) {
		char digit = text.start[i];
		if (digit < '0' || digit > '9' || *number > (UINT64_MAX - 9) / 10)
			return false;
		*number = *number * 10 + (uint64_t)(digit - '0');
	}
	return text.length > 0;
}

static inline bool http_is_blank(char letter)
{
	return letter == ' ' || letter == '\t';
}

/* "name: value", with blanks around the value only. */
static inline const char *http_field(struct http_text line, struct http_text *name, struct http_text *value)
{
	size_t colon = 0;
	while (colon < line.length && line.start[colon] != ':')
		colon++;
	name->start = value->start = line.start;
	name->length = colon;
	if (colon == 0 || colon == line.length || http_is_blank(line.start[0]) ||
	    http_is_blank(line.start[colon - 1]))
		return "a field of the header is not \"name: value\"";
	value->start = line.start + colon + 1;
	value->length = line.length - colon - 1;
	for (; value->length && http_is_blank(value->start[0]); value->length--)
		value->start++;
	while (value->length && http_is_blank(value->start[value->length - 1]))
		value->length--;
	return NULL;
}

static inline const char *http_status(struct http_text line, unsigned *status)
{
	uint64_t number;
	if (!http_skip(&line, "HTTP/1.1 "))
		return "the response is not of HTTP/1.1";
	struct http_text digits = {line.start, line.length < 3 ? line.length : 3};
	bool ends = line.length == 3 || (line.length > 3 && line.start[3] == ' ');
	if (digits.length < 3 || !ends || !http_number(digits, &number) || number < 100)
		return "the status of the response is not a number of three digits";
	*status = (unsigned)number;
	return NULL;
}

/* The header must be complete, here and below. */
static inline const char *http_parse_response(const struct http_header *header,
                                              struct http_response *response)
{
	const char *at = header->text;
	const char *error = http_status(http_line(&at), &response->status);
	bool has_length = false;
	response->stays_open = true;
	response->content_length = 0;
	while (!error) {
		struct http_text line = http_line(&at), name, value;
		uint64_t length;
		if (line.length == 0)
			return has_length ? NULL : "the response does not tell the length of its body";
		error = http_field(line, &name, &value);
		if (error)
			break;
		if (http_is(name, "transfer-encoding"))
			error = "a body in an encoding for its transfer is not understood";
		else if (http_is(name, "connection"))
			response->stays_open = !http_is(value, "close");
		else if (http_is(name, "content-length")) {
			if (!http_number(value, &length))
				error = "the length of the body is no number";
			else if (has_length && length != response->content_length)
				error = "the length of the body is told twice, and differs";
			response->content_length = length;
			has_length = true;
		}
	}
	return error;
}

static inline const char *http_parse_request(const struct http_header *header, struct http_request *request)
{
	static const char version[] = " HTTP/1.1";
	const char *at = header->text;
	struct http_text line = http_line(&at), name, value;
	bool has_host = false;
	size_t version_length = sizeof(version) - 1;
	if (line.length < version_length ||
	    memcmp(line.start + line.length - version_length, version, version_length) != 0)
		return "the request is not of HTTP/1.1";
	line.length -= version_length;
	if (!http_skip(&line, "GET /objects/") || !http_number(line, &request->object))
		return "the request is not GET /objects/NUMBER";
	for (line = http_line(&at); line.length; line = http_line(&at)) {
		const char *error = http_field(line, &name, &value);
		if (error)
			return error;
		has_host = has_host || http_is(name, "host");
	}
	return has_host ? NULL : "the request names no host";
}

/* --------------------------------------------------------------------------------------------- write -- */

static inline char *http_put(char *at, const char *text)
{
	size_t length = strlen(text);
	memcpy(at, text, length);
	return at + length;
}

static inline char *http_put_number(char *at, uint64_t number)
{
	char digits[20];
	size_t count = 0;
	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	while (count)
		*at++ = digits[--count];
	return at;
}

/* Both return the length that they write, which is less than HTTP_HEADER_MAXIMUM. */
static inline size_t http_write_request(char *buffer, uint64_t object)
{
	char *at = http_put_number(http_put(buffer, "GET /objects/"), object);
	at = http_put(at, " HTTP/1.1\r\n"
	                  "Host: memory\r\n"
	                  "User-Agent: heddle\r\n"
	                  "Accept: application/octet-stream\r\n"
	                  "Connection: keep-alive\r\n"
	                  "\r\n");
	return (size_t)(at - buffer);
}

static inline size_t http_write_response(char *buffer, unsigned status, uint64_t content_length)
{
	char *at = http_put_number(http_put(buffer, "HTTP/1.1 "), status);
	at = http_put(at, status == 200 ? " OK\r\n" : " Not Found\r\n");
	at = http_put(at, "Server: heddle\r\n"
	                  "Content-Type: application/octet-stream\r\n"
	                  "Connection: keep-alive\r\n"
	                  "Content-Length: ");
	at = http_put(http_put_number(at, content_length), "\r\n\r\n");
	return (size_t)(at - buffer);
}

#endif
