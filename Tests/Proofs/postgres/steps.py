#!/usr/bin/env -S python3 -B
"""The real functions take every step that the model's nodes took, in a server of PostgreSQL: the same reply, the same data.

    model steps | steps.py

The server's clock and its timeline come from settings instead, so that a step has its own."""

import pathlib
import sys

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "Scenarios"
sys.path[1:1] = [str(SCENARIOS / "lib"), str(SCENARIOS / "postgres")]

from clusters import temporary_server
from schema import schema

#: What is second 0 of the model; minute 0 is in slot 0 of 5. And its other numbers.
BASE, SLOTS, AHEAD, GRACE, LIFE = 6_000_000, 5, 10, 15, 120
#: In place of what only a server knows.
REPLACED = {
    "clock_timestamp()": "to_timestamp(current_setting('proof.clock')::float8)",
    "substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8)": "'00000001'::text",
}
STEPS = f"""
CREATE TABLE step (number int GENERATED ALWAYS AS IDENTITY, before text, clock bigint, asked text, ballots int[], host_now bigint,
  highest bigint, fresh boolean, reply text, after text);
CREATE TABLE taken (number int, found text);

CREATE FUNCTION ballot(n int) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$ SELECT lpad(n::text, 32, '0')::uuid $$;

CREATE FUNCTION stored() RETURNS text LANGUAGE sql AS $$
  SELECT coalesce((SELECT concat_ws(' ', timeline::int, greatest(since - {BASE}, 0), high - {BASE // 60}, seen - {BASE})
        || CASE WHEN mark = xmin THEN ' marked' ELSE ' put-back' END
      FROM "mp3_proof".epoch), '-')
    || (SELECT CASE WHEN count(*) > 0 THEN ' m ' ELSE ' - ' END FROM "mp3_proof".claim WHERE slot = 2 AND identity = ballot(0))
    || coalesce((SELECT ltrim(replace(ballot::text, '-', ''), '0') FROM "mp3_proof".claim WHERE slot = 2 AND identity = ballot(9)), '0')
$$;

-- In a transaction of its own, without a block that catches errors: such a block is a transaction of its own, too, and its id would be
-- in the row of the epoch.
CREATE FUNCTION take(number_ int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE s step; old text[]; n int; letters text; standing uuid[]; reply text := 'ok';
BEGIN
  SELECT * INTO s FROM step WHERE number = number_;
  old := string_to_array(s.before, ' ');
  n := cardinality(old);
  DELETE FROM "mp3_proof".epoch;
  DELETE FROM "mp3_proof".claim;
  IF old[1] <> '-' OR n > 3 THEN
    INSERT INTO "mp3_proof".epoch VALUES (true, 'proof', lpad(old[1], 8, '0'), {BASE} + old[2]::int, {BASE // 60} + old[3]::int,
      {BASE} + old[4]::int, CASE old[5] WHEN 'marked' THEN pg_current_xact_id()::xid ELSE '3' END);
  END IF;
  IF old[n - 1] = 'm' THEN INSERT INTO "mp3_proof".claim VALUES (2, ballot(0), ballot(0)); END IF;
  IF old[n] <> '0' THEN INSERT INTO "mp3_proof".claim VALUES (2, ballot(9), ballot(old[n]::int)); END IF;
  PERFORM set_config('proof.clock', ({BASE} + s.clock)::text, true);
  IF s.asked = 'claims' THEN
    SELECT c.letters, c.standing INTO letters, standing FROM "mp3_proof".claims('proof', {AHEAD}, {GRACE},
      (SELECT array_agg({BASE}::bigint + 130) FROM unnest(s.ballots)), (SELECT array_agg(ballot(9)) FROM unnest(s.ballots)),
      (SELECT array_agg(ballot(b)) FROM unnest(s.ballots) b)) c;
    reply := replace(letters, 'p', 'p' || coalesce(ltrim(replace(standing[1]::text, '-', ''), '0'), '?'));
  ELSIF s.asked = 'maintain' THEN
    PERFORM "mp3_proof".maintain('proof', {AHEAD}, {LIFE}, {GRACE}, {BASE} + s.host_now);
  ELSE
    PERFORM "mp3_proof".start('proof', {AHEAD}, {LIFE}, {GRACE}, {BASE} + s.host_now, {BASE} + s.highest, s.fresh);
  END IF;
  INSERT INTO taken VALUES (number_, reply || ' | ' || stored());
END $$;
"""


def main():
    steps = sys.stdin.read()
    text = schema("proof", SLOTS)
    for real, replaced in REPLACED.items():
        if real not in text:
            sys.exit(f"FAILED: the schema does not ask for {real}")
        text = text.replace(real, replaced)
    # Nothing here is to last.
    with temporary_server("/dev/shm") as server:
        server.sql(text + STEPS)
        copied = "COPY step (before, clock, asked, ballots, host_now, highest, fresh, reply, after) FROM STDIN;\n" + steps + "\\.\n"
        server.sql(copied + "ALTER TABLE step ADD PRIMARY KEY (number);")
        # What a step that is refused wrote is undone, and so is what was there before it.
        refused = server.sql("\\set ON_ERROR_STOP 0\n\\set VERBOSITY sqlstate\n" + "".join(
            f"SELECT FROM take({number}) \\g /dev/null\n\\echo = {number} :SQLSTATE\n" for number in range(1, steps.count("\n") + 1)))
        states = [line.split()[1:] for line in refused.splitlines() if line.startswith("= ") and not line.endswith("00000")]
        server.sql("COPY taken FROM STDIN;\n" + "".join(f"{number}\t{state}\n" for number, state in states) + "\\.\n")
        wrong = """FROM step LEFT JOIN taken USING (number)
          WHERE found IS DISTINCT FROM CASE WHEN reply LIKE 'MT%' THEN reply ELSE reply || ' | ' || after END"""
        count, kinds, wrongs = server.sql("SELECT (SELECT count(*) FROM step), (SELECT count(DISTINCT reply) FROM step),"
                                          f" (SELECT count(*) {wrong})").split("|")
        print(server.sql("SELECT before, clock, asked, ballots, host_now, highest, fresh, 'expected ' || reply, after,"
                         f" 'found ' || coalesce(found, 'nothing') {wrong} ORDER BY number LIMIT 20"))
        ok = wrongs == "0" and int(count) > 10_000 and int(kinds) >= 12
        print(f"{'ok' if ok else 'FAILED'}: the real functions took {count} steps with {kinds} replies, {wrongs} otherwise than the model")
        sys.exit(0 if ok else 1)


main()
