-- The seat of a MediaToken fleet. Run it once, as a role that may create schemas and roles.
BEGIN;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mediatoken_owner') THEN CREATE ROLE mediatoken_owner NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mediatoken') THEN CREATE ROLE mediatoken LOGIN; END IF;
  IF NOT pg_has_role('mediatoken_owner', 'USAGE') THEN EXECUTE format('GRANT mediatoken_owner TO %I', current_user); END IF;
END $$;
ALTER ROLE mediatoken SET default_transaction_isolation = 'read committed';
ALTER ROLE mediatoken SET statement_timeout = '2s';
ALTER ROLE mediatoken SET lock_timeout = '1s';
CREATE SCHEMA "mt1_prod" AUTHORIZATION mediatoken_owner;
COMMENT ON SCHEMA "mt1_prod" IS 'mediatoken mp1 82594c313c67633a';
SET LOCAL ROLE mediatoken_owner;

CREATE  TABLE "mt1_prod".tenure (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  digest text NOT NULL,    -- whose fleet: version, name and times
  timeline text NOT NULL,  -- of the data
  since bigint NOT NULL,   -- the first second that these data vouch for
  high bigint NOT NULL,    -- the last minute whose slot was made
  seen bigint NOT NULL     -- the latest second of the server's clock in which a host was here
) WITH (fillfactor = 10);
CREATE TABLE "mt1_prod".claim (slot int NOT NULL, identity uuid NOT NULL, word uuid NOT NULL, PRIMARY KEY (slot, identity))
  PARTITION BY LIST (slot);
DO $$ BEGIN
  FOR i IN 0..64 - 1 LOOP
    EXECUTE format('CREATE  TABLE "mt1_prod".claim_%s PARTITION OF "mt1_prod".claim FOR VALUES IN (%s)'
      ' WITH (autovacuum_enabled = false)', i, i);
  END LOOP;
END $$;

CREATE FUNCTION "mt1_prod".timeline() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN ''
    ELSE substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8) END
$$;

-- What every way in checks first. Commits are on the disk before they are answered, and warnings about them are sent, whatever
-- the defaults of the role are. Both settings must last until the commit, so no function sets them for itself.
CREATE FUNCTION "mt1_prod".check_server() RETURNS void LANGUAGE plpgsql VOLATILE SET search_path = "mt1_prod", pg_temp AS $$
BEGIN
  IF pg_is_in_recovery() THEN RAISE EXCEPTION USING ERRCODE = 'MT007', MESSAGE = 'a standby'; END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION USING ERRCODE = 'MT005', MESSAGE = 'not read committed';
  END IF;
  IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  IF current_setting('client_min_messages') NOT IN ('notice', 'warning') THEN
    PERFORM set_config('client_min_messages', 'warning', true);
  END IF;
END $$;

CREATE FUNCTION "mt1_prod".enter(
  digest_ text, grace int, OUT clock bigint, OUT since bigint, OUT high bigint, OUT seen bigint
) LANGUAGE plpgsql VOLATILE SET search_path = "mt1_prod", pg_temp AS $$
DECLARE d text; line text;
BEGIN
  PERFORM check_server();
  SELECT t.digest, t.timeline, t.since, t.high, t.seen INTO d, line, since, high, seen FROM tenure t;
  IF d <> digest_ THEN RAISE EXCEPTION USING ERRCODE = 'MT002', MESSAGE = 'another fleet'; END IF;
  clock := floor(extract(epoch FROM clock_timestamp()));
  IF d IS NULL OR line <> timeline() OR clock > seen + grace THEN
    RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'no tenure';
  END IF;
END $$;

