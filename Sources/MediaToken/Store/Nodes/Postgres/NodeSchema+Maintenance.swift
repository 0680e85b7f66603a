extension NodeSchema {
  /// The functions `maintain` and `start`, which write the epoch's row, and only while they have its lock: no one else may
  /// take that.
  static let maintenance = #"""
    -- Makes the slots of the minutes that come after high, and says which is the last.
    CREATE FUNCTION "{schema}".turn(high bigint, clock bigint, f int, life int) RETURNS bigint
    LANGUAGE plpgsql VOLATILE SET search_path = "{schema}", pg_temp AS $$
    DECLARE m bigint := greatest(high + 1, (clock - life) / {minute}); target bigint := (clock + f + 35) / {minute};
    BEGIN
      WHILE m <= target LOOP
        BEGIN
          PERFORM set_config('lock_timeout', '50ms', true);
          EXECUTE format('TRUNCATE claim_%s', m % {slots});
        EXCEPTION WHEN lock_not_available THEN
          EXECUTE format('DELETE FROM claim_%s', m % {slots});  -- a dump reads it
        END;
        INSERT INTO claim VALUES
          (m % {slots}, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');
        m := m + 1;
      END LOOP;
      RETURN greatest(high, target);
    END $$;

    -- Once a second from each process: maintains the epoch and makes slots; one process at a time does it. The host's clock bounds
    -- what is noted as maintained: a server's clock that is ahead would vouch for the time to come.
    CREATE FUNCTION "{schema}".maintain(
      digest_ text, f int, life int, grace int, host_now bigint, OUT clock bigint, OUT since bigint, OUT high bigint
    ) LANGUAGE plpgsql VOLATILE SECURITY DEFINER
      SET search_path = "{schema}", pg_temp SET plan_cache_mode = force_generic_plan AS $$
    DECLARE t record; later record; maintained bigint;
    BEGIN
      t := enter(digest_, grace);
      clock := t.clock; since := t.since; high := t.high;
      maintained := least(t.clock, host_now + 5);
      -- Each version of the row is kept for as long as someone has a snapshot from before it, so there are not many.
      IF maintained < t.seen + greatest(1, grace / 6) AND t.high >= (t.clock + f + 35) / {minute} THEN RETURN; END IF;
      SELECT x.*, x.mark = x.xmin AS is_ours INTO later FROM epoch x FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN RETURN; END IF;
      -- Rows that were put back since the first look must not be maintained: our mark would make them the epoch.
      IF NOT later.is_ours OR later.since <> t.since OR later.seen < t.seen THEN
        RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'another epoch';
      END IF;
      high := turn(later.high, t.clock, f, life);
      UPDATE epoch SET seen = greatest(later.seen, maintained), high = maintain.high, mark = pg_current_xact_id()::xid;
    END $$;

    CREATE FUNCTION "{schema}".start(
      digest_ text, f int, life int, grace int, host_now bigint, host_highest bigint, fresh boolean,
      OUT clock bigint, OUT since bigint, OUT high bigint, OUT started boolean
    ) LANGUAGE plpgsql VOLATILE SECURITY DEFINER
      SET search_path = "{schema}", pg_temp SET plan_cache_mode = force_generic_plan AS $$
    DECLARE t record; had boolean := true; line text;
    BEGIN
      PERFORM check_server();
      line := timeline();
      IF current_setting('fsync') <> 'on' THEN RAISE EXCEPTION USING ERRCODE = 'MT006', MESSAGE = 'fsync is off'; END IF;
      clock := floor(extract(epoch FROM clock_timestamp()));
      SELECT x.*, x.mark = x.xmin AS is_ours INTO t FROM epoch x;
      IF t.is_ours AND t.digest = digest_ AND t.timeline = line AND greatest(clock, host_now) <= t.seen + grace
        AND t.high >= (clock + f + 35) / {minute} THEN
        IF fresh THEN RAISE EXCEPTION USING ERRCODE = 'MT004', MESSAGE = 'has an epoch'; END IF;
        started := false; since := t.since; high := t.high;  -- as nearly always
        RETURN;
      END IF;
      LOOP
        SELECT x.*, x.mark = x.xmin AS is_ours INTO t FROM epoch x FOR UPDATE;
        EXIT WHEN FOUND;
        -- A row to be locked, of no epoch. One that another session made meanwhile is that session's until it commits.
        INSERT INTO epoch VALUES (true, digest_, line, 0, -1, 0, '0') ON CONFLICT (one) DO NOTHING;
        had := NOT FOUND;
      END LOOP;
      clock := floor(extract(epoch FROM clock_timestamp()));
      IF t.digest <> digest_ THEN RAISE EXCEPTION USING ERRCODE = 'MT002', MESSAGE = 'another fleet'; END IF;
      IF fresh AND (had OR EXISTS (SELECT FROM claim)) THEN
        RAISE EXCEPTION USING ERRCODE = 'MT004', MESSAGE = 'has an epoch';
      END IF;
      started := NOT t.is_ours OR t.timeline <> line OR clock > t.seen + grace;
      -- By the host's clock these data were left alone for too long; the server's, which may have been set back, says otherwise.
      IF NOT started AND host_now > t.seen + grace THEN
        RAISE EXCEPTION USING ERRCODE = 'MT003', MESSAGE = clock;
      END IF;
      since := t.since; high := t.high;
      IF started THEN
        -- A clock that was far ahead for a moment would keep every host from playing until that time comes.
        IF abs(clock - host_now) > 5 OR host_highest > greatest(clock, host_now, t.seen) + 60 THEN
          RAISE EXCEPTION USING ERRCODE = 'MT003', MESSAGE = clock;
        END IF;
        IF NOT fresh THEN
          since := greatest(since, greatest(clock, host_now, host_highest, t.seen) + greatest(f + 12, grace + 21));
        END IF;
        high := since / {minute} - 1;
        t.seen := greatest(clock, t.seen);
      END IF;
      high := turn(high, clock, f, life);
      UPDATE epoch SET timeline = line, since = start.since, high = start.high, seen = t.seen, mark = pg_current_xact_id()::xid;
    END $$;


    """#
}
