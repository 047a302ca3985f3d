/* zstd's frame, in pieces, with the checksum of the whole text. */
#include "user/ports/roundtrip.h"
#include "zstd.h"

static size_t bound(size_t bytes, int level)
{
	(void)level;
	return ZSTD_compressBound(bytes);
}

/* Returns zstd's last result: 0 if the frame is complete. */
static size_t write_frame(ZSTD_CCtx *context, const struct roundtrip_buffer *text, ZSTD_outBuffer *output,
                          int level)
{
	size_t answer = ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
	if (!ZSTD_isError(answer))
		answer = ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	if (!ZSTD_isError(answer))
		answer = ZSTD_CCtx_setPledgedSrcSize(context, text->length);
	for (size_t done = 0; done < text->length && !ZSTD_isError(answer); done += ROUNDTRIP_PIECE) {
		size_t rest = text->length - done, piece = rest < ROUNDTRIP_PIECE ? rest : ROUNDTRIP_PIECE;
		ZSTD_inBuffer input = {text->bytes + done, piece, 0};
		answer = ZSTD_compressStream2(context, output, &input, piece == rest ? ZSTD_e_end : ZSTD_e_continue);
	}
	return answer;
}

static const char *compress_text(const struct roundtrip_buffer *text, struct roundtrip_buffer *packed,
                                 int level)
{
	ZSTD_outBuffer output = {packed->bytes, packed->length, 0};
	ZSTD_CCtx *context = ZSTD_createCCtx();
	if (!context)
		return "there is not enough memory to compress";
	size_t answer = write_frame(context, text, &output, level);
	ZSTD_freeCCtx(context);
	packed->length = output.pos;
	return answer == 0 ? NULL : "the text could not be compressed";
}

/* Returns zstd's last result: 0 if the frame is complete. */
static size_t read_frame(ZSTD_DCtx *context, const struct roundtrip_buffer *packed, ZSTD_outBuffer *output)
{
	size_t answer = 1;
	for (size_t done = 0; done < packed->length && !ZSTD_isError(answer); done += ROUNDTRIP_PIECE) {
		size_t rest = packed->length - done;
		ZSTD_inBuffer input = {packed->bytes + done, rest < ROUNDTRIP_PIECE ? rest : ROUNDTRIP_PIECE, 0};
		answer = ZSTD_decompressStream(context, output, &input);
	}
	return answer;
}

static const char *restore_text(const struct roundtrip_buffer *packed, struct roundtrip_buffer *text)
{
	ZSTD_outBuffer output = {text->bytes, text->length, 0};
	ZSTD_DCtx *context = ZSTD_createDCtx();
	if (!context)
		return "there is not enough memory to restore";
	size_t answer = read_frame(context, packed, &output);
	ZSTD_freeDCtx(context);
	text->length = output.pos;
	return answer == 0 ? NULL : "the compressed text could not be restored";
}

const struct roundtrip_codec codec_zstd = {"zstd", bound, compress_text, restore_text, NULL};
