/// The needs of a database that is a fleet's node, as one SQL text: a schema, and all that hosts may call in it.
///
/// Its names are those of the protocol: `epoch` has the epoch, `claim` the ballots, in a ring of slots of a minute or more
/// each. It needs a role that may create schemas and roles; hosts log in as the role `mediatoken`, which may call four
/// functions and nothing else.
package enum NodeSchema {
  /// The version of the protocol, in the schema's name and comment and in the digest: a change of meaning is another schema.
  static let version = "mp3"
  /// The version before, whose hosts see nothing of what is used in a schema of this one.
  static let former = "mp2"

  static func name(ofFleet fleet: String, version: String = version) -> String { "\(version)_\(fleet)" }

  /// The schema's comment names the digest. With `isUnlogged` PostgreSQL writes no log of the tables, and empties them all
  /// wherever they could be wrong.
  package static func text(
    fleet: String, _ policy: FleetPolicy, _ digest: FleetDigest, isUnlogged: Bool
  ) -> String {
    var text = template
    for (mark, value) in [
      ("{schema}", name(ofFleet: fleet)), ("{version}", version), ("{digest}", digest.description),
      ("{minute}", "\(policy.slotSeconds)"), ("{slots}", "\(slots(policy))"),
      ("{logged}", isUnlogged ? "UNLOGGED" : ""),
    ] {
      text = text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: value)
    }
    return text
  }

  /// The slots of the ring: those in which a token can be current, and two that are being made or emptied.
  static func slots(_ policy: FleetPolicy) -> Int64 {
    let length = policy.slotSeconds
    return (policy.lifeSeconds + policy.aheadSeconds + 35 + length - 1) / length + 2
  }

  /// Without the values of one fleet. In it a minute is a slot, of `{minute}` seconds.
  static let template = tables + entrance + claims + maintenance + rights

  private static let tables = #"""
    -- The node of a MediaToken fleet. Run it once, as a role that may create schemas and roles.
    BEGIN;
    DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mediatoken_owner') THEN CREATE ROLE mediatoken_owner NOLOGIN; END IF;
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mediatoken') THEN CREATE ROLE mediatoken LOGIN; END IF;
      IF NOT pg_has_role('mediatoken_owner', 'USAGE') THEN EXECUTE format('GRANT mediatoken_owner TO %I', current_user); END IF;
    END $$;
    ALTER ROLE mediatoken SET default_transaction_isolation = 'read committed';
    ALTER ROLE mediatoken SET statement_timeout = '2s';
    ALTER ROLE mediatoken SET lock_timeout = '1s';
    CREATE SCHEMA "{schema}" AUTHORIZATION mediatoken_owner;
    COMMENT ON SCHEMA "{schema}" IS 'mediatoken {version} {digest}';
    SET LOCAL ROLE mediatoken_owner;

    CREATE {logged} TABLE "{schema}".epoch (
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
    CREATE TABLE "{schema}".claim (slot int NOT NULL, identity uuid NOT NULL, ballot uuid NOT NULL, PRIMARY KEY (slot, identity))
      PARTITION BY LIST (slot);
    DO $$ BEGIN
      FOR i IN 0..{slots} - 1 LOOP
        EXECUTE format('CREATE {logged} TABLE "{schema}".claim_%s PARTITION OF "{schema}".claim FOR VALUES IN (%s)'
          ' WITH (autovacuum_enabled = false)', i, i);
      END LOOP;
    END $$;


    """#

  private static let entrance = #"""
    CREATE FUNCTION "{schema}".timeline() RETURNS text LANGUAGE sql STABLE AS $$
      SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN ''
        ELSE substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8) END
    $$;

    -- What every way in checks first. Commits are on the disk before they are answered, and warnings about them are sent, whatever
    -- the defaults of the role are. Both settings must last until the commit, so no function sets them for itself.
    CREATE FUNCTION "{schema}".check_server() RETURNS void LANGUAGE plpgsql VOLATILE SET search_path = "{schema}", pg_temp AS $$
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

    CREATE FUNCTION "{schema}".enter(
      digest_ text, grace int, OUT clock bigint, OUT since bigint, OUT high bigint, OUT seen bigint
    ) LANGUAGE plpgsql VOLATILE SET search_path = "{schema}", pg_temp AS $$
    DECLARE t record;
    BEGIN
      PERFORM check_server();
      SELECT x.*, x.mark = x.xmin AS is_ours INTO t FROM epoch x;
      IF t.digest <> digest_ THEN RAISE EXCEPTION USING ERRCODE = 'MT002', MESSAGE = 'another fleet'; END IF;
      clock := floor(extract(epoch FROM clock_timestamp()));
      IF t.is_ours IS NOT TRUE OR t.timeline <> timeline() OR clock > t.seen + grace THEN
        RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'no epoch';
      END IF;
      since := t.since; high := t.high; seen := t.seen;
    END $$;

    -- What is known of the data, and of one token in them. Data that a restore put back have no timeline. Changes nothing.
    CREATE FUNCTION "{schema}".look(
      second bigint, identity_ uuid, OUT clock bigint, OUT line text, OUT digest_ text, OUT timeline_ text, OUT since_ bigint,
      OUT high_ bigint, OUT seen_ bigint, OUT made boolean, OUT standing uuid
    ) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = "{schema}", pg_temp AS $$
      SELECT floor(extract(epoch FROM clock_timestamp()))::bigint, timeline(), t.digest,
        CASE WHEN t.mark = t.xmin THEN t.timeline END, t.since, t.high, t.seen,
        EXISTS (SELECT FROM claim
          WHERE slot = second / {minute} % {slots} AND identity = '00000000-0000-0000-0000-000000000000'),
        (SELECT ballot FROM claim WHERE slot = second / {minute} % {slots} AND identity = identity_)
      FROM (SELECT) AS always LEFT JOIN epoch t ON true
    $$;


    """#

  private static let rights = #"""
    REVOKE ALL ON ALL FUNCTIONS IN SCHEMA "{schema}" FROM PUBLIC;
    GRANT USAGE ON SCHEMA "{schema}" TO mediatoken;
    GRANT EXECUTE ON FUNCTION "{schema}".claims, "{schema}".maintain, "{schema}".start, "{schema}".look TO mediatoken;
    COMMIT;

    """#
}
