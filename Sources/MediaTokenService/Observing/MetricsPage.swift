internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenSystem
internal import Synchronization

/// The page that Prometheus reads (text format 0.0.4).
struct MetricsPage {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ service: Service, _ state: ServingState, at now: Instant) {
    writeReadiness(service.readiness.problem(state, at: now))
    writeVerdicts(service.metrics)
    writeDurations(service.metrics)
    writeReplay(service.keeper.sight.readings, service.metrics)
    writeKeys(state)
    writeService(service, state)
    writeConnections(service.connections)
    writeProcess()
  }

  private mutating func writeReadiness(_ problem: Condition?) {
    gauge("mediatoken_ready", problem == nil ? 1 : 0, "1 if a good token that comes now is played, as in /readyz.")
    family("mediatoken_not_ready", .gauge, "1 for the reason why no token is played; 0 for all others.")
    for reason in Condition.allCases {
      sample("mediatoken_not_ready", [("reason", reason.rawValue)], reason == problem ? 1 : 0)
    }
  }

  private mutating func writeVerdicts(_ metrics: Metrics) {
    family("mediatoken_verdicts_total", .counter, "Tokens by verdict, and by the rule that a refused one broke.")
    let valid = Verdict.validToken.answer.wireName
    sample("mediatoken_verdicts_total", [("verdict", valid), ("reason", "none")], metrics.total(.valid))
    for reason in Reason.allCases {
      sample(
        "mediatoken_verdicts_total", [("verdict", reason.verdict.answer.wireName), ("reason", reason.rawValue)],
        metrics.total(.rejected(reason)))
    }
    counter(
      "mediatoken_not_spent_total", .notSpent,
      "Genuine tokens that were verified and not spent: the request plays nothing, or could not be answered.",
      metrics)
    family("mediatoken_undecided_total", .counter, "Tokens without a verdict, by the fault on our side.")
    for fault in Fault.allCases {
      sample("mediatoken_undecided_total", [("fault", fault.answer.wireName)], metrics.total(.undecided(fault)))
    }
    counter(
      "mediatoken_handovers_total", .handovers, "Credentials for segments that tokens were exchanged for.", metrics)
  }

  private mutating func writeDurations(_ metrics: Metrics) {
    let bounds = Counter.durationBounds
    let name = "mediatoken_verify_duration_seconds"
    family(name, .histogram, "How long a verification takes, without HTTP.")
    histogram(
      name, [],
      (0...bounds.count).map { metrics.total(.duration(bucket: $0)) },
      bounds.map { Self.decimal($0, digits: 6) },
      sum: Self.decimal(metrics.total(.durationNanoseconds), digits: 9))
  }

  private mutating func writeReplay(_ readings: [ReplayMemoryReading], _ metrics: Metrics) {
    write(readings.compactMap { if case .fleet(let reading) = $0 { reading } else { nil } })
    for reading in readings { write(reading) }
    counter(
      "mediatoken_retry_answers_total", .retryAnswers, "Repeated requests that got their first answer again.",
      metrics)
    counter(
      "mediatoken_unknown_fields_total", .unknownFields, "Valid tokens with signed fields of unknown names.",
      metrics)
    counter(
      "mediatoken_weak_key_verdicts_total", .weakKeyVerdicts,
      "Valid tokens signed by a key of less than 2048 bits.", metrics)
  }

  private mutating func write(_ reading: ReplayMemoryReading) {
    switch reading {
    case .entries(let count):
      gauge(
        "mediatoken_replay_entries", UInt64(count),
        "Tokens that the replay memory remembers; estimated if they are many.")
    case .capacity(let count):
      gauge("mediatoken_replay_capacity", UInt64(count), "Live tokens that the replay memory is rated for.")
    // All fleets have each family together.
    case .fleet: break
    case .clockLeadSeconds(let seconds):
      let name = "mediatoken_replay_clock_lead_seconds"
      family(
        name, .gauge,
        "How far the highest clock that the replay memory has seen is ahead of ours; NaN if the memory is retired.")
      line(name, [], seconds.map { "\($0)" } ?? "NaN")
    }
  }

  private mutating func writeKeys(_ state: ServingState) {
    family("mediatoken_key_info", .gauge, "The keys that are trusted.")
    for key in state.keys {
      sample(
        "mediatoken_key_info", [("fingerprint", key.fingerprint.description), ("bits", "\(key.modulusBits)")], 1)
    }
    let dated = state.keys.compactMap { key in
      key.certificate?.notAfter.map { (key.fingerprint, $0.millisecondsSinceEpoch) }
    }
    guard !dated.isEmpty else { return }
    // A date decides nothing here: Adobe's own certificate ended in 2011. It is a reason to ask for the next one.
    family(
      "mediatoken_key_not_after_timestamp_seconds", .gauge,
      "When the certificate around a key ends; keys without a certificate have no date.")
    for (fingerprint, milliseconds) in dated where milliseconds >= 0 {
      sample(
        "mediatoken_key_not_after_timestamp_seconds", [("fingerprint", fingerprint.description)],
        UInt64(milliseconds / 1000))
    }
  }

  private mutating func writeService(_ service: Service, _ state: ServingState) {
    let isReloaded = service.metrics.lastReloadSuccessful.load(ordering: .sequentiallyConsistent)
    gauge(
      "mediatoken_last_reload_successful", isReloaded ? 1 : 0,
      "0 if the last reload failed and the old set stays in use.")
    gauge(
      "mediatoken_observe_mode", state.auth?.observes == true ? 1 : 0, "1 if /v1/auth lets everything through.")
    family("mediatoken_http_responses_total", .counter, "Answers by status.")
    for status in Counter.statuses {
      sample("mediatoken_http_responses_total", [("code", "\(status)")], service.metrics.total(.response(status)))
    }
    sample("mediatoken_http_responses_total", [("code", "other")], service.metrics.total(.response(0)))
    counter(
      "mediatoken_answers_undelivered_total", .undelivered,
      "Answers whose client was gone before they were written.",
      service.metrics)
    total(
      "mediatoken_log_dropped_total", service.log.dropped,
      "Log lines that were dropped: the disk was full, or the log was not read in time.")
    family("mediatoken_build_info", .gauge, "The version that runs.")
    sample("mediatoken_build_info", [("version", Version.current)], 1)
  }

  private mutating func writeConnections(_ counters: ServerCounters) {
    let gauges: [(String, Int, String)] = [
      ("mediatoken_http_connections", counters.openConnections.value, "Connections that are open."),
      ("mediatoken_http_tcp_connections", counters.openOverTCP.value, "Those of them that came over TCP."),
    ]
    for (name, value, help) in gauges { gauge(name, UInt64(max(0, value)), help) }
    let totals: [(String, Int, String)] = [
      ("mediatoken_http_connections_accepted_total", counters.accepted.value, "Connections that were let in."),
      (
        "mediatoken_http_accept_pauses_total", counters.acceptPauses.value,
        "How often accepting had to wait: there is no descriptor or memory."
      ),
      (
        "mediatoken_http_requests_late_total", counters.deadlineKills.value,
        "Connections that were closed because a request took longer than its deadline, or did not go on."
      ),
      (
        "mediatoken_http_crowded_out_total", counters.crowdedOut.value,
        "Connections that were closed because there were too many, or took too much memory, and their caller had most."
      ),
      ("mediatoken_http_requests_malformed_total", counters.malformed.value, "Requests whose head was refused."),
    ]
    for (name, value, help) in totals { total(name, UInt64(max(0, value)), help) }
  }

  private mutating func writeProcess() {
    let facts = ProcessFacts.current()
    if let seconds = facts.cpuMicroseconds {
      family("process_cpu_seconds_total", .counter, "User and system CPU time.")
      line("process_cpu_seconds_total", [], Self.decimal(seconds, digits: 6))
    }
    if let start = facts.startTimeMilliseconds {
      family("process_start_time_seconds", .gauge, "When the process started, since 1970.")
      line("process_start_time_seconds", [], Self.decimal(start, digits: 3))
    }
    let gauges: [(String, UInt64?, String)] = [
      ("process_resident_memory_bytes", facts.residentBytes, "Resident memory."),
      ("process_virtual_memory_bytes", facts.virtualBytes, "Virtual memory."),
      ("process_open_fds", facts.openDescriptors, "Open file descriptors."),
      ("process_max_fds", facts.mostDescriptors, "The most file descriptors that may be open."),
    ]
    for (name, value, help) in gauges {
      if let value { gauge(name, value, help) }
    }
  }

  // MARK: the format

  enum FamilyType: String {
    case counter, gauge, histogram
  }

  mutating func family(_ name: String, _ kind: FamilyType, _ help: String) {
    append("# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n")
  }

  private mutating func counter(_ name: String, _ counter: Counter, _ help: String, _ metrics: Metrics) {
    total(name, metrics.total(counter), help)
  }

  private mutating func total(_ name: String, _ value: UInt64, _ help: String) {
    family(name, .counter, help)
    sample(name, [], value)
  }

  mutating func gauge(_ name: String, _ value: UInt64, _ help: String) {
    family(name, .gauge, help)
    sample(name, [], value)
  }

  /// Counts in the bounds, and one more for those beyond the last. Its family is written already.
  mutating func histogram(
    _ name: String, _ labels: [(String, String)], _ counts: [UInt64], _ bounds: [some CustomStringConvertible],
    sum: String
  ) {
    var total: UInt64 = 0
    for (count, bound) in zip(counts, bounds) {
      total += count
      sample(name + "_bucket", labels + [("le", "\(bound)")], total)
    }
    total = counts.reduce(0, +)
    sample(name + "_bucket", labels + [("le", "+Inf")], total)
    line(name + "_sum", labels, sum)
    sample(name + "_count", labels, total)
  }

  mutating func sample(_ name: String, _ labels: [(String, String)], _ value: UInt64) {
    line(name, labels, "\(value)")
  }

  /// Label values are names of ours, digits and fingerprints: none of them needs an escape.
  mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
    append(name)
    if !labels.isEmpty { append("{" + labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",") + "}") }
    append(" \(value)\n")
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// A number of millionths, or of other powers of ten, as a decimal fraction.
  private static func decimal(_ number: UInt64, digits: Int) -> String {
    let text = "\(number)"
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.utf8.count)) + text
    let fraction = padded.suffix(digits).reversed().drop { $0 == "0" }.reversed()
    return fraction.isEmpty ? "\(padded.dropLast(digits))" : "\(padded.dropLast(digits)).\(String(fraction))"
  }
}
