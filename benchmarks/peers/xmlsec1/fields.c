#define _GNU_SOURCE
#include "fields.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIELDS = 6 };
enum field { SESSION_GUID, REQUESTOR_ID, RESOURCE_ID, TTL, ISSUE_TIME, MVPD_ID };
static const char *const names[FIELDS] = {"sessionGUID", "requestorID", "resourceID", "ttl", "issueTime", "mvpdId"};

// The text of each field, which stays the document's. False if one is missing.
static int read_fields(xmlNodePtr root, const char *fields[FIELDS]) {
  int found = 0;
  for (xmlNodePtr node = root->children; node != NULL; node = node->next) {
    xmlNodePtr text = node->children;
    if (text == NULL || text->type != XML_TEXT_NODE || text->next != NULL) continue;
    for (int index = 0; index < FIELDS; index++) {
      if (fields[index] != NULL || strcmp((const char *)node->name, names[index]) != 0) continue;
      fields[index] = (const char *)text->content;
      found++;
    }
  }
  return found == FIELDS;
}

const char *check_fields(xmlNodePtr root, const char *requestor, const char *resource) {
  const char *fields[FIELDS] = {NULL};
  struct tm issued = {0};
  if (strcmp((const char *)root->name, "authToken") != 0 || !read_fields(root, fields)) return "a field is missing";
  const char *end = strptime(fields[ISSUE_TIME], "%Y-%m-%d %H:%M:%S %z", &issued);
  if (end == NULL || *end != 0) return "its issueTime cannot be read";
  long offset = issued.tm_gmtoff;  // timegm overwrites it
  long long issue_time = timegm(&issued) - offset, now = time(NULL);
  if (now < issue_time - 60) return "it is not valid yet";
  if (now >= issue_time + atoll(fields[TTL]) / 1000) return "it has expired";
  if (strcmp(fields[REQUESTOR_ID], requestor) != 0) return "it is for another requestor";
  return strcmp(fields[RESOURCE_ID], resource) == 0 ? NULL : "it is for another resource";
}