-- One letter for each claim: n new, p present (what is there is in standing, in order), f forgotten, a ahead.
CREATE FUNCTION "mt1_prod".claims(
  digest_ text, f int, grace int, seconds bigint[], identities uuid[], words uuid[],
  OUT clock bigint, OUT letters text, OUT standing uuid[]
) LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = "mt1_prod", pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  t record;
  n int := cardinality(identities);
  stored uuid[];
  lost int[];
  later record;
  minute bigint := seconds[1] / 60;
  zero constant uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  -- What enter does, without the time that three functions would take.
  IF pg_is_in_recovery() THEN RAISE EXCEPTION USING ERRCODE = 'MT007', MESSAGE = 'a standby'; END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION USING ERRCODE = 'MT005', MESSAGE = 'not read committed';
  END IF;
  IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  IF current_setting('client_min_messages') NOT IN ('notice', 'warning') THEN
    PERFORM set_config('client_min_messages', 'warning', true);
  END IF;
  SELECT x.* INTO t FROM tenure x;
  IF t.digest <> digest_ THEN RAISE EXCEPTION USING ERRCODE = 'MT002', MESSAGE = 'another fleet'; END IF;
  clock := floor(extract(epoch FROM clock_timestamp()));
  IF t.digest IS NULL OR clock > t.seen + grace
    OR t.timeline <> substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8) THEN
    RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'no tenure';
  END IF;
  IF n = 1 THEN
    -- The same as below, without a plan for many.
    IF seconds[1] < t.since OR minute <= t.high - 64 OR clock < t.since - 5 THEN letters := 'f'; RETURN; END IF;
    IF seconds[1] > clock + f + 5 OR minute > t.high THEN letters := 'a'; RETURN; END IF;
    INSERT INTO claim (slot, identity, word) VALUES (minute % 64, identities[1], words[1]) ON CONFLICT DO NOTHING;
    letters := CASE WHEN FOUND THEN 'n' ELSE 'p' END;
    INSERT INTO claim (slot, identity, word) VALUES (minute % 64, zero, zero) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      DELETE FROM claim WHERE slot = minute % 64;
      letters := 'f';
      RETURN;
    END IF;
    IF letters = 'p' THEN
      SELECT array_agg(c.word) INTO standing FROM claim c WHERE c.slot = minute % 64 AND c.identity = identities[1];
    END IF;
    SELECT x.* INTO later FROM tenure x;
    IF later.since IS DISTINCT FROM t.since OR later.seen < t.seen THEN
      RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'another tenure';
    END IF;
    IF minute <= later.high - 64 THEN letters := 'f'; standing := NULL; END IF;
    RETURN;
  END IF;
  -- Each minute's marker goes in after its claims: it is there still, or the slot has lost its rows, perhaps only now, which a
  -- marker that was there before them would not tell. In one order, so that no two batches wait for each other.
  WITH asked AS (
    SELECT s / 60 AS m, i, w FROM unnest(seconds, identities, words) u(s, i, w)
    WHERE s >= t.since AND s <= claims.clock + f + 5 AND s / 60 <= t.high AND s / 60 > t.high - 64
      AND claims.clock >= t.since - 5
  ), stored_ AS (
    INSERT INTO claim (slot, identity, word)
    SELECT m % 64, i, w
    FROM (SELECT DISTINCT m, zero AS i, zero AS w FROM asked UNION ALL SELECT m, i, w FROM asked) a
    ORDER BY 1, i = zero, 2 ON CONFLICT DO NOTHING RETURNING slot, identity
  ) SELECT array_agg(identity), array_agg(slot) FILTER (WHERE identity = zero) INTO stored, lost FROM stored_;
  -- Slots that were emptied: their minutes are forgotten until they come round again.
  IF lost IS NOT NULL THEN DELETE FROM claim WHERE slot = ANY (lost); END IF;
  -- A slot may have been given to another minute before its lock was ours: only now is it sure. And what was deleted while we
  -- waited may have been put back as it once was, with the tenure of that time.
  SELECT x.* INTO later FROM tenure x;
  IF later.since IS DISTINCT FROM t.since OR later.seen < t.seen THEN
    RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'another tenure';
  END IF;
  IF cardinality(stored) = n AND lost IS NULL AND later.high = t.high THEN letters := repeat('n', n); RETURN; END IF;
  SELECT string_agg(letter, '' ORDER BY o), array_agg(word ORDER BY o) FILTER (WHERE letter = 'p')
  INTO letters, standing FROM (
    SELECT o, c.word, CASE
      WHEN s < t.since OR s / 60 <= later.high - 64 OR claims.clock < t.since - 5 OR s / 60 % 64 = ANY (lost) THEN 'f'
      WHEN s > claims.clock + f + 5 OR s / 60 > t.high THEN 'a'
      WHEN i = ANY (stored) AND NOT i = ANY (identities[:o - 1]) THEN 'n'
      ELSE 'p' END AS letter
    FROM unnest(seconds, identities) WITH ORDINALITY u(s, i, o)
    LEFT JOIN claim c ON c.slot = s / 60 % 64 AND c.identity = i) x;
END $$;

