/* First uses through libpq: CLIENTS connections in pipeline mode, one batch of BATCH new tokens in flight on each, for SECONDS. An
   answer counts when its Sync has come. FLEET's function `claims`, or with "-" the usual statement on the table `bare`.

     postgres-claims FOLDER-OF-THE-SOCKET FLEET|- CLIENTS BATCH SECONDS FUTURE-TOLERANCE GRACE

   Prints one object of JSON. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>

enum { MOST_CLIENTS = 64, MOST_CLAIMS = 64, MOST_TIMES = 1 << 22 };
enum { INT4 = 23, INT8 = 20, TEXT = 25, UUID = 2950, INT8S = 1016, UUIDS = 2951 };

typedef struct {
  PGconn *connection;
  uint64_t sent;
  int found;
} Client;

static const char *fleet;
static char statement[256];
static int batch;
static uint32_t ahead, grace;
static uint32_t *times;
static size_t answers;
static uint64_t granted, refused;

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static char *add(char *end, uint32_t value) {
  value = htonl(value);
  memcpy(end, &value, 4);
  return end + 4;
}

/* A binary array of one dimension: its header, then each element's length and bytes. Returns its length. */
static int array(char *bytes, uint32_t element, uint32_t size, const char *elements) {
  char *end = add(add(add(add(add(bytes, 1), 0), element), (uint32_t)batch), 1);
  for (int n = 0; n < batch; n++) {
    end = add(end, size);
    memcpy(end, elements + (size_t)n * size, size);
    end += size;
  }
  return (int)(end - bytes);
}

static void ask(Client *client) {
  static char seconds[64 * 12 + 20], identities[64 * 20 + 20], ballots[64 * 20 + 20], random[64 * 32];
  uint64_t second[MOST_CLAIMS];
  for (int n = 0; n < batch; n++) second[n] = htobe64((uint64_t)time(NULL));
  if (getrandom(random, sizeof random, 0) != sizeof random) fail("no random bytes");
  int lengths[6] = {(int)strlen(fleet), 4, 4, array(seconds, INT8, 8, (char *)second),
                    array(identities, UUID, 16, random), array(ballots, UUID, 16, random + 64 * 16)};
  const char *values[6] = {fleet, (char *)&ahead, (char *)&grace, seconds, identities, ballots};
  const Oid types[6] = {TEXT, INT4, INT4, INT8S, UUIDS, UUIDS};
  const int formats[6] = {1, 1, 1, 1, 1, 1};
  int first = fleet[0] == '-' ? 4 : 0;
  client->sent = now();
  client->found = 0;
  if (!PQsendQueryParams(client->connection, statement, 6 - first, types + first, values + first, lengths + first, formats, 1) ||
      !PQpipelineSync(client->connection) || PQflush(client->connection) < 0)
    fail(PQerrorMessage(client->connection));
}

static void count(Client *client, const PGresult *result) {
  if (fleet[0] == '-') {
    client->found = PQntuples(result);
    return;
  }
  /* The row as one value: how many there are, the clock and the letters, each with a type and a length. */
  const char *letters = PQgetvalue(result, 0, 0) + 4 + 16 + 8;
  for (int n = 0; n < batch; n++) client->found += letters[n] == 'n';
}

/* Whether the batch's Sync has come. */
static int hear(Client *client) {
  if (!PQconsumeInput(client->connection)) fail(PQerrorMessage(client->connection));
  for (int nothing = 0; nothing < 2 && !PQisBusy(client->connection);) {
    PGresult *result = PQgetResult(client->connection);
    if (!result) {
      nothing++;
      continue;
    }
    ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK) count(client, result);
    if (status == PGRES_FATAL_ERROR) fail(PQresultErrorMessage(result));
    PQclear(result);
    if (status != PGRES_PIPELINE_SYNC) continue;
    if (answers < MOST_TIMES) times[answers++] = (uint32_t)((now() - client->sent) / 1000);
    granted += (uint64_t)client->found;
    refused += (uint64_t)(batch - client->found);
    return 1;
  }
  return 0;
}

static int compare(const void *one, const void *other) {
  uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
  return a < b ? -1 : a > b;
}

static double processor(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

int main(int arguments, char **argument) {
  if (arguments != 8) fail("expected FOLDER FLEET|- CLIENTS BATCH SECONDS FUTURE-TOLERANCE GRACE");
  int clients = atoi(argument[3]), open = clients;
  fleet = argument[2];
  batch = atoi(argument[4]);
  if (clients < 1 || clients > MOST_CLIENTS || batch < 1 || batch > MOST_CLAIMS) fail("too many clients or claims");
  ahead = htonl((uint32_t)atoi(argument[6]));
  grace = htonl((uint32_t)atoi(argument[7]));
  if (fleet[0] == '-')
    strcpy(statement, "INSERT INTO bare SELECT * FROM unnest($1::uuid[], $2::uuid[]) ON CONFLICT DO NOTHING RETURNING 1");
  else
    snprintf(statement, sizeof statement, "SELECT \"mp3_%s\".claims($1, $2, $3, $4, $5, $6)", fleet);
  times = malloc(sizeof *times * MOST_TIMES);
  static Client client[MOST_CLIENTS];
  static struct pollfd sockets[MOST_CLIENTS];
  const char *keys[] = {"host", "user", "dbname", NULL}, *values[] = {argument[1], "mediatoken", "postgres", NULL};
  for (int n = 0; n < clients; n++) {
    client[n].connection = PQconnectdbParams(keys, values, 0);
    if (PQstatus(client[n].connection) != CONNECTION_OK) fail(PQerrorMessage(client[n].connection));
    PQsetnonblocking(client[n].connection, 1);
    PQenterPipelineMode(client[n].connection);
    sockets[n] = (struct pollfd){.fd = PQsocket(client[n].connection), .events = POLLIN};
  }
  double used = processor();
  uint64_t start = now(), end = start + (uint64_t)(atof(argument[5]) * 1e9);
  for (int n = 0; n < clients; n++) ask(&client[n]);
  while (open > 0) {
    poll(sockets, (nfds_t)clients, 1000);
    for (int n = 0; n < clients; n++) {
      if (!sockets[n].revents || !hear(&client[n])) continue;
      if (now() < end) ask(&client[n]);
      else sockets[n].fd = -1, open--;
    }
  }
  double seconds = (double)(now() - start) / 1e9;
  used = processor() - used;
  qsort(times, answers, sizeof *times, compare);
  printf("{\"claims\": %llu, \"perSecond\": %.0f, \"p50Microseconds\": %u, \"p99Microseconds\": %u, \"mostMicroseconds\": %u, "
         "\"clientMicroseconds\": %.2f, \"notNew\": %llu}\n",
         (unsigned long long)granted, (double)granted / seconds, times[answers / 2], times[answers * 99 / 100], times[answers - 1],
         used * 1e6 / (double)(granted ? granted : 1), (unsigned long long)refused);
  return 0;
}
