#include "arch/x86_64/decode/errata.h"

#include <stddef.h>

#define ANY_STEPPING 16

/* The first microcode version in which the deadline works. */
static const struct {
	uint32_t model, stepping, microcode;
} deadline_needs[] = {
    {0x3f, 2, 0x3a},
    {0x3f, 4, 0x0f},                  /* Haswell for servers */
    {0x4f, ANY_STEPPING, 0x0b000020}, /* Broadwell for servers */
    {0x56, 2, 0x11},
    {0x56, 3, 0x0700000e},
    {0x56, 4, 0x0f00000c},
    {0x56, 5, 0x0e000003}, /* Broadwell D */
    {0x55, 3, 0x01000136},
    {0x55, 4, 0x02000014}, /* Skylake for servers */
    {0x3c, ANY_STEPPING, 0x22},
    {0x45, ANY_STEPPING, 0x20},
    {0x46, ANY_STEPPING, 0x17}, /* Haswell */
    {0x3d, ANY_STEPPING, 0x25},
    {0x47, ANY_STEPPING, 0x17}, /* Broadwell */
    {0x4e, ANY_STEPPING, 0xb2},
    {0x5e, ANY_STEPPING, 0xb2}, /* Skylake */
    {0x8e, ANY_STEPPING, 0x52},
    {0x9e, ANY_STEPPING, 0x52}, /* Kaby Lake */
};

/* Goldmont and Lunar Lake miss writes; so do Dunnington and the Nehalem and Westmere processors for many sockets,
 * unless the line is flushed first. */
static const uint32_t monitor_models[] = {0x5c, 0xbd, 0x1d, 0x2e, 0x2f};

static bool is_intel(const struct signature *signature)
{
	return signature->maker == MAKER_INTEL && signature->family == FAMILY_INTEL_P6;
}

bool errata_deadline_is_sound(const struct signature *signature, uint32_t microcode)
{
	for (size_t i = 0; i < sizeof(deadline_needs) / sizeof(deadline_needs[0]); i++)
		if (is_intel(signature) && signature->model == deadline_needs[i].model &&
		    (deadline_needs[i].stepping == ANY_STEPPING || signature->stepping == deadline_needs[i].stepping))
			return microcode >= deadline_needs[i].microcode;
	return true;
}

bool errata_monitor_is_sound(const struct signature *signature)
{
	for (size_t i = 0; i < sizeof(monitor_models) / sizeof(monitor_models[0]); i++)
		if (is_intel(signature) && signature->model == monitor_models[i])
			return false;
	return true;
}
