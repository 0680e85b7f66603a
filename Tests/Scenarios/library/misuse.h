/* What misuse.c and misuse_results.c share. */
#ifndef MISUSE_H
#define MISUSE_H
#include <mediatoken.h>
#include <stdio.h>
#include <string.h>

#include "../lib/check.h"

extern int held, broken;
#define CODE(expected, call)                                                                                   \
  do {                                                                                                         \
    mediatoken_code found_ = (call);                                                                           \
    if (found_ == (expected)) held++;                                                                          \
    else broken++, printf("FAILED: line %d: %s: expected %s, found %s\n", __LINE__, #call,                     \
                          mediatoken_code_name(expected), mediatoken_code_name(found_)), fflush(stdout);       \
  } while (0)

extern mediatoken_keys *keys;
extern mediatoken_result *result;

mediatoken_text text(const char *bytes);
/* For the token of the command line, REF30 and TNT. */
mediatoken_request good_request(void);
/* No getter gives anything of a token. */
void check_nothing(const mediatoken_result *r, int line);
/* The request is answered so, in the code, in the result, and with nothing to give. */
void refused(mediatoken_code expected, const mediatoken_verifier *verifier, const mediatoken_request *request, int line);
#define REFUSED(expected, verifier, request) refused(expected, verifier, request, __LINE__)

/* One token's whole result. */
void valid(const mediatoken_verifier *shared);
/* A child after fork. */
void forks(mediatoken_verifier *none, mediatoken_verifier *shared);
#endif
