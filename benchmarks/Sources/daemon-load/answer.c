#define _GNU_SOURCE
#include "answer.h"

#include <string.h>

#include "failure.h"

size_t answer_length(const char *answer, size_t held) {
  const char *body = memmem(answer, held, "\r\n\r\n", 4), *field = strcasestr(answer, "\r\nContent-Length: ");
  if (body == NULL) return 0;
  if (field == NULL || field > body) fail_expecting("an answer with Content-Length");
  size_t length = (size_t)(body + 4 - answer) + strtoul(field + 18, NULL, 10);
  return held >= length ? length : 0;
}

void answer_check(const char *answer, size_t length, enum endpoint endpoint) {
  const char *valid =
    endpoint == AUTH ? "\r\nX-Media-Token-Verdict: VALID_TOKEN\r\n" : "\"verdict\":\"VALID_TOKEN\"";
  if (length != 0 && strncmp(answer, "HTTP/1.1 200 ", 13) == 0 && memmem(answer, length, valid, strlen(valid)) != NULL)
    return;
  // The first line is safe to show: no token is in it.
  fprintf(stderr, "daemon-load: expected a whole answer that says VALID_TOKEN, found %zu bytes: %.*s\n", length,
    (int)strcspn(answer, "\r"), answer);
  exit(1);
}
