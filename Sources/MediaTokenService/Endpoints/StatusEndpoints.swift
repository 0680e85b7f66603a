internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenJSON
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
      let problem = readinessProblem()
      response.status = problem == nil ? 200 : 503
      response.writeObject { $0.member("status", problem ?? "ready") }
    case .metrics:
      metricsReaders.add(ticket)
      return .later
    case .keys:
      response.status = 200
      response.writeObject { writer in
        writer.name("keys")
        writer.array { array in
          for key in state.keys.keys { array.object { $0.members(of: key) } }
        }
      }
    case .verify, .batch, .auth: refuse(.notFound, with: &response)
    }
    return .now
  }

  /// Why no caller should come here; nil if all is well.
  private func readinessProblem() -> String? {
    if service.isDraining.load(ordering: .sequentiallyConsistent) { return "draining" }
    if state.keys.keys.isEmpty { return "no-keys" }
    switch service.memory?.condition {
    case .retired: return "replay-memory-unavailable"
    case .usable, nil: return nil
    }
  }
}

extension JSONWriter {
  fileprivate mutating func members(of key: TrustedKey) {
    member("fingerprint", key.fingerprint.description)
    member("bits", Int64(key.modulusBits))
    member("warnings", key.warnings(at: .now).map(\.description))
  }
}
