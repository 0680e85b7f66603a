// libpq as Swift sees it: connections in pipeline mode, which libpq has since PostgreSQL 14. It is not linked but loaded when it is
// needed, because it brings twenty more libraries.
#ifndef MEDIATOKEN_CLIBPQ_SHIM_H
#define MEDIATOKEN_CLIBPQ_SHIM_H

#include <dlfcn.h>
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>  // Debian's place
#else
#include <libpq-fe.h>
#endif

#ifndef LIBPQ_HAS_PIPELINING
#error "libpq of PostgreSQL 14 or later is needed"
#endif

// Swift does not see macros that are characters.
static const int mediatoken_pq_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int mediatoken_pq_state = PG_DIAG_SQLSTATE;
static const int mediatoken_pq_message = PG_DIAG_MESSAGE_PRIMARY;

// What of it is called, with the types that its own header gives.
#define MEDIATOKEN_PQ_FUNCTIONS(each) \
  each(PQclear) each(PQconndefaults) each(PQconnectPoll) each(PQconnectStartParams) each(PQconninfoFree) \
  each(PQconsumeInput) each(PQenterPipelineMode) each(PQerrorMessage) each(PQfinish) each(PQflush) each(PQfreemem) \
  each(PQgetResult) \
  each(PQgetisnull) each(PQgetlength) each(PQgetvalue) each(PQisBusy) each(PQnfields) each(PQnotifies) each(PQntuples) \
  each(PQpipelineSync) each(PQresultErrorField) each(PQresultStatus) each(PQsendQueryParams) \
  each(PQsetErrorVerbosity) each(PQsetNoticeReceiver) each(PQsetnonblocking) each(PQsocket)

struct mediatoken_pq {
#define MEDIATOKEN_PQ_FIELD(name) __typeof__(&name) name;
  MEDIATOKEN_PQ_FUNCTIONS(MEDIATOKEN_PQ_FIELD)
#undef MEDIATOKEN_PQ_FIELD
};

// Loads libpq for good. Returns NULL, or what the loader says.
static inline const char *mediatoken_pq_load(struct mediatoken_pq *functions) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define MEDIATOKEN_PQ_FIND(name) \
  if ((functions->name = (__typeof__(&name))dlsym(library, #name)) == NULL) return dlerror();
  MEDIATOKEN_PQ_FUNCTIONS(MEDIATOKEN_PQ_FIND)
#undef MEDIATOKEN_PQ_FIND
  return NULL;
}

#endif
