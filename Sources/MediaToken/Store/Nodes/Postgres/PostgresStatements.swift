/// The questions that one fleet asks its database. Their texts are constant, so that a pooler of connections can be in between.
struct PostgresStatements: Sendable {
  /// Asked before the server is given a start or a claim.
  let facts: String
  /// The server's cluster; a role may be denied that.
  let cluster = "SELECT system_identifier::text FROM pg_control_system()"
  let claims: String
  let maintain: String
  let start: String
  let look: String
  private let schema: String
  private let formerSchema: String
  private let digest: String
  private let policy: FleetPolicy

  init(fleet: String, _ policy: FleetPolicy, _ digest: FleetDigest) {
    schema = NodeSchema.name(ofFleet: fleet)
    formerSchema = NodeSchema.name(ofFleet: fleet, version: NodeSchema.former)
    (self.policy, self.digest) = (policy, digest.description)
    facts = """
      SELECT current_setting('server_version_num'), pg_is_in_recovery(), coalesce(inet_server_addr()::text, ''), \
      coalesce(inet_server_port()::text, ''), current_setting('fsync'), \
      coalesce((SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = $1), \
      (SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = $2), ''), \
      CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END, \
      current_setting('transaction_isolation'), current_setting('transaction_read_only'), \
      (SELECT oid::text FROM pg_database WHERE datname = current_database())
      """
    // As one value, which costs the server an eighth less than a row of three.
    claims = "SELECT \"\(schema)\".claims($1, $2, $3, $4, $5, $6)"
    // `look` sees what was there before: the time that the data were left alone.
    maintain = """
      SELECT clock, since, high, (SELECT seen_ FROM "\(schema)".look(0, '00000000-0000-0000-0000-000000000000')), \
      current_setting('transaction_read_only') \
      FROM "\(schema)".maintain($1, $2, $3, $4, $5)
      """
    start = "SELECT clock, since, high, started FROM \"\(schema)\".start($1, $2, $3, $4, $5, $6, $7)"
    look = """
      SELECT clock, line, digest_, timeline_, since_, high_, seen_, made, standing, current_setting('server_version'), \
      current_setting('full_page_writes'), current_setting('synchronous_commit'), \
      (SELECT sum(pg_total_relation_size(oid))::int8 FROM pg_class WHERE relnamespace = n.oid AND relkind = 'r'), \
      EXISTS (SELECT FROM pg_class WHERE relnamespace = n.oid AND relkind = 'r' AND relpersistence = 'u'), \
      CASE WHEN pg_has_role('pg_read_all_stats', 'USAGE') \
      THEN (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) END \
      FROM "\(schema)".look($1, $2), pg_namespace n WHERE nspname = '\(schema)'
      """
  }

  /// For one who may write the epoch, as hosts may not.
  var retirement: String {
    """
    \\set ON_ERROR_STOP on
    DO $$ BEGIN
      UPDATE "\(schema)".epoch SET digest = '\(retiredDigest)', mark = pg_current_xact_id()::xid
        WHERE digest = '\(digest)' AND mark = xmin;
      IF NOT FOUND THEN RAISE 'the fleet has no epoch, or is retired'; END IF;
    END $$;

    """
  }

  var retiredDigest: String { digest + FleetDigest.retired }

  /// The schema's comment if it is this fleet's.
  var mark: String { "\(Self.mark)\(digest)" }

  /// The beginning of the comment of every schema of this version.
  static let mark = "mediatoken \(NodeSchema.version) "

  /// The beginning of the comment of a schema of the version before.
  static let formerMark = "mediatoken \(NodeSchema.former) "

  var parametersOfFacts: QueryParameters {
    var parameters = QueryParameters()
    parameters.add(schema)
    parameters.add(formerSchema)
    return parameters
  }

  func parameters(of batch: ClaimBatch) -> QueryParameters {
    var parameters = begun
    parameters.add(int4: policy.graceSeconds)
    parameters.add(batch)
    return parameters
  }

  /// The second is the host's clock, rounded up.
  func parametersOfMaintain(at second: Int64) -> QueryParameters {
    var parameters = begun
    parameters.add(int4: policy.lifeSeconds)
    parameters.add(int4: policy.graceSeconds)
    parameters.add(int8: second)
    return parameters
  }

  /// The second is the host's clock, rounded up; `highestSecond` is that of ``FleetClock/highestSecond(ofNode:)``.
  /// `isFresh`: the operator vouches that no token was ever used.
  func parametersOfStart(at second: Int64, highestSecond: Int64, isFresh: Bool) -> QueryParameters {
    var parameters = parametersOfMaintain(at: second)
    parameters.add(int8: highestSecond)
    parameters.add(isFresh)
    return parameters
  }

  func parametersOfLook(at claim: ClaimBatch.Claim) -> QueryParameters {
    var parameters = QueryParameters()
    parameters.add(int8: claim.issueSecond)
    parameters.add(claim.identity)
    return parameters
  }

  private var begun: QueryParameters {
    var parameters = QueryParameters()
    parameters.add(digest)
    parameters.add(int4: policy.aheadSeconds)
    return parameters
  }
}
