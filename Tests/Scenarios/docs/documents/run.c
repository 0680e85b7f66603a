/* README's block, with the arguments KEYS TOKEN RESOURCE. */
#include "given.h"

mediatoken_keys *keys;
char why[512];
mediatoken_verifier *verifier;
mediatoken_result *result;
const char *body;
size_t body_length;
const char *resource;
size_t resource_length;

void play(void) { puts("plays"); }
void refuse(void) { puts("refuses"); }

int main(int argc, char **argv) {
  if (argc != 4 || mediatoken_keys_new(&keys) != MEDIATOKEN_OK || mediatoken_result_new(&result) != MEDIATOKEN_OK) return 2;
  if (mediatoken_keys_add_path(keys, argv[1], strlen(argv[1]), why, sizeof why) != MEDIATOKEN_OK ||
      mediatoken_verifier_new(&verifier, keys, NULL, "none:", strlen("none:"), why, sizeof why) != MEDIATOKEN_OK) {
    fprintf(stderr, "%s\n", why);
    return 3;
  }
  body = argv[2];
  body_length = strlen(body);
  resource = argv[3];
  resource_length = strlen(resource);
  block();
  mediatoken_verifier_free(verifier);
  mediatoken_result_free(result);
  mediatoken_keys_free(keys);
  return 0;
}
