"""What a host asks a database, and the times by which scenarios ask it."""

#: Of tokens, in seconds; and for how long data may be unmaintained.
MAX_TTL, AHEAD, GRACE = 60, 2, 5
LIFE = MAX_TTL + 1
CLAIMS = 'SELECT letters, array_to_string(standing, \' \') FROM "mp3_{}".claims($1, $2, $3, $4::bigint[], $5::uuid[], $6::uuid[])'
MAINTAIN = 'SELECT clock FROM "mp3_{}".maintain($1, $2, $3, $4, $5)'
START = 'SELECT started, since - clock FROM "mp3_{}".start($1, $2, $3, $4, $5, $6, false)'
#: The usual one, next to which the rules are seen to matter.
NAIVE = "INSERT INTO naive SELECT * FROM unnest($1::uuid[], $2::uuid[]) ON CONFLICT DO NOTHING RETURNING identity"


def array(values):
    return "{" + ",".join(map(str, values)) + "}"
