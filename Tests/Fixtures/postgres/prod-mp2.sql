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
CREATE SCHEMA "mp2_prod" AUTHORIZATION mediatoken_owner;
COMMENT ON SCHEMA "mp2_prod" IS 'mediatoken mp2 1fea01909da92984';
SET LOCAL ROLE mediatoken_owner;

CREATE  TABLE "mp2_prod".tenure (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  digest text NOT NULL,    -- whose fleet: version, name and times
  timeline text NOT NULL,  -- of the data
  since bigint NOT NULL,   -- the first second that these data vouch for
  high bigint NOT NULL,    -- the last minute whose slot was made
  seen bigint NOT NULL,    -- the latest second of the server's clock in which a host was here
  -- The transaction that wrote this row, and so its xmin. A row that a restore put back has another xmin; so has one that is
  -- written inside a block with EXCEPTION, which is a transaction of its own.
  mark xid NOT NULL
) WITH (fillfactor = 10);
CREATE TABLE "mp2_prod".claim (slot int NOT NULL, identity uuid NOT NULL, word uuid NOT NULL, PRIMARY KEY (slot, identity))
  PARTITION BY LIST (slot);
DO $$ BEGIN
  FOR i IN 0..64 - 1 LOOP
    EXECUTE format('CREATE  TABLE "mp2_prod".claim_%s PARTITION OF "mp2_prod".claim FOR VALUES IN (%s)'
      ' WITH (autovacuum_enabled = false)', i, i);
  END LOOP;
END $$;

CREATE FUNCTION "mp2_prod".timeline() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN ''
    ELSE substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8) END
$$;

-- What every way in checks first. Commits are on the disk before they are answered, and warnings about them are sent, whatever
-- the defaults of the role are. Both settings must last until the commit, so no function sets them for itself.
CREATE FUNCTION "mp2_prod".check_server() RETURNS void LANGUAGE plpgsql VOLATILE SET search_path = "mp2_prod", pg_temp AS $$
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

CREATE FUNCTION "mp2_prod".enter(
  digest_ text, grace int, OUT clock bigint, OUT since bigint, OUT high bigint, OUT seen bigint
) LANGUAGE plpgsql VOLATILE SET search_path = "mp2_prod", pg_temp AS $$
DECLARE t record;
BEGIN
  PERFORM check_server();
  SELECT x.*, x.mark = x.xmin AS is_ours INTO t FROM tenure x;
  IF t.digest <> digest_ THEN RAISE EXCEPTION USING ERRCODE = 'MT002', MESSAGE = 'another fleet'; END IF;
  clock := floor(extract(epoch FROM clock_timestamp()));
  IF t.is_ours IS NOT TRUE OR t.timeline <> timeline() OR clock > t.seen + grace THEN
    RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'no tenure';
  END IF;
  since := t.since; high := t.high; seen := t.seen;
END $$;

-- What is known of the data, and of one token in them. Data that a restore put back have no timeline. Changes nothing.
CREATE FUNCTION "mp2_prod".look(
  second bigint, identity_ uuid, OUT clock bigint, OUT line text, OUT digest_ text, OUT timeline_ text, OUT since_ bigint,
  OUT high_ bigint, OUT seen_ bigint, OUT made boolean, OUT standing uuid
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = "mp2_prod", pg_temp AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()))::bigint, timeline(), t.digest,
    CASE WHEN t.mark = t.xmin THEN t.timeline END, t.since, t.high, t.seen,
    EXISTS (SELECT FROM claim
      WHERE slot = second / 60 % 64 AND identity = '00000000-0000-0000-0000-000000000000'),
    (SELECT word FROM claim WHERE slot = second / 60 % 64 AND identity = identity_)
  FROM (SELECT) AS always LEFT JOIN tenure t ON true
$$;

