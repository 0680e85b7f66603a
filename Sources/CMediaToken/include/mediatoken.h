/*
 * mediatoken.h: decide in your own process, before a video starts, whether an Adobe Pass short media token is
 * genuine, current, meant for this requestor and resource, and not used before.
 *
 *   mediatoken_keys *keys = NULL;
 *   mediatoken_verifier *verifier = NULL;
 *   mediatoken_result *result = NULL;
 *   char why[512];
 *
 *   // Once. If one of these is not MEDIATOKEN_OK, do not start; `why` says what to fix.
 *   mediatoken_keys_new(&keys);
 *   mediatoken_keys_add_path(keys, "/etc/mediatoken/keys", 20, why, sizeof why);
 *   mediatoken_verifier_new(&verifier, keys, NULL, "shared:/var/lib/mediatoken/replay.table", 39, why, sizeof why);
 *   mediatoken_result_new(&result);
 *
 *   // For each playback. The token is what the viewer's client sent, after HTTP's own decoding.
 *   mediatoken_request request = MEDIATOKEN_REQUEST_INIT;
 *   request.token.bytes = body;
 *   request.token.length = body_length;
 *   request.requestor.bytes = "REF30";
 *   request.requestor.length = 5;
 *   request.resource.bytes = resource;
 *   request.resource.length = resource_length;
 *   if (mediatoken_verify(verifier, &request, result) == MEDIATOKEN_VALID_TOKEN) play(); else refuse();
 *
 * A table is made once, by the command line:
 *   mediatoken replay create --table /var/lib/mediatoken/replay.table --capacity 1000000
 *
 * Compile and link:  cc server.c $(pkg-config --cflags --libs mediatoken)
 *
 * Rules that hold for every call:
 *
 * - 0 is success, and nothing else is. Whatever goes wrong is a code other than 0: the viewer is refused.
 * - Text goes in as bytes and a length, and need not end with NUL. What goes in is copied or used up before the
 *   call returns; you may free it at once. Each text is read once, and what is verified is a copy: if another
 *   thread writes there meanwhile, a token may be refused, but a valid result is about the bytes that were signed.
 *   Names, paths and addresses are of at most 65,536 bytes.
 * - Text comes out as `const char *` with its length, always ends with NUL, contains no other NUL, and is UTF-8. It
 *   belongs to the handle that gave it, and is valid until that handle is used for another call that changes it, or
 *   freed. You may pass NULL for `length`.
 * - NULL where something is needed, a length without bytes, and contradictions are MEDIATOKEN_BAD_ARGUMENT. A
 *   handle that was freed, or one of another kind, can't be recognised: never pass one.
 * - `message` of `message_size` bytes gets a sentence for people about what went wrong, and what to do next where that
 *   can be said. It always ends with NUL, is cut if there is no room for it, and is empty after success.
 *   It never contains a token, a viewer's id or a key. NULL with size 0 is fine.
 * - Times are milliseconds since 1970-01-01T00:00:00Z (`_ms`), lives and tolerances are milliseconds.
 * - No call calls you back, throws, changes the process's signal handlers, or touches settings of OpenSSL or
 *   libxml2 that other code in the process could notice. One exception: the first verifier with a replay table installs a
 *   handler of SIGBUS, for pages of the table that its disk does not give. All other bus errors go where they went.
 * - If the process has no memory left at all, the Swift runtime ends it, as it does for every Swift program. That
 *   makes no token valid.
 *
 * Threads: any number may use one verifier at once, also while another one exchanges its keys. A `mediatoken_keys`
 * or `mediatoken_result` is used by one thread at a time; give each thread its own result.
 *
 * Processes: see mediatoken_verifier_after_fork().
 */
#ifndef MEDIATOKEN_H
#define MEDIATOKEN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The interface that this header describes; compare with mediatoken_abi_version(). */
#define MEDIATOKEN_ABI_VERSION 0

/* ---- Codes -------------------------------------------------------------------------------------------------- */

