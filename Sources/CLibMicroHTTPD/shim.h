// libmicrohttpd as Swift sees it, plus adapters for its variadic functions, which Swift cannot call.
#ifndef MEDIATOKEN_CLIBMICROHTTPD_SHIM_H
#define MEDIATOKEN_CLIBMICROHTTPD_SHIM_H

#include <microhttpd.h>

#endif
