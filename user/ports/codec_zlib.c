/* zlib's stream, in pieces. */
#include "stdlib.h"
#include "user/ports/roundtrip.h"
#include "zlib.h"

static void *allocate(void *unused, unsigned count, unsigned bytes)
{
	(void)unused;
	return malloc((size_t)count * bytes);
}

static void release(void *unused, void *block)
{
	(void)unused;
	free(block);
}

/* Run the stream over all input in pieces, by deflate or inflate; returns zlib's last result. */
static int run_stream(z_stream *stream, int (*step)(z_stream *, int), const struct roundtrip_buffer *input)
{
	size_t bytes = input->length;
	int answer = Z_OK;
	stream->next_in = input->bytes;
	while (answer == Z_OK && (bytes > 0 || stream->avail_in == 0)) {
		size_t piece = bytes < ROUNDTRIP_PIECE ? bytes : ROUNDTRIP_PIECE;
		stream->avail_in = (unsigned)piece;
		bytes -= piece;
		answer = step(stream, bytes == 0 ? Z_FINISH : Z_NO_FLUSH);
	}
	return answer;
}

static size_t bound(size_t bytes, int level)
{
	(void)level;
	return bytes + bytes / 8 + 1024;
}

static const char *compress_text(const struct roundtrip_buffer *text, struct roundtrip_buffer *packed,
                                 int level)
{
	z_stream stream = {.zalloc = allocate, .zfree = release};
	if (deflateInit(&stream, level) != Z_OK)
		return "there is not enough memory to compress";
	stream.next_out = packed->bytes;
	stream.avail_out = (unsigned)packed->length;
	int answer = run_stream(&stream, deflate, text);
	packed->length = stream.total_out;
	if (deflateEnd(&stream) != Z_OK || answer != Z_STREAM_END)
		return "the text could not be compressed";
	return stream.adler == adler32(1, text->bytes, (unsigned)text->length)
	           ? NULL
	           : "the checksum of the stream is wrong";
}

static const char *restore_text(const struct roundtrip_buffer *packed, struct roundtrip_buffer *text)
{
	z_stream stream = {.zalloc = allocate, .zfree = release};
	if (inflateInit(&stream) != Z_OK)
		return "there is not enough memory to restore";
	stream.next_out = text->bytes;
	stream.avail_out = (unsigned)text->length;
	int answer = run_stream(&stream, inflate, packed);
	text->length = stream.total_out;
	return inflateEnd(&stream) == Z_OK && answer == Z_STREAM_END
	           ? NULL
	           : "the compressed text could not be restored";
}

static unsigned long checksum(const struct roundtrip_buffer *text)
{
	return crc32(0, text->bytes, (unsigned)text->length);
}

const struct roundtrip_codec codec_zlib = {"zlib", bound, compress_text, restore_text, checksum};
