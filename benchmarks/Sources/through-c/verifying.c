#include "verifying.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contender.h"
#include "library.h"

struct verifying {
  struct library library;
  mediatoken_verifier *verifier;
  mediatoken_result *result;
  mediatoken_text *tokens;
  size_t count, next;
  long long now_ms;
};

static void verify(long count, void *context) {
  struct verifying *v = context;
  for (long i = 0; i < count; i++) {
    mediatoken_request request = MEDIATOKEN_REQUEST_INIT;
    request.token = v->tokens[v->next];
    v->next = v->next + 1 == v->count ? 0 : v->next + 1;
    request.requestor.bytes = "REF30";
    request.requestor.length = strlen("REF30");
    request.resource.bytes = "TNT";
    request.resource.length = strlen("TNT");
    request.now_ms = v->now_ms;
    if (v->library.verify(v->verifier, &request, v->result) != MEDIATOKEN_VALID_TOKEN ||
        v->library.result_code(v->result) != MEDIATOKEN_VALID_TOKEN) {
      fputs("expected a valid token, found another verdict\n", stderr);
      exit(1);
    }
  }
}

static void read_tokens(struct verifying *v, const char *path) {
  FILE *file = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  for (ssize_t length; file != NULL && (length = getline(&line, &room, file)) > 0; v->count++) {
    v->tokens = realloc(v->tokens, (v->count + 1) * sizeof *v->tokens);
    v->tokens[v->count].bytes = strndup(line, (size_t)length - 1);
    v->tokens[v->count].length = (size_t)length - 1;
  }
  if (v->count == 0) {
    fprintf(stderr, "expected tokens in %s, found none\n", path);
    exit(1);
  }
  free(line);
  fclose(file);
}

void contend_verifying(char **words) {
  struct verifying v = {.library = library_open(words[2]), .now_ms = (long long)time(NULL) * 1000};
  v.verifier = library_verifier(&v.library, words[3], words[4], "none:");
  if (v.library.result_new(&v.result) != MEDIATOKEN_OK) exit(1);
  read_tokens(&v, words[5]);
  contend(verify, &v);
}
