#include "arch/x86_64/decode/identity.h"

#define FAMILY_EXTENDED 15 /* a further field is added to this family */
#define FAMILY_MODELS   6  /* this family and FAMILY_EXTENDED have a further field for the model */

struct signature identity_signature(const struct identity *identity)
{
	uint32_t word = identity_read(identity, 1, 0).eax;
	uint32_t family = word >> 8 & 15, model = word >> 4 & 15;
	if (family == FAMILY_EXTENDED || family == FAMILY_MODELS)
		model |= word >> 16 << 4 & 0xf0;
	if (family == FAMILY_EXTENDED)
		family += word >> 20 & 0xff;
	return (struct signature){identity_read(identity, 0, 0).ebx, family, model, word & 15};
}
