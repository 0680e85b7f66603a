// libpq as Swift sees it: connections in pipeline mode, which libpq has since PostgreSQL 14.
#ifndef MEDIATOKEN_CLIBPQ_SHIM_H
#define MEDIATOKEN_CLIBPQ_SHIM_H

#include <libpq-fe.h>

#ifndef LIBPQ_HAS_PIPELINING
#error "libpq of PostgreSQL 14 or later is needed"
#endif

// Swift does not see macros that are characters.
static const int mediatoken_pq_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int mediatoken_pq_state = PG_DIAG_SQLSTATE;
static const int mediatoken_pq_message = PG_DIAG_MESSAGE_PRIMARY;

#endif
