extension NodeSchema {
  /// The function `claims`: the votes.
  static let claims = #"""
    -- One letter for each claim: n new, p present (what is there is in standing, in order), f forgotten, a ahead.
    CREATE FUNCTION "{schema}".claims(
      digest_ text, f int, grace int, seconds bigint[], identities uuid[], ballots uuid[],
      OUT clock bigint, OUT letters text, OUT standing uuid[]
    ) LANGUAGE plpgsql VOLATILE SECURITY DEFINER
      SET search_path = "{schema}", pg_temp SET plan_cache_mode = force_generic_plan AS $$
    DECLARE
      t record;
      n int := cardinality(identities);
      stored int;
      stored_slots int[];
      stored_identities uuid[];
      stored_ballots uuid[];
      lost int[];
      later record;
      minute bigint := seconds[1] / {minute};
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
      SELECT x.*, x.mark = x.xmin AS is_ours INTO t FROM epoch x;
      IF t.digest <> digest_ THEN RAISE EXCEPTION USING ERRCODE = 'MT002', MESSAGE = 'another fleet'; END IF;
      clock := floor(extract(epoch FROM clock_timestamp()));
      IF t.is_ours IS NOT TRUE OR clock > t.seen + grace
        OR t.timeline <> substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8) THEN
        RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'no epoch';
      END IF;
      IF n = 1 THEN
        -- The same as below, without a plan for many.
        IF seconds[1] < t.since OR minute <= t.high - {slots} OR clock < t.since - 5 THEN letters := 'f'; RETURN; END IF;
        IF seconds[1] > clock + f + 5 OR minute > t.high THEN letters := 'a'; RETURN; END IF;
        INSERT INTO claim (slot, identity, ballot) VALUES (minute % {slots}, identities[1], ballots[1])
          ON CONFLICT (slot, identity) DO NOTHING;
        letters := CASE WHEN FOUND THEN 'n' ELSE 'p' END;
        INSERT INTO claim (slot, identity, ballot) VALUES (minute % {slots}, zero, zero) ON CONFLICT (slot, identity) DO NOTHING;
        IF FOUND THEN
          DELETE FROM claim WHERE slot = minute % {slots};
          letters := 'f';
          RETURN;
        END IF;
        IF letters = 'p' THEN
          SELECT array_agg(c.ballot) INTO standing FROM claim c WHERE c.slot = minute % {slots} AND c.identity = identities[1];
        END IF;
        SELECT x.*, x.mark = x.xmin AS is_ours INTO later FROM epoch x;
        IF later.is_ours IS NOT TRUE OR later.since <> t.since OR later.seen < t.seen THEN
          RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'another epoch';
        END IF;
        IF minute <= later.high - {slots} THEN letters := 'f'; standing := NULL; END IF;
        RETURN;
      END IF;
      -- Each minute's marker goes in after its claims: it is there still, or the slot has lost its rows, perhaps only now, which a
      -- marker that was there before them would not tell. In one order, so that no two batches wait for each other; of several
      -- claims of one identity the first is stored. The key is named, as a restore makes it after the rows: without it there is no vote.
      WITH asked AS (
        SELECT s / {minute} AS m, i, w, o FROM unnest(seconds, identities, ballots) WITH ORDINALITY u(s, i, w, o)
        WHERE s >= t.since AND s <= claims.clock + f + 5 AND s / {minute} <= t.high AND s / {minute} > t.high - {slots}
          AND claims.clock >= t.since - 5
      ), stored_ AS (
        INSERT INTO claim (slot, identity, ballot)
        SELECT m % {slots}, i, w
        FROM (SELECT DISTINCT m, zero AS i, zero AS w, 0 AS o FROM asked UNION ALL SELECT m, i, w, o FROM asked) a
        ORDER BY 1, i = zero, 2, o ON CONFLICT (slot, identity) DO NOTHING RETURNING slot, identity, ballot
      ) SELECT count(*), array_agg(slot), array_agg(identity), array_agg(ballot), array_agg(slot) FILTER (WHERE identity = zero)
        INTO stored, stored_slots, stored_identities, stored_ballots, lost FROM stored_;
      -- Slots that were emptied: their minutes are forgotten until they come round again.
      IF lost IS NOT NULL THEN DELETE FROM claim WHERE slot = ANY (lost); END IF;
      -- A slot may have been given to another minute before its lock was ours: only now is it sure. And what was deleted while we
      -- waited may have been put back as it once was, with the epoch of that time.
      SELECT x.*, x.mark = x.xmin AS is_ours INTO later FROM epoch x;
      IF later.is_ours IS NOT TRUE OR later.since <> t.since OR later.seen < t.seen THEN
        RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'another epoch';
      END IF;
      IF stored = n AND lost IS NULL AND later.high = t.high THEN letters := repeat('n', n); RETURN; END IF;
      -- A vote is what was stored: the ballot that was given back, once, and no other ballot of its identity.
      SELECT string_agg(letter, '' ORDER BY o), array_agg(ballot ORDER BY o) FILTER (WHERE letter = 'p')
      INTO letters, standing FROM (
        SELECT o, c.ballot, coalesce(refused, CASE WHEN copy = 1 AND (u.slot, i, w) IN (
          SELECT * FROM unnest(stored_slots, stored_identities, stored_ballots)) THEN 'n' ELSE 'p' END) AS letter
        FROM (
          SELECT *, row_number() OVER (PARTITION BY refused, slot, i, w ORDER BY o) AS copy FROM (
            SELECT s / {minute} % {slots} AS slot, i, w, o, CASE
              WHEN s < t.since OR s / {minute} <= later.high - {slots} OR claims.clock < t.since - 5
                OR s / {minute} % {slots} = ANY (lost) THEN 'f'
              WHEN s > claims.clock + f + 5 OR s / {minute} > t.high THEN 'a' END AS refused
            FROM unnest(seconds, identities, ballots) WITH ORDINALITY x(s, i, w, o)) x) u
        LEFT JOIN claim c ON c.slot = u.slot AND c.identity = i) x;
    END $$;


    """#
}
