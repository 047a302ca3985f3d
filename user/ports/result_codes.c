#include "user/result_codes.h"

#include "errno.h"
#include "stdlib.h"
#include "string.h"

#include "heddle/system.h"
#include "kernel/format.h"
#include "qrencode.h"
#include "user/base45.h"
#include "user/ports/allocate.h"
#include "user/ports/library.h"
#include "zlib.h"

/* What fits into a code of 117 squares a side, version 25, with the lowest error correction: a screen is not a torn
 * label, and on a screen of 800 * 600 the squares of larger codes are too small for a camera. */
#define CODE_CHARACTERS 1852
#define HEADER_MAXIMUM  31 /* including a closing 0 */
#define DATA_MAXIMUM    (CODE_CHARACTERS - HEADER_MAXIMUM)
#define LEVEL           9 /* zlib's highest level */

static const char no_memory[] = "there is not enough memory to make it";

/* The compressed results, in base 45. */
struct packed {
	char *text;
	size_t length;
	unsigned long checksum; /* of the uncompressed data */
};

static void *allocate(void *unused, unsigned count, unsigned bytes)
{
	(void)unused;
	return calloc(count, bytes);
}

static void release(void *unused, void *block)
{
	(void)unused;
	free(block);
}

static const char *pack(const struct result_log *log, struct packed *packed)
{
	z_stream stream = {.zalloc = allocate, .zfree = release};
	if (deflateInit(&stream, LEVEL) != Z_OK)
		return no_memory;
	unsigned long room = deflateBound(&stream, log->length);
	unsigned char *bytes = malloc(room);
	packed->text = malloc(BASE45_LENGTH(room));
	if (!bytes || !packed->text)
		return no_memory;
	stream.next_in = (unsigned char *)log->text;
	stream.avail_in = (unsigned)log->length;
	stream.next_out = bytes;
	stream.avail_out = (unsigned)room;
	if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
		return "zlib could not compress the results";
	base45_encode(packed->text, bytes, stream.total_out);
	packed->length = BASE45_LENGTH(stream.total_out);
	packed->checksum = stream.adler;
	deflateEnd(&stream);
	free(bytes);
	return NULL;
}

/* The code outlives the arena in which it was made. */
static const char *copy(const QRcode *made, struct result_code *code)
{
	size_t squares = (size_t)made->width * (size_t)made->width;
	unsigned char *kept = heddle_allocate(squares);
	if (!kept)
		return no_memory;
	memcpy(kept, made->data, squares);
	*code = (struct result_code){(unsigned)made->width, kept};
	return NULL;
}

static const char *encoder_problem(void)
{
	return errno == ENOMEM ? no_memory : "libqrencode could not encode the results";
}

static const char *encode(const char *text, size_t length, struct result_code *code)
{
	QRinput *input = QRinput_new2(0, QR_ECLEVEL_L);
	if (!input || QRinput_append(input, QR_MODE_AN, (int)length, (const unsigned char *)text) != 0)
		return encoder_problem();
	QRcode *made = QRcode_encodeInput(input);
	const char *problem = made ? copy(made, code) : encoder_problem();
	QRcode_free(made);
	QRinput_free(input);
	return problem;
}

/* All parts have the same length, except the last one. */
static const char *encode_part(const struct packed *packed, unsigned part, unsigned parts,
                               struct result_code *code)
{
	size_t each = (packed->length + parts - 1) / parts, start = part * each;
	size_t length = packed->length - start < each ? packed->length - start : each;
	char *text = malloc(HEADER_MAXIMUM + length);
	if (!text)
		return no_memory;
	size_t header = format_text(text, HEADER_MAXIMUM, "HEDDLE/%u/%u/%lu/", part + 1, parts, packed->checksum);
	memcpy(text + header, packed->text + start, length);
	const char *problem = encode(text, header + length, code);
	free(text);
	return problem;
}

static const char *make(const struct result_log *log, struct result_codes *codes)
{
	struct packed packed;
	const char *problem = pack(log, &packed);
	size_t parts = problem ? 0 : (packed.length + DATA_MAXIMUM - 1) / DATA_MAXIMUM;
	if (parts > RESULT_CODES_MAXIMUM)
		return "there are more results than all codes together can hold";
	for (unsigned part = 0; part < parts && !problem; part++)
		problem = encode_part(&packed, part, (unsigned)parts, &codes->codes[part]);
	codes->count = problem ? 0 : (unsigned)parts;
	return problem;
}

const char *result_codes_make(const struct result_log *log, struct result_codes *codes)
{
	struct arena arena = {0};
	int error = 0;
	library_begin(&error);
	allocate_begin(&arena);
	const char *problem = make(log, codes);
	allocate_begin(NULL);
	library_begin(NULL);
	arena_end(&arena);
	return problem;
}
