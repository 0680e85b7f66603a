-- The schema of one fleet: schema.py writes its name for FLEET, the number of the ring's slots for SLOTS.
CREATE SCHEMA "mt1_FLEET";
CREATE /* UNLOGGED */ TABLE "mt1_FLEET".tenure (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  digest text NOT NULL,           -- whose fleet: version, name and times
  timeline text NOT NULL,         -- of the data
  since bigint NOT NULL,          -- the first second that this incarnation vouches for
  high bigint NOT NULL,           -- the last minute whose slot was made
  seen bigint NOT NULL            -- the latest second of the server's clock in which a host was here
) WITH (fillfactor = 10);
CREATE TABLE "mt1_FLEET".claim (slot int NOT NULL, identity uuid NOT NULL, word uuid NOT NULL, PRIMARY KEY (slot, identity)) PARTITION BY LIST (slot);
DO $$ BEGIN FOR i IN 0..SLOTS - 1 LOOP
  EXECUTE format('CREATE /* UNLOGGED */ TABLE "mt1_FLEET".claim_%s PARTITION OF "mt1_FLEET".claim FOR VALUES IN (%s) WITH (autovacuum_enabled = false)', i, i);
END LOOP; END $$;

CREATE FUNCTION "mt1_FLEET".timeline() RETURNS text LANGUAGE sql STABLE AS
  $$ SELECT substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8) $$;

-- What both ways in check. Commits of ours are on the disk before they are answered, whatever the role's default is.
CREATE FUNCTION "mt1_FLEET".enter(digest_ text, grace int, OUT clock bigint, OUT since bigint, OUT high bigint, OUT seen bigint)
LANGUAGE plpgsql VOLATILE SET search_path = "mt1_FLEET", pg_temp AS $$
DECLARE d text; tl text;
BEGIN
  IF pg_is_in_recovery() THEN RAISE EXCEPTION USING ERRCODE = 'MT007', MESSAGE = 'a standby'; END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN RAISE EXCEPTION USING ERRCODE = 'MT005', MESSAGE = 'isolation'; END IF;
  IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN PERFORM set_config('synchronous_commit', 'on', true); END IF;
  SELECT t.digest, t.timeline, t.since, t.high, t.seen INTO d, tl, since, high, seen FROM tenure t;
  IF d <> digest_ THEN RAISE EXCEPTION USING ERRCODE = 'MT002', MESSAGE = 'another fleet'; END IF;
  clock := floor(extract(epoch FROM clock_timestamp()));
  IF d IS NULL OR tl <> timeline() OR clock > seen + grace THEN RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'no tenure'; END IF;
END $$;

-- letters: n new, p present (its word is in `standing`, in order), f forgotten, a ahead
CREATE FUNCTION "mt1_FLEET".claims(digest_ text, f int, grace int, seconds bigint[], identities uuid[], words uuid[],
    OUT clock bigint, OUT letters text, OUT standing uuid[])
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = "mt1_FLEET", pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE t record; n int := cardinality(identities); stored uuid[]; lost int[]; high_ bigint;
  zero constant uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  t := enter(digest_, grace); clock := t.clock;
  -- Each minute's marker goes in first: it is there already, or the slot has lost its rows. In one order, so that no two batches
  -- wait for each other.
  WITH asked AS (
    SELECT s / 60 AS m, i, w FROM unnest(seconds, identities, words) u(s, i, w)
    WHERE s >= t.since AND s <= t.clock + f + 5 AND s / 60 <= t.high AND s / 60 > t.high - SLOTS AND t.clock >= t.since - 5
  ), stored_ AS (
    INSERT INTO claim (slot, identity, word)
    SELECT m % SLOTS, i, w FROM (SELECT DISTINCT m, zero AS i, zero AS w FROM asked UNION ALL SELECT m, i, w FROM asked) a ORDER BY 1, 2
    ON CONFLICT DO NOTHING RETURNING slot, identity
  ) SELECT array_agg(identity), array_agg(slot) FILTER (WHERE identity = zero) INTO stored, lost FROM stored_;
  -- Slots were emptied: their minutes are forgotten, until they come round again.
  IF lost IS NOT NULL THEN DELETE FROM claim WHERE slot = ANY (lost); END IF;
  -- The slot may have been given to another minute before its lock was ours: only now is it sure.
  SELECT x.high INTO high_ FROM tenure x;
  IF cardinality(stored) = n AND lost IS NULL AND high_ = t.high THEN letters := repeat('n', n); RETURN; END IF;
  SELECT string_agg(letter, '' ORDER BY o), array_agg(word ORDER BY o) FILTER (WHERE letter = 'p') INTO letters, standing FROM (
    SELECT o, c.word, CASE
      WHEN s < t.since OR s / 60 <= high_ - SLOTS OR t.clock < t.since - 5 OR s / 60 % SLOTS = ANY (lost) THEN 'f'
      WHEN s > t.clock + f + 5 OR s / 60 > t.high THEN 'a'
      WHEN i = ANY (stored) AND NOT i = ANY (identities[:o - 1]) THEN 'n'
      ELSE 'p' END AS letter
    FROM unnest(seconds, identities) WITH ORDINALITY u(s, i, o)
    LEFT JOIN claim c ON c.slot = s / 60 % SLOTS AND c.identity = i) x;
END $$;

