// libxml2 as Swift sees it: the SAX2 push parser only.
#ifndef MEDIATOKEN_CLIBXML2_SHIM_H
#define MEDIATOKEN_CLIBXML2_SHIM_H

#include <libxml/xmlversion.h>
// Debian's libxml2 drags ICU's headers in, which differ from the copy inside Swift's Foundation: a file that sees both
// modules does not compile. ICU shows only in the encoding handlers' struct, which is not looked into here.
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#endif
