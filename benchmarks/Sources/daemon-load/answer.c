#define _GNU_SOURCE
#include "answer.h"

#include <string.h>

#include "failure.h"

// The length that head and body must have together; 0 as long as the head is not whole.
static size_t whole_length(const char *answer) {
  const char *body = strstr(answer, "\r\n\r\n"), *length = strcasestr(answer, "\r\nContent-Length: ");
  if (body == NULL) return 0;
  if (length == NULL || length > body) fail_expecting("an answer with Content-Length");
  return (size_t)(body + 4 - answer) + strtoul(length + 18, NULL, 10);
}

bool answer_is_whole(const char *answer, size_t held) {
  size_t length = whole_length(answer);
  return length != 0 && held >= length;
}

static size_t occurrences(const char *text, const char *words) {
  size_t count = 0;
  for (; (text = strstr(text, words)) != NULL; text += strlen(words)) count++;
  return count;
}

void answer_check(const char *answer, size_t held, enum endpoint endpoint, size_t tokens) {
  const char *valid =
    endpoint == AUTH ? "\r\nX-Media-Token-Verdict: VALID_TOKEN\r\n" : "\"verdict\":\"VALID_TOKEN\"";
  if (held != 0 && held == whole_length(answer) && strncmp(answer, "HTTP/1.1 200 ", 13) == 0 &&
      occurrences(answer, valid) == tokens)
    return;
  // The first line is safe to show: no token is in it.
  fprintf(stderr, "daemon-load: expected a whole answer with %zu valid tokens, found %zu bytes: %.*s\n", tokens, held,
    (int)strcspn(answer, "\r"), answer);
  exit(1);
}
