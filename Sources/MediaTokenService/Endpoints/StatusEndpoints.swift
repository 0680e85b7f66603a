internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHTTP
internal import MediaTokenSystem
internal import Synchronization

extension Handler {
  /// `/livez`, `/readyz`, `/metrics` and `/v1/keys`.
  func answerStatus(_ endpoint: Endpoint, _ ticket: Ticket, with response: inout Response) -> Answering {
    switch endpoint {
    case .live:
      response.status = 200
      response.writeObject { $0.member("status", "live") }
    case .ready:
      let problem = service.readiness.problem(state, at: .now, mayLook: !isSpare)
      response.status = problem == nil ? 200 : 503
      response.writeObject {
        $0.members(of: problem, problem.map { (service.readiness.detail(of: $0), service.readiness.cure(of: $0)) })
      }
    case .metrics:
      metricsReaders.add(ticket)
      return .later
    case .keys:
      response.status = 200
      response.writeObject { writer in
        writer.name("keys")
        writer.array { array in
          for key in state.keys { array.object { $0.members(of: key) } }
        }
      }
    case .verify, .auth: refuse(.notFound, with: &response)
    }
    return .now
  }
}

extension JSONWriter {
  fileprivate mutating func members(of problem: Condition?, _ words: (detail: String, cure: String)?) {
    member("status", problem == nil ? "ready" : "not-ready")
    guard let problem, let words else { return }
    member("reason", problem.rawValue)
    member("detail", words.detail)
    member("cure", words.cure)
    if problem == .draining { member("action", Action.retry.rawValue) }
  }

  fileprivate mutating func members(of key: TrustedKey) {
    member("fingerprint", key.fingerprint.description)
    member("bits", Int64(key.modulusBits))
    member("warnings", key.warnings(at: .now).map(\.description))
  }
}
