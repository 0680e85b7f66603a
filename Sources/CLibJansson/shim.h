// jansson as Swift sees it, plus adapters for its function-like macros.
#ifndef MEDIATOKEN_CLIBJANSSON_SHIM_H
#define MEDIATOKEN_CLIBJANSSON_SHIM_H

#include <jansson.h>

#endif
