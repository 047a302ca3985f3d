#include <qrencode.h>

#include "program.h"

int main(int count, char **arguments)
{
	static char text[400];
	uint64_t sum = CHECKSUM_START;
	int right = 1;
	for (unsigned round = 0; round < rounds_of(count, arguments) && right; round++) {
		text_make(text, sizeof text - 1, round);
		QRcode *code = QRcode_encodeString(text, 0, QR_ECLEVEL_Q, QR_MODE_8, 1);
		right = code != NULL && QRcode_encodeString(text, 1, QR_ECLEVEL_H, QR_MODE_NUM, 1) == NULL;
		if (right)
			sum = checksum(sum, code->data, (size_t)code->width * (size_t)code->width);
		QRcode_free(code);
	}
	return finish("qrencode", sum, right);
}