-- One letter for each claim: n new, p present (what is there is in standing, in order), f forgotten, a ahead.
CREATE FUNCTION "mp2_prod".claims(
  digest_ text, f int, grace int, seconds bigint[], identities uuid[], words uuid[],
  OUT clock bigint, OUT letters text, OUT standing uuid[]
) LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = "mp2_prod", pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  t record;
  n int := cardinality(identities);
  stored int;
  stored_slots int[];
  stored_identities uuid[];
  stored_words uuid[];
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
  SELECT x.*, x.mark = x.xmin AS is_ours INTO t FROM tenure x;
  IF t.digest <> digest_ THEN RAISE EXCEPTION USING ERRCODE = 'MT002', MESSAGE = 'another fleet'; END IF;
  clock := floor(extract(epoch FROM clock_timestamp()));
  IF t.is_ours IS NOT TRUE OR clock > t.seen + grace
    OR t.timeline <> substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8) THEN
    RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'no tenure';
  END IF;
  IF n = 1 THEN
    -- The same as below, without a plan for many.
    IF seconds[1] < t.since OR minute <= t.high - 64 OR clock < t.since - 5 THEN letters := 'f'; RETURN; END IF;
    IF seconds[1] > clock + f + 5 OR minute > t.high THEN letters := 'a'; RETURN; END IF;
    INSERT INTO claim (slot, identity, word) VALUES (minute % 64, identities[1], words[1])
      ON CONFLICT (slot, identity) DO NOTHING;
    letters := CASE WHEN FOUND THEN 'n' ELSE 'p' END;
    INSERT INTO claim (slot, identity, word) VALUES (minute % 64, zero, zero) ON CONFLICT (slot, identity) DO NOTHING;
    IF FOUND THEN
      DELETE FROM claim WHERE slot = minute % 64;
      letters := 'f';
      RETURN;
    END IF;
    IF letters = 'p' THEN
      SELECT array_agg(c.word) INTO standing FROM claim c WHERE c.slot = minute % 64 AND c.identity = identities[1];
    END IF;
    SELECT x.*, x.mark = x.xmin AS is_ours INTO later FROM tenure x;
    IF later.is_ours IS NOT TRUE OR later.since <> t.since OR later.seen < t.seen THEN
      RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'another tenure';
    END IF;
    IF minute <= later.high - 64 THEN letters := 'f'; standing := NULL; END IF;
    RETURN;
  END IF;
  -- Each minute's marker goes in after its claims: it is there still, or the slot has lost its rows, perhaps only now, which a
  -- marker that was there before them would not tell. In one order, so that no two batches wait for each other; of several
  -- claims of one identity the first is stored. The key is named, as a restore makes it after the rows: without it there is no vote.
  WITH asked AS (
    SELECT s / 60 AS m, i, w, o FROM unnest(seconds, identities, words) WITH ORDINALITY u(s, i, w, o)
    WHERE s >= t.since AND s <= claims.clock + f + 5 AND s / 60 <= t.high AND s / 60 > t.high - 64
      AND claims.clock >= t.since - 5
  ), stored_ AS (
    INSERT INTO claim (slot, identity, word)
    SELECT m % 64, i, w
    FROM (SELECT DISTINCT m, zero AS i, zero AS w, 0 AS o FROM asked UNION ALL SELECT m, i, w, o FROM asked) a
    ORDER BY 1, i = zero, 2, o ON CONFLICT (slot, identity) DO NOTHING RETURNING slot, identity, word
  ) SELECT count(*), array_agg(slot), array_agg(identity), array_agg(word), array_agg(slot) FILTER (WHERE identity = zero)
    INTO stored, stored_slots, stored_identities, stored_words, lost FROM stored_;
  -- Slots that were emptied: their minutes are forgotten until they come round again.
  IF lost IS NOT NULL THEN DELETE FROM claim WHERE slot = ANY (lost); END IF;
  -- A slot may have been given to another minute before its lock was ours: only now is it sure. And what was deleted while we
  -- waited may have been put back as it once was, with the tenure of that time.
  SELECT x.*, x.mark = x.xmin AS is_ours INTO later FROM tenure x;
  IF later.is_ours IS NOT TRUE OR later.since <> t.since OR later.seen < t.seen THEN
    RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'another tenure';
  END IF;
  IF stored = n AND lost IS NULL AND later.high = t.high THEN letters := repeat('n', n); RETURN; END IF;
  -- A vote is what was stored: the ballot that was given back, once, and no other ballot of its identity.
  SELECT string_agg(letter, '' ORDER BY o), array_agg(word ORDER BY o) FILTER (WHERE letter = 'p')
  INTO letters, standing FROM (
    SELECT o, c.word, coalesce(refused, CASE WHEN copy = 1 AND (u.slot, i, w) IN (
      SELECT * FROM unnest(stored_slots, stored_identities, stored_words)) THEN 'n' ELSE 'p' END) AS letter
    FROM (
      SELECT *, row_number() OVER (PARTITION BY refused, slot, i, w ORDER BY o) AS copy FROM (
        SELECT s / 60 % 64 AS slot, i, w, o, CASE
          WHEN s < t.since OR s / 60 <= later.high - 64 OR claims.clock < t.since - 5
            OR s / 60 % 64 = ANY (lost) THEN 'f'
          WHEN s > claims.clock + f + 5 OR s / 60 > t.high THEN 'a' END AS refused
        FROM unnest(seconds, identities, words) WITH ORDINALITY x(s, i, w, o)) x) u
    LEFT JOIN claim c ON c.slot = u.slot AND c.identity = i) x;
END $$;