/*
 * What a call says. The numbers never change; a later version may add some, so treat one that you don't know as a
 * refusal.
 */
typedef enum mediatoken_code {
  /* Done. The same number as MEDIATOKEN_VALID_TOKEN. */
  MEDIATOKEN_OK = 0,

  /* Verdicts of mediatoken_verify(). The first rule in this order that is broken decides. */
  MEDIATOKEN_VALID_TOKEN = 0,                /* genuine, current, meant for this use, and used up by this call */
  MEDIATOKEN_INVALID_TOKEN_FORMAT = 1,       /* not a token */
  MEDIATOKEN_INVALID_SIGNATURE = 2,          /* no trusted key signed these bytes */
  MEDIATOKEN_TOKEN_EXPIRED = 3,              /* its life is over */
  MEDIATOKEN_INVALID_RESOURCE_ID = 4,        /* issued for another resource */
  MEDIATOKEN_INVALID_REQUESTOR_ID = 5,       /* issued for another requestor */
  MEDIATOKEN_TOKEN_NOT_YET_VALID = 6,        /* issued further in the future than clocks may differ */
  MEDIATOKEN_MVPD_NOT_ALLOWED = 7,           /* the viewer's provider is denied, or is not allowed */
  MEDIATOKEN_TOKEN_REPLAYED = 8,             /* it was used before */    
  MEDIATOKEN_TOKEN_PREDATES_REPLAY_MEMORY = 9, /* issued before the replay memory can vouch that it was not used */

  /* Faults: there is no verdict. They are ours, not the token's; the viewer is refused nevertheless. */
  MEDIATOKEN_KEYS_UNAVAILABLE = 64,          /* there is no usable set of keys; the message names the file */
  MEDIATOKEN_REPLAY_MEMORY_UNAVAILABLE = 65, /* the replay memory can't be opened, or can't be asked */
  MEDIATOKEN_REPLAY_MEMORY_FULL = 66,        /* the replay table has no room; make a larger one */
  MEDIATOKEN_OUT_OF_MEMORY = 67,             /* an allocation of OpenSSL or libxml2 failed */
  MEDIATOKEN_INTERNAL_FAULT = 68,            /* a library behaved in a way that its documentation excludes */

  /* Of this interface. Here too there is no verdict. */
  MEDIATOKEN_UNDECIDED = 128,                /* this result was not used yet */
  MEDIATOKEN_BAD_ARGUMENT = 129,             /* NULL, empty, not UTF-8, out of range, or a contradiction */
  MEDIATOKEN_BAD_SIZE = 130,                 /* `size` of a struct is unknown to this library */
  MEDIATOKEN_FORKED = 131,                   /* a child must first call mediatoken_verifier_after_fork() */
  MEDIATOKEN_NO_VALUE = 132,                 /* this result, or this index, does not have the value */
  MEDIATOKEN_NOT_SPENT = 133                 /* genuine and current, and not used, as you asked: nothing may play */
} mediatoken_code;

/*
 * The code's name as in JSON and in logs, for example "TOKEN_EXPIRED"; 0 is "VALID_TOKEN". Never NULL; never
 * freed. "UNKNOWN_CODE" for other numbers.
 */
const char *mediatoken_code_name(mediatoken_code code);

/* A sentence about the code for people. Never NULL; never freed. */
const char *mediatoken_strerror(mediatoken_code code);

/*
 * The HTTP status that fits a code of mediatoken_verify(): 200 for 0 and nothing else, 403 for verdicts, 204 for
 * MEDIATOKEN_NOT_SPENT, 503.
 */
int mediatoken_http_status(mediatoken_code code);

/*
 * The interface that the library in the process has. Within one version functions and codes are only added, and
 * structs only grow at their end.
 */
uint32_t mediatoken_abi_version(void);

/* The library's own version, for example "0.1.0". Never freed. */
const char *mediatoken_version(void);