-- Makes the slots of the minutes that come.
CREATE FUNCTION "mt1_prod".turn(clock bigint, f int, life int) RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path = "mt1_prod", pg_temp AS $$
DECLARE h bigint; m bigint; target bigint := (clock + f + 35) / 60;
BEGIN
  SELECT high INTO h FROM tenure;
  m := greatest(h + 1, (clock - life) / 60);
  WHILE m <= target LOOP
    BEGIN
      PERFORM set_config('lock_timeout', '50ms', true);
      EXECUTE format('TRUNCATE claim_%s', m % 64);
    EXCEPTION WHEN lock_not_available THEN
      EXECUTE format('DELETE FROM claim_%s', m % 64);  -- a dump reads it
    END;
    INSERT INTO claim VALUES
      (m % 64, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');
    h := m;
    m := m + 1;
  END LOOP;
  UPDATE tenure SET high = h WHERE high <> h;
  RETURN h;
END $$;

-- Once a second from each process: attends the tenure and makes slots; one process at a time does it. The host's clock bounds
-- what is noted as attended: a server's clock that is ahead would vouch for the time to come.
CREATE FUNCTION "mt1_prod".tend(
  digest_ text, f int, life int, grace int, host_now bigint, OUT clock bigint, OUT since bigint, OUT high bigint
) LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = "mt1_prod", pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE t record; attended bigint;
BEGIN
  t := enter(digest_, grace);
  clock := t.clock; since := t.since; high := t.high;
  attended := least(t.clock, host_now + 5);
  IF attended >= t.seen + 2 OR t.high < (t.clock + f + 35) / 60 THEN
    IF pg_try_advisory_xact_lock(28020, hashtext('mt1_prod')) THEN
      -- Who waited here for rows that were put back as they once were must not attend these.
      UPDATE tenure x SET seen = greatest(x.seen, attended) WHERE x.since = t.since AND x.seen >= t.seen;
      IF NOT FOUND THEN
        RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'another tenure';
      END IF;
      high := turn(t.clock, f, life);
    END IF;
  END IF;
END $$;

CREATE FUNCTION "mt1_prod".birth(
  digest_ text, f int, life int, grace int, host_now bigint, host_highest bigint, fresh boolean,
  OUT clock bigint, OUT since bigint, OUT high bigint, OUT born boolean
) LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = "mt1_prod", pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE t record; had boolean; line text;
BEGIN
  PERFORM check_server();
  line := timeline();
  IF current_setting('fsync') <> 'on' THEN RAISE EXCEPTION USING ERRCODE = 'MT006', MESSAGE = 'fsync is off'; END IF;
  clock := floor(extract(epoch FROM clock_timestamp()));
  SELECT * INTO t FROM tenure;
  had := FOUND;
  IF had AND t.digest = digest_ AND t.timeline = line AND greatest(clock, host_now) <= t.seen + grace
    AND t.high >= (clock + f + 35) / 60 THEN
    IF fresh THEN RAISE EXCEPTION USING ERRCODE = 'MT004', MESSAGE = 'has a tenure'; END IF;
    born := false; since := t.since; high := t.high;  -- as nearly always
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(28020, hashtext('mt1_prod'));
  clock := floor(extract(epoch FROM clock_timestamp()));
  SELECT * INTO t FROM tenure;
  had := FOUND;
  IF had AND t.digest <> digest_ THEN RAISE EXCEPTION USING ERRCODE = 'MT002', MESSAGE = 'another fleet'; END IF;
  IF fresh AND (had OR EXISTS (SELECT FROM claim)) THEN
    RAISE EXCEPTION USING ERRCODE = 'MT004', MESSAGE = 'has a tenure';
  END IF;
  born := NOT had OR t.timeline <> line OR clock > t.seen + grace;
  -- By the host's clock these data were left alone for too long; the server's, which may have been set back, says otherwise.
  IF NOT born AND host_now > t.seen + grace THEN
    RAISE EXCEPTION USING ERRCODE = 'MT003', MESSAGE = clock;
  END IF;
  IF born THEN
    IF abs(clock - host_now) > 5 THEN RAISE EXCEPTION USING ERRCODE = 'MT003', MESSAGE = clock; END IF;
    since := CASE WHEN fresh THEN 0
      ELSE greatest(clock, host_now, host_highest, t.seen) + greatest(f + 12, grace + 21) END;
    since := greatest(since, t.since);
    DELETE FROM tenure;
    INSERT INTO tenure VALUES (true, digest_, line, since, since / 60 - 1, greatest(clock, t.seen));
  END IF;
  high := turn(clock, f, life);
  SELECT x.since INTO since FROM tenure x;
END $$;

-- What is known of the data, and of one token in them. Changes nothing.
CREATE FUNCTION "mt1_prod".look(
  second bigint, identity_ uuid, OUT clock bigint, OUT line text, OUT digest_ text, OUT timeline_ text, OUT since_ bigint,
  OUT high_ bigint, OUT seen_ bigint, OUT made boolean, OUT standing uuid
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = "mt1_prod", pg_temp AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()))::bigint, timeline(), t.digest, t.timeline, t.since, t.high, t.seen,
    EXISTS (SELECT FROM claim
      WHERE slot = second / 60 % 64 AND identity = '00000000-0000-0000-0000-000000000000'),
    (SELECT word FROM claim WHERE slot = second / 60 % 64 AND identity = identity_)
  FROM (SELECT) AS always LEFT JOIN tenure t ON true
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA "mt1_prod" FROM PUBLIC;
GRANT USAGE ON SCHEMA "mt1_prod" TO mediatoken;
GRANT EXECUTE ON FUNCTION "mt1_prod".claims, "mt1_prod".tend, "mt1_prod".birth, "mt1_prod".look TO mediatoken;
COMMIT;

