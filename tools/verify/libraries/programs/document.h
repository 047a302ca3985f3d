/*
 * A document as text, for what reads XML.
 */
#ifndef TOOLS_VERIFY_LIBRARIES_DOCUMENT_H
#define TOOLS_VERIFY_LIBRARIES_DOCUMENT_H

#include "program.h"

#define DOCUMENT_ROOM ((size_t)80000)
#define CLOTHS        250

static inline size_t document_make(char *text, unsigned seed)
{
	size_t at =
	    (size_t)sprintf(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- cloths -->\n<store>\n");
	for (unsigned i = 0; i < CLOTHS; i++)
		at += (size_t)sprintf(
		    text + at,
		    "<cloth number=\"%u\" width='%u.%u'><name>twill &amp; plain %u</name>\n"
		    "<![CDATA[<raw %u>]]><thread colour=\"&#x%x;\"/><note>%s</note>\n"
		    "<deep><deeper><deepest at=\"%u\">&lt;%u&gt; gr\xc3\xbcn</deepest></deeper></deep>\n"
		    "</cloth>\n",
		    i, (i * 7 + seed) % 200, i % 10, i * seed, i, 65 + i % 26,
		    i % 3 ? "short" : "a note that is longer than the others, over and over", i, i + seed);
	return at + (size_t)sprintf(text + at, "</store>\n");
}

#endif