/* ---- Structs ------------------------------------------------------------------------------------------------ */

/* Bytes that are yours. */
typedef struct mediatoken_text {
  const char *bytes;
  size_t length;
} mediatoken_text;

/* What to do with signed fields that the documents do not name. */
enum {
  MEDIATOKEN_UNKNOWN_FIELDS_REPORT = 0, /* ignore them; mediatoken_result_unknown_field() names them */
  MEDIATOKEN_UNKNOWN_FIELDS_REJECT = 1  /* refuse the token */
};

/* Which providers (MVPDs) are accepted, of those that are not denied. The list is the one next to the choice. */
enum {
  MEDIATOKEN_MVPDS_ALL = 0,   /* every one; the list must be empty */
  MEDIATOKEN_MVPDS_LISTED = 1 /* those of the list; if it is empty, none */
};

/*
 * What a verdict depends on besides the token and the request. Begin with MEDIATOKEN_POLICY_INIT, which has the
 * defaults, and change what you need. `size` says which version of the struct you were compiled with.
 */
typedef struct mediatoken_policy {
  size_t size;                 /* sizeof(mediatoken_policy) */
  int64_t max_ttl_ms;          /* the longest life that is granted: 1 to 86,400,000; default 3,600,000 */
  int64_t future_tolerance_ms; /* how far ahead of the clock a token may be issued: to 86,400,000; default 60,000 */
  int64_t expiry_tolerance_ms; /* how long after its end it is still accepted: to 86,400,000; default 0 */
  /*
   * For how long the same request_id gets its first answer again: to 86,400,000, of which whole seconds count;
   * default 0, never. Not with "none:" (see mediatoken_request).
   */
  int64_t retry_window_ms;
  uint32_t unknown_fields; /* MEDIATOKEN_UNKNOWN_FIELDS_... */
  uint32_t mvpds;          /* MEDIATOKEN_MVPDS_... */
  const mediatoken_text *allowed_mvpds;
  size_t allowed_mvpd_count; /* at most 65,536 */
  const mediatoken_text *denied_mvpds;
  size_t denied_mvpd_count; /* at most 65,536 */
  /* The rest is for "redis:" and "postgres:", and stays 0 and {NULL, 0} without it. A struct that ends here is fine too. */
  int64_t fleet_deadline_ms;         /* how long to wait for the votes of the nodes: 5 to 1,000; 0, the default: 50, for a database 250 */
  mediatoken_text fleet_credentials; /* path of the file with users and passwords of the nodes, if they ask for them */
  mediatoken_text local_table;       /* path of a table of this host as a second lock, which must exist; or none */
  /*
   * Proxy providers, by `proxyMvpdId`. With MEDIATOKEN_MVPDS_LISTED a token that has none is refused; where
   * `mvpds` says the same, both must hold. A struct that ends before this is fine too.
   */
  const mediatoken_text *allowed_proxy_mvpds;
  size_t allowed_proxy_mvpd_count; /* at most 65,536 */
  uint32_t proxy_mvpds;            /* MEDIATOKEN_MVPDS_... */
  /*
   * With "postgres:" for how many seconds no host may have maintained the database before its data count as a copy, the
   * same on all hosts: 5 to 3,600; 0, the default: 45, and without "postgres:".
   */
  uint32_t fleet_grace_seconds;
} mediatoken_policy;

#define MEDIATOKEN_POLICY_INIT \
  {sizeof(mediatoken_policy), 3600000, 60000, 0, 0, 0, 0, NULL, 0, NULL, 0, 0, {NULL, 0}, {NULL, 0}, NULL, 0, 0, 0}

/* Choices of a request. */
enum {
  MEDIATOKEN_ANY_REQUESTOR = 1, /* any requestor that a token can be issued for; `requestor` must be {NULL, 0} */
  MEDIATOKEN_ANY_RESOURCE = 2,  /* whatever it was issued for; `resource` must be {NULL, 0} */
  /*
   * Verify and do not spend: for a request that plays nothing, such as a HEAD before the GET. A good token is
   * MEDIATOKEN_NOT_SPENT and never VALID_TOKEN; the replay memory is not asked, so the token may have been used
   * already, and `request_id` says nothing.
   */
  MEDIATOKEN_DO_NOT_SPEND = 4
};

