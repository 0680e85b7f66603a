internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHTTP
internal import MediaTokenSystem

extension Response {
  /// `/livez`.
  mutating func writeLife() -> Answering {
    status = 200
    writeObject { $0.member("status", "live") }
    return .now
  }
}

extension Handler {
  /// `/readyz`.
  func writeReadiness(to response: inout Response) -> Answering {
    let problem = service.readiness.problem(state, at: .now, mayLook: !isSpare)
    response.status = problem == nil ? 200 : 503
    response.writeObject {
      $0.members(of: problem, problem.map { (service.readiness.detail(of: $0), service.readiness.cure(of: $0)) })
    }
    return .now
  }

  /// `/v1/keys`.
  func writeKeys(to response: inout Response) -> Answering {
    response.status = 200
    response.writeObject { writer in
      writer.name("keys")
      writer.array { array in
        for key in state.keys { array.object { $0.members(of: key) } }
      }
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
