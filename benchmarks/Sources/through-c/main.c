// Contenders that use the library as a C program does: see BENCHMARKS.md, "library".
//
//   through-c verify LIBRARY KEY FINGERPRINT TOKENS           verifies the file's tokens, one use not enforced
//   through-c open LIBRARY KEY FINGERPRINT TABLE CAPACITY     makes one verifier, keys read and the table opened
//   through-c make LIBRARY KEY FINGERPRINT TABLE CAPACITY     the same with a table that is not there yet
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contender.h"
#include "library.h"
#include "verifying.h"

struct making {
  struct library library;
  const char *key, *fingerprint, *table, *address;
  int is_new;
  mediatoken_verifier *verifier;
};

static void free_last(void *context) {
  struct making *m = context;
  m->library.verifier_free(m->verifier);
  m->verifier = NULL;
  if (m->is_new) unlink(m->table);
}

static void make(long count, void *context) {
  struct making *m = context;
  if (count != 1) {
    fputs("expected one verifier at a time\n", stderr);
    exit(1);
  }
  m->verifier = library_verifier(&m->library, m->key, m->fingerprint, m->address);
}

static void contend_making(char **words) {
  char address[4200];
  snprintf(address, sizeof address, "shared:%s?capacity=%s", words[5], words[6]);
  struct making m = {.library = library_open(words[2]), .key = words[3], .fingerprint = words[4], .table = words[5],
                     .address = address, .is_new = strcmp(words[1], "make") == 0};
  contend_after(free_last, make, &m);
  m.library.verifier_free(m.verifier);
}

int main(int count, char **words) {
  if (count == 6 && strcmp(words[1], "verify") == 0)
    contend_verifying(words);
  else if (count == 7 && (strcmp(words[1], "open") == 0 || strcmp(words[1], "make") == 0))
    contend_making(words);
  else
    return 2;
  return 0;
}