/* What `resource` of a request says. The article ResourceDocuments of MediaToken has the rules. */
enum {
  MEDIATOKEN_RESOURCE_EXACT = 0,    /* the token's resource, byte by byte */
  MEDIATOKEN_RESOURCE_DOCUMENT = 1, /* a Media RSS document; the token's must be the same, however it is spelled */
  MEDIATOKEN_RESOURCE_CHANNEL = 2   /* a channel's id; the token's is this, or a document with it as channel title */
};

/*
 * One question. Begin with MEDIATOKEN_REQUEST_INIT. What decides who may watch has no default: without `requestor`
 * or its flag, and without `resource` or its flag, the answer is MEDIATOKEN_BAD_ARGUMENT.
 */
typedef struct mediatoken_request {
  size_t size;               /* sizeof(mediatoken_request) */
  uint32_t flags;            /* MEDIATOKEN_ANY_..., MEDIATOKEN_DO_NOT_SPEND, or 0 */
  uint32_t caller_uid;       /* with request_id: who asks, if you serve several callers; else 0 */
  mediatoken_text token;     /* what the client sent: raw, percent-encoded or base64; at most 65,536 bytes */
  mediatoken_text requestor; /* whom you serve: compared byte by byte */
  mediatoken_text resource;  /* what is about to be played: as resource_match says, or else byte by byte */
  /*
   * What time it is. 0: now, by the kernel's clock. Anything else is for tests and needs "none:", because what hosts
   * or processes share goes by the kernel's clock alone.
   */
  int64_t now_ms;
  /*
   * Your name for this request, if its answer may get lost and it may be repeated; else {NULL, 0}. The same id of
   * the same caller for the same token inside the policy's retry window is VALID_TOKEN again. It must not be one
   * that a viewer can choose. Needs a retry window.
   */
  mediatoken_text request_id;
  /*
   * MEDIATOKEN_RESOURCE_...: 0 with MEDIATOKEN_ANY_RESOURCE. A `resource` that is not a document, or not a channel's id, is
   * MEDIATOKEN_BAD_ARGUMENT. A struct that ends before this is fine too, and means MEDIATOKEN_RESOURCE_EXACT.
   */
  uint32_t resource_match;
  uint32_t reserved; /* 0 */
} mediatoken_request;

#define MEDIATOKEN_REQUEST_INIT {sizeof(mediatoken_request), 0, 0, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, {NULL, 0}, 0, 0}

/* ---- Keys --------------------------------------------------------------------------------------------------- */

/* A set of public keys whose signatures count, while it is collected: 1 to 16. */
typedef struct mediatoken_keys mediatoken_keys;

/* An empty set, which is yours to free. On failure *keys is NULL. */
mediatoken_code mediatoken_keys_new(mediatoken_keys **keys);

/* NULL is fine. A verifier that was made from the set does not need it any more. */
void mediatoken_keys_free(mediatoken_keys *keys);

/*
 * Reads a file, or a folder's files that end in .pem .der .crt .cer .jks, but not in .private.pem, now: PEM and DER
 * public keys and certificates, and the trusted certificates of JKS keystores. What is read, and every folder above
 * it, must belong to root or to the effective user, and others may not write it.
 *
 * MEDIATOKEN_KEYS_UNAVAILABLE if anything is wrong with any of it; from then on the set is unusable, whatever is
 * added, because a set is read whole or not at all. The path may hold any bytes but NUL.
 */
mediatoken_code mediatoken_keys_add_path(mediatoken_keys *keys, const char *path, size_t path_length, char *message,
                                         size_t message_size);