-- Makes the slots of the minutes that come.
CREATE FUNCTION "mt1_FLEET".turn(clock bigint, f int, life int) RETURNS bigint LANGUAGE plpgsql VOLATILE SET search_path = "mt1_FLEET", pg_temp AS $$
DECLARE h bigint; m bigint; target bigint := (clock + f + 5 + 30) / 60;
BEGIN
  SELECT high INTO h FROM tenure;
  m := greatest(h + 1, (clock - life) / 60);
  WHILE m <= target LOOP
    BEGIN
      PERFORM set_config('lock_timeout', '50ms', true);
      EXECUTE format('TRUNCATE claim_%s', m % SLOTS);
    EXCEPTION WHEN lock_not_available THEN EXECUTE format('DELETE FROM claim_%s', m % SLOTS);   -- a dump reads it
    END;
    INSERT INTO claim VALUES (m % SLOTS, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');
    h := m; m := m + 1;
  END LOOP;
  UPDATE tenure SET high = h WHERE high <> h;
  RETURN h;
END $$;

-- Once a second from each host: notes that the data are attended, and makes slots; one host at a time does it. The host's clock
-- bounds what is noted: a server's clock that is ahead would vouch for the time to come.
CREATE FUNCTION "mt1_FLEET".tend(digest_ text, f int, life int, grace int, host_now bigint, OUT clock bigint, OUT since bigint, OUT high bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = "mt1_FLEET", pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE t record; attended bigint;
BEGIN
  t := enter(digest_, grace); clock := t.clock; since := t.since; high := t.high;
  attended := least(t.clock, host_now + 5);
  IF attended >= t.seen + 2 OR t.high < (t.clock + f + 5 + 30) / 60 THEN
    IF pg_try_advisory_xact_lock(27764, hashtext('mt1_FLEET')) THEN
      UPDATE tenure x SET seen = greatest(x.seen, attended);
      high := turn(t.clock, f, life);
    END IF;
  END IF;
END $$;

CREATE FUNCTION "mt1_FLEET".birth(digest_ text, f int, life int, grace int, host_now bigint, host_highest bigint, fresh boolean,
    OUT clock bigint, OUT since bigint, OUT high bigint, OUT born boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = "mt1_FLEET", pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE t record; had boolean; tl text;
BEGIN
  IF pg_is_in_recovery() THEN RAISE EXCEPTION USING ERRCODE = 'MT007', MESSAGE = 'a standby'; END IF;
  tl := timeline();
  IF current_setting('transaction_isolation') <> 'read committed' THEN RAISE EXCEPTION USING ERRCODE = 'MT005', MESSAGE = 'isolation'; END IF;
  IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN PERFORM set_config('synchronous_commit', 'on', true); END IF;
  IF current_setting('fsync') <> 'on' THEN RAISE EXCEPTION USING ERRCODE = 'MT006', MESSAGE = 'fsync is off'; END IF;
  clock := floor(extract(epoch FROM clock_timestamp()));
  SELECT * INTO t FROM tenure; had := FOUND;
  IF had AND t.digest = digest_ AND t.timeline = tl AND greatest(clock, host_now) <= t.seen + grace AND t.high >= (clock + f + 5 + 30) / 60 THEN
    born := false; since := t.since; high := t.high; RETURN;    -- as nearly always
  END IF;
  PERFORM pg_advisory_xact_lock(27764, hashtext('mt1_FLEET'));
  clock := floor(extract(epoch FROM clock_timestamp()));
  SELECT * INTO t FROM tenure; had := FOUND;
  IF had AND t.digest <> digest_ THEN RAISE EXCEPTION USING ERRCODE = 'MT002', MESSAGE = 'another fleet'; END IF;
  born := NOT had OR t.timeline <> tl OR clock > t.seen + grace;
  -- By the host's clock these data were left alone for too long, though the server's, which may have been set back, says otherwise.
  IF NOT born AND host_now > t.seen + grace THEN RAISE EXCEPTION USING ERRCODE = 'MT003', MESSAGE = 'clock ' || clock; END IF;
  IF born THEN
    IF abs(clock - host_now) > 5 THEN RAISE EXCEPTION USING ERRCODE = 'MT003', MESSAGE = 'clock ' || clock; END IF;
    IF fresh AND had THEN RAISE EXCEPTION USING ERRCODE = 'MT004', MESSAGE = 'has a tenure'; END IF;
    since := CASE WHEN fresh THEN 0 ELSE greatest(clock, host_now, host_highest, t.seen) + greatest(f + 12, grace + 21) END;
    since := greatest(since, t.since);
    DELETE FROM tenure;
    INSERT INTO tenure VALUES (true, digest_, tl, since, since / 60 - 1, greatest(clock, t.seen));
  END IF;
  high := turn(clock, f, life);
  SELECT x.since INTO since FROM tenure x;
END $$;

-- What is known of a token; changes nothing.
CREATE FUNCTION "mt1_FLEET".look(second bigint, identity_ uuid) RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER SET search_path = "mt1_FLEET", pg_temp AS
  $$ SELECT word FROM claim WHERE slot = second / 60 % SLOTS AND identity = identity_ $$;

-- The operator's word that these data were put back or may have lost something: the next host founds again.
CREATE FUNCTION "mt1_FLEET".forget() RETURNS void LANGUAGE sql VOLATILE SET search_path = "mt1_FLEET", pg_temp AS
  $$ UPDATE tenure SET seen = 0 $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA "mt1_FLEET" FROM PUBLIC;
GRANT USAGE ON SCHEMA "mt1_FLEET" TO mediatoken;
GRANT EXECUTE ON FUNCTION "mt1_FLEET".claims, "mt1_FLEET".tend, "mt1_FLEET".birth, "mt1_FLEET".look TO mediatoken;
