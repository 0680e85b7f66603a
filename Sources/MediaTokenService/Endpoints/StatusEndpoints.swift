internal import MediaToken
internal import MediaTokenJSON
internal import Synchronization
internal import SystemCalls

extension Handler {
  /// `/livez`, `/readyz`, `/metrics` and `/v1/keys`.
  func answerStatus(_ endpoint: Endpoint, _ worker: WorkerMemory, with response: inout HTTPResponse) {
    let state = worker.view.state
    switch endpoint {
    case .live:
      response.status = 200
      response.writeObject { $0.member("status", "live") }
    case .ready:
      let problem = readinessProblem(state)
      response.status = problem == nil ? 200 : 503
      response.writeObject { $0.member("status", problem ?? "ready") }
    case .metrics:
      response.status = 200
      response.contentType = .prometheus
      var page = MetricsPage(bytes: response.body)
      response.body = []
      page.write(self, state, at: .now)
      response.body = page.bytes
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
  }

  /// Why no caller should come here; nil if all is well.
  private func readinessProblem(_ state: ServingState) -> String? {
    if isDraining.load(ordering: .sequentiallyConsistent) { return "draining" }
    if state.keys.keys.isEmpty { return "no-keys" }
    if table?.isRetired == true { return "replay-memory-unavailable" }
    return nil
  }
}

extension JSONWriter {
  fileprivate mutating func members(of key: TrustedKey) {
    member("fingerprint", key.fingerprint.description)
    member("bits", Int64(key.modulusBits))
    member("warnings", key.warnings(at: .now).map(\.description))
  }
}