/* The same for a file that is in memory, of at most 1 MiB; messages call it by `name`. */
mediatoken_code mediatoken_keys_add_bytes(mediatoken_keys *keys, const char *name, size_t name_length,
                                          const void *bytes, size_t length, char *message, size_t message_size);

/*
 * Consents to a key of 1024 to 2047 bits by its fingerprint: 64 hexadecimal digits in any case, colons allowed.
 * Adobe's production key has 1024 bits and needs this. Before or after the key is added.
 */
mediatoken_code mediatoken_keys_allow_rsa_1024(mediatoken_keys *keys, const char *fingerprint, size_t length);

/*
 * Consents to this project's development key, with which anyone can sign. For development: without it a set that
 * holds that key makes no verifier.
 */
mediatoken_code mediatoken_keys_allow_development_key(mediatoken_keys *keys);

/* How many different keys were read so far, with consent or without; 0 for NULL and for an unusable set. */
size_t mediatoken_keys_count(const mediatoken_keys *keys);

/* 64 lower-case hexadecimal digits: the SHA-256 of the SubjectPublicKeyInfo. NULL if there is no such index. */
const char *mediatoken_keys_fingerprint(const mediatoken_keys *keys, size_t index, size_t *length);

/* The length of the modulus in bits; 0 if there is no such index. */
uint32_t mediatoken_keys_bits(const mediatoken_keys *keys, size_t index);

/*
 * What an operator should know about the key now (old certificate, few bits, consent that is missing, development
 * key), one sentence per line without a final newline; "" if there is nothing. Warnings decide nothing. Each call
 * answers for this moment, so that a long-running program may ask again. NULL if there is no such index.
 */
const char *mediatoken_keys_warnings(const mediatoken_keys *keys, size_t index, size_t *length);

/* ---- Verifier ----------------------------------------------------------------------------------------------- */

/* Keys, a policy and a replay memory. Make one, keep it, and let all threads use it. */
typedef struct mediatoken_verifier mediatoken_verifier;

/*
 * Makes a verifier, which is yours to free. On failure *verifier is NULL.
 *
 * policy: NULL means MEDIATOKEN_POLICY_INIT.
 *
 * replay: what remembers which tokens were used. There is no default.
 *
 * - "shared:PATH": the table at PATH, which all processes of this host share; it must exist.
 * - "shared:PATH?capacity=N": the same; it is made if it is missing, and must have at least that capacity if not.
 * - "redis:FLEET@NODE,...": the nodes of a fleet, which several hosts share: 1 or 3 to 7 Redis processes, each as
 *   HOST:PORT, [IPv6]:PORT or the path of a UNIX socket. All hosts write the same address, and have the same
 *   max_ttl_ms, future_tolerance_ms and expiry_tolerance_ms.
 * - "postgres:FLEET@HOST/DATABASE": the same, with a PostgreSQL database as the only node; `mediatoken replay schema`
 *   prints what it needs.
 * - "moving:SECOND FROM TO": two fleets, FROM and TO, while hosts move from one to the other (the article MovingAFleet).
 *   SECOND is the `until` of all hosts. Both have this policy, but for what follows TO as NAME=VALUE of FROM, with one space
 *   before each: max_ttl_ms, future_tolerance_ms, expiry_tolerance_ms, fleet_deadline_ms, fleet_grace_seconds and
 *   fleet_credentials. A path in this text has no spaces. Of times the shorter ones count.
 * - "none:": nothing; one use is NOT enforced.
 *
 * With a fleet the call connects to every node, for two seconds at most. A node that does not answer is no failure; one
 * that is wrong is, and the message names it.
 *
 * - MEDIATOKEN_KEYS_UNAVAILABLE: no keys, an unusable set, or consent is missing.
 * - MEDIATOKEN_REPLAY_MEMORY_UNAVAILABLE: something is wrong with the table, a node or the credentials, or the policy is
 *   looser than the one that a table was made for.
 * - MEDIATOKEN_BAD_ARGUMENT, MEDIATOKEN_BAD_SIZE: address or policy are not understood.
 */
