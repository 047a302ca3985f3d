/* lz4's frame, in pieces, with the checksum of the whole text. */
#include "lz4frame.h"
#include "user/ports/roundtrip.h"

static LZ4F_preferences_t preferences(int level)
{
	LZ4F_preferences_t chosen = LZ4F_INIT_PREFERENCES;
	chosen.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
	chosen.compressionLevel = level;
	return chosen;
}

/* A frame's beginning, and what lz4 may keep from one call to the next. */
static size_t bound(size_t bytes, int level)
{
	LZ4F_preferences_t chosen = preferences(level);
	return LZ4F_HEADER_SIZE_MAX + LZ4F_compressBound(bytes, &chosen) +
	       LZ4F_compressBound(ROUNDTRIP_PIECE, &chosen);
}

/* A position in the output. */
struct output {
	unsigned char *bytes;
	size_t used, room;
};

/* Add what lz4 wrote; false: it did not. */
static int wrote(struct output *output, size_t answer)
{
	if (LZ4F_isError(answer))
		return 0;
	output->used += answer;
	return 1;
}

static int write_frame(LZ4F_cctx *context, const struct roundtrip_buffer *text, struct output *output,
                       int level)
{
	LZ4F_preferences_t chosen = preferences(level);
	if (!wrote(output, LZ4F_compressBegin(context, output->bytes, output->room, &chosen)))
		return 0;
	for (size_t done = 0; done < text->length; done += ROUNDTRIP_PIECE) {
		size_t rest = text->length - done, piece = rest < ROUNDTRIP_PIECE ? rest : ROUNDTRIP_PIECE;
		if (!wrote(output, LZ4F_compressUpdate(context, output->bytes + output->used,
		                                       output->room - output->used, text->bytes + done, piece, NULL)))
			return 0;
	}
	return wrote(output,
	             LZ4F_compressEnd(context, output->bytes + output->used, output->room - output->used, NULL));
}

static const char *compress_text(const struct roundtrip_buffer *text, struct roundtrip_buffer *packed,
                                 int level)
{
	struct output output = {packed->bytes, 0, packed->length};
	LZ4F_cctx *context;
	if (LZ4F_isError(LZ4F_createCompressionContext(&context, LZ4F_VERSION)))
		return "there is not enough memory to compress";
	int well = write_frame(context, text, &output, level);
	LZ4F_freeCompressionContext(context);
	packed->length = output.used;
	return well ? NULL : "the text could not be compressed";
}

/* Returns lz4's last result: 0 if the frame is complete. */
static size_t read_frame(LZ4F_dctx *context, const struct roundtrip_buffer *packed, struct output *output)
{
	size_t answer = 1, taken = 0;
	while (answer != 0 && !LZ4F_isError(answer) && taken < packed->length) {
		size_t rest = packed->length - taken, piece = rest < ROUNDTRIP_PIECE ? rest : ROUNDTRIP_PIECE;
		size_t written = output->room - output->used;
		answer = LZ4F_decompress(context, output->bytes + output->used, &written, packed->bytes + taken,
		                         &piece, NULL);
		output->used += written;
		taken += piece;
	}
	return taken == packed->length ? answer : 1;
}

static const char *restore_text(const struct roundtrip_buffer *packed, struct roundtrip_buffer *text)
{
	struct output output = {text->bytes, 0, text->length};
	LZ4F_dctx *context;
	if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)))
		return "there is not enough memory to restore";
	size_t answer = read_frame(context, packed, &output);
	LZ4F_freeDecompressionContext(context);
	text->length = output.used;
	return answer == 0 ? NULL : "the compressed text could not be restored";
}

const struct roundtrip_codec codec_lz4 = {"lz4", bound, compress_text, restore_text, NULL};
