// The fields of a document that is known to be genuine.
#pragma once

#include <libxml/tree.h>

// Gives why the document is refused: it is not current, or meant for another requestor or resource; else NULL.
const char *check_fields(xmlNodePtr root, const char *requestor, const char *resource);