mediatoken_code mediatoken_verifier_new(mediatoken_verifier **verifier, const mediatoken_keys *keys,
                                        const mediatoken_policy *policy, const char *replay, size_t replay_length,
                                        char *message, size_t message_size);

/* Closes the table, or the connections to the nodes. The verifier must no longer be in use. NULL is fine. */
void mediatoken_verifier_free(mediatoken_verifier *verifier);

/*
 * Exchanges the keys while other threads verify: a verification that begins after this call returned uses the new
 * ones. To reload, collect a new set. On failure the verifier keeps the keys that it has.
 */
mediatoken_code mediatoken_verifier_set_keys(mediatoken_verifier *verifier, const mediatoken_keys *keys,
                                             char *message, size_t message_size);

/*
 * For servers that fork workers. A child shares its parent's lock on the replay table, or its connections to the
 * nodes, so it must open the replay memory for itself; until then its calls with this verifier answer
 * MEDIATOKEN_FORKED. Either
 *
 * - make the verifier in each worker, after fork(). Nothing else is needed. Or
 * - make it in the parent, so that mistakes in the configuration show at the start and keys may be files that
 *   workers can't read, and call this in each worker before its threads begin. It opens the table again, by the
 *   absolute path that it had, or connects to the nodes and reads their credentials again, as the user that the worker now
 *   is; keys and policy are as they were.
 *
 * In a process that made the verifier by itself it does nothing. On failure verifications go on answering
 * MEDIATOKEN_FORKED, and it may be called again. fork() while no other thread of the parent is inside a call of
 * this library: such a thread does not exist in the child, but the locks that it held do.
 */
mediatoken_code mediatoken_verifier_after_fork(mediatoken_verifier *verifier, char *message, size_t message_size);

/* ---- Verification and its result ---------------------------------------------------------------------------- */

/* What came of a verification. It may be used for one after another. */
typedef struct mediatoken_result mediatoken_result;

/* An empty result, which is yours to free; its code is MEDIATOKEN_UNDECIDED. On failure *result is NULL. */
mediatoken_code mediatoken_result_new(mediatoken_result **result);

/* NULL is fine. */
void mediatoken_result_free(mediatoken_result *result);

/*
 * Forgets what came of the last verification, and every text that the result gave; its code is MEDIATOKEN_UNDECIDED
 * again.
 */
void mediatoken_result_reset(mediatoken_result *result);

/*
 * Decides whether this token may start this playback, now. MEDIATOKEN_VALID_TOKEN says that this call was the first
 * to use the token and that none can again, or, with a request_id, that the same request was answered so before;
 * with "none:" it says nothing of the kind. Everything else is a verdict against the token, a fault, BAD_ARGUMENT,
 * BAD_SIZE, FORKED, or, for MEDIATOKEN_DO_NOT_SPEND alone, NOT_SPENT.
 *
 * result: gets the same code and all that there is to know besides; its former contents are gone. NULL if the code
 * is enough. Once in seconds a call takes as long as a write to the disk that holds the table. With a fleet the first
 * use of a token waits for the nodes besides: for one round trip, and for fleet_deadline_ms at most.
 */
mediatoken_code mediatoken_verify(const mediatoken_verifier *verifier, const mediatoken_request *request,
                                  mediatoken_result *result);

/* The code of the last verification; MEDIATOKEN_UNDECIDED before it, MEDIATOKEN_BAD_ARGUMENT for NULL. */
mediatoken_code mediatoken_result_code(const mediatoken_result *result);

/*
 * Why not: the rule that was broken as a stable word, for example "signature-mismatch". NULL for a valid token, for
 * one that was not spent, for a fault, and for codes of this interface.
 */
const char *mediatoken_result_reason(const mediatoken_result *result, size_t *length);

