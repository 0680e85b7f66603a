// libxml2 as Swift sees it: the SAX2 push parser only.
#ifndef MEDIATOKEN_CLIBXML2_SHIM_H
#define MEDIATOKEN_CLIBXML2_SHIM_H

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#endif