-- Makes the slots of the minutes that come after high, and says which is the last.
CREATE FUNCTION "mp2_prod".turn(high bigint, clock bigint, f int, life int) RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path = "mp2_prod", pg_temp AS $$
DECLARE m bigint := greatest(high + 1, (clock - life) / 60); target bigint := (clock + f + 35) / 60;
BEGIN
  WHILE m <= target LOOP
    BEGIN
      PERFORM set_config('lock_timeout', '50ms', true);
      EXECUTE format('TRUNCATE claim_%s', m % 64);
    EXCEPTION WHEN lock_not_available THEN
      EXECUTE format('DELETE FROM claim_%s', m % 64);  -- a dump reads it
    END;
    INSERT INTO claim VALUES
      (m % 64, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');
    m := m + 1;
  END LOOP;
  RETURN greatest(high, target);
END $$;

-- Once a second from each process: attends the tenure and makes slots; one process at a time does it. The host's clock bounds
-- what is noted as attended: a server's clock that is ahead would vouch for the time to come.
CREATE FUNCTION "mp2_prod".tend(
  digest_ text, f int, life int, grace int, host_now bigint, OUT clock bigint, OUT since bigint, OUT high bigint
) LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = "mp2_prod", pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE t record; later record; attended bigint;
BEGIN
  t := enter(digest_, grace);
  clock := t.clock; since := t.since; high := t.high;
  attended := least(t.clock, host_now + 5);
  -- Each version of the row is kept for as long as someone has a snapshot from before it, so there are not many.
  IF attended < t.seen + greatest(1, grace / 6) AND t.high >= (t.clock + f + 35) / 60 THEN RETURN; END IF;
  SELECT x.*, x.mark = x.xmin AS is_ours INTO later FROM tenure x FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  -- Rows that were put back since the first look must not be attended: our mark would make them the tenure.
  IF NOT later.is_ours OR later.since <> t.since OR later.seen < t.seen THEN
    RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'another tenure';
  END IF;
  high := turn(later.high, t.clock, f, life);
  UPDATE tenure SET seen = greatest(later.seen, attended), high = tend.high, mark = pg_current_xact_id()::xid;
END $$;

CREATE FUNCTION "mp2_prod".birth(
  digest_ text, f int, life int, grace int, host_now bigint, host_highest bigint, fresh boolean,
  OUT clock bigint, OUT since bigint, OUT high bigint, OUT born boolean
) LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = "mp2_prod", pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE t record; had boolean := true; line text;
BEGIN
  PERFORM check_server();
  line := timeline();
  IF current_setting('fsync') <> 'on' THEN RAISE EXCEPTION USING ERRCODE = 'MT006', MESSAGE = 'fsync is off'; END IF;
  clock := floor(extract(epoch FROM clock_timestamp()));
  SELECT x.*, x.mark = x.xmin AS is_ours INTO t FROM tenure x;
  IF t.is_ours AND t.digest = digest_ AND t.timeline = line AND greatest(clock, host_now) <= t.seen + grace
    AND t.high >= (clock + f + 35) / 60 THEN
    IF fresh THEN RAISE EXCEPTION USING ERRCODE = 'MT004', MESSAGE = 'has a tenure'; END IF;
    born := false; since := t.since; high := t.high;  -- as nearly always
    RETURN;
  END IF;
  LOOP
    SELECT x.*, x.mark = x.xmin AS is_ours INTO t FROM tenure x FOR UPDATE;
    EXIT WHEN FOUND;
    -- A row to be locked, of no tenure. One that another session made meanwhile is that session's until it commits.
    INSERT INTO tenure VALUES (true, digest_, line, 0, -1, 0, '0') ON CONFLICT (one) DO NOTHING;
    had := NOT FOUND;
  END LOOP;
  clock := floor(extract(epoch FROM clock_timestamp()));
  IF t.digest <> digest_ THEN RAISE EXCEPTION USING ERRCODE = 'MT002', MESSAGE = 'another fleet'; END IF;
  IF fresh AND (had OR EXISTS (SELECT FROM claim)) THEN
    RAISE EXCEPTION USING ERRCODE = 'MT004', MESSAGE = 'has a tenure';
  END IF;
  born := NOT t.is_ours OR t.timeline <> line OR clock > t.seen + grace;
  -- By the host's clock these data were left alone for too long; the server's, which may have been set back, says otherwise.
  IF NOT born AND host_now > t.seen + grace THEN
    RAISE EXCEPTION USING ERRCODE = 'MT003', MESSAGE = clock;
  END IF;
  since := t.since; high := t.high;
  IF born THEN
    -- A clock that was far ahead for a moment would keep every host from playing until that time comes.
    IF abs(clock - host_now) > 5 OR host_highest > greatest(clock, host_now, t.seen) + 60 THEN
      RAISE EXCEPTION USING ERRCODE = 'MT003', MESSAGE = clock;
    END IF;
    IF NOT fresh THEN
      since := greatest(since, greatest(clock, host_now, host_highest, t.seen) + greatest(f + 12, grace + 21));
    END IF;
    high := since / 60 - 1;
    t.seen := greatest(clock, t.seen);
  END IF;
  high := turn(high, clock, f, life);
  UPDATE tenure SET timeline = line, since = birth.since, high = birth.high, seen = t.seen, mark = pg_current_xact_id()::xid;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA "mp2_prod" FROM PUBLIC;
GRANT USAGE ON SCHEMA "mp2_prod" TO mediatoken;
GRANT EXECUTE ON FUNCTION "mp2_prod".claims, "mp2_prod".tend, "mp2_prod".birth, "mp2_prod".look TO mediatoken;
COMMIT;
