// hiredis as Swift sees it: commands are formatted and replies are read with it, and nothing else; its connections
// (redisContext) are not used.
#ifndef MEDIATOKEN_CLIBHIREDIS_SHIM_H
#define MEDIATOKEN_CLIBHIREDIS_SHIM_H

#include <hiredis/hiredis.h>

#endif