/*
 * The same as a sentence for people and logs. NULL for a valid token, for one that was not spent, and before a
 * verification.
 */
const char *mediatoken_result_detail(const mediatoken_result *result, size_t *length);

/*
 * What to do next, as one of four words: "none" for a valid token, "new-token" if the client is to ask Adobe Pass for
 * another one, "retry" if it is to come again with the same one after a second, "report" if a person has to look at the
 * reason. Of every verdict and every fault (MEDIATOKEN_KEYS_UNAVAILABLE and the codes after it); NULL for a token that
 * was not spent, before a verification, and for codes of this interface. Advice only: whether to play is the code's to say.
 */
const char *mediatoken_result_action(const mediatoken_result *result, size_t *length);

/*
 * The nearest of the six codes of Adobe's Java library, for programs that compare with it; ERROR_UNKNOWN for a fault.
 * NULL where mediatoken_result_action is.
 */
const char *mediatoken_result_adobe_code(const mediatoken_result *result, size_t *length);

/*
 * What the token is called: 64 lower-case hexadecimal digits, the SHA-256 of its signed bytes. Logs use the first
 * 16. For a valid token, for one that was not spent, and for a refused one whose envelope could be read; else NULL.
 */
const char *mediatoken_result_identity(const mediatoken_result *result, size_t *length);

/*
 * The rest is for valid tokens only: NULL, 0 or MEDIATOKEN_NO_VALUE for everything else, and *value is 0 then. Only
 * mediatoken_result_use() also says about a token that it was not spent.
 */

/* The requestor that the token was issued for. */
const char *mediatoken_result_requestor_id(const mediatoken_result *result, size_t *length);

/* The resource that it was issued for, decoded: a name, or a whole MRSS document. */
const char *mediatoken_result_resource_id(const mediatoken_result *result, size_t *length);

/* The viewer's provider; may be "". */
const char *mediatoken_result_mvpd_id(const mediatoken_result *result, size_t *length);

/* The proxy provider by which the viewer was authenticated; NULL if the token names none. */
const char *mediatoken_result_proxy_mvpd_id(const mediatoken_result *result, size_t *length);

/* The viewer's hashed account id; may be "". NEVER LOG IT: call the token by its identity. */
const char *mediatoken_result_session_guid(const mediatoken_result *result, size_t *length);

/* The fingerprint of the key that signed it, as mediatoken_keys_fingerprint(). */
const char *mediatoken_result_key_fingerprint(const mediatoken_result *result, size_t *length);

/* When the issuer says that it made the token. */
mediatoken_code mediatoken_result_issue_time_ms(const mediatoken_result *result, int64_t *value);

/* How long it lives: its own `ttl`, or the policy's longest life if that is less. */
mediatoken_code mediatoken_result_ttl_ms(const mediatoken_result *result, int64_t *value);

/* The first instant at which it is refused. */
mediatoken_code mediatoken_result_expires_at_ms(const mediatoken_result *result, int64_t *value);

/* How a token was used. */
typedef enum mediatoken_use {
  MEDIATOKEN_USE_NONE = 0,         /* it was not: there is no valid token */
  MEDIATOKEN_USE_FIRST = 1,        /* it was not used before, and cannot be again */
  MEDIATOKEN_USE_RETRY = 2,        /* the same request again, inside the retry window */
  MEDIATOKEN_USE_NOT_ENFORCED = 3, /* the replay memory is "none:" */
  MEDIATOKEN_USE_NOT_SPENT = 4     /* it was not, as you asked: MEDIATOKEN_DO_NOT_SPEND; there is no valid token */
} mediatoken_use;

mediatoken_use mediatoken_result_use(const mediatoken_result *result);

/* Signed fields of a valid token that the documents do not name, in the token's order: the format may grow. */
size_t mediatoken_result_unknown_field_count(const mediatoken_result *result);

/* The name of one; NULL if there is no such index. */
const char *mediatoken_result_unknown_field(const mediatoken_result *result, size_t index, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
