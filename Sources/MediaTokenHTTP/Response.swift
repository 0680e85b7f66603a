internal import MediaTokenSystem

/// An answer being written. One such value serves one request after another and keeps its memory.
package struct Response: Sendable, Redacted {
  /// The status code. Starts as 503: a handler that forgets to set it admits no viewer.
  package var status: UInt16 = 503
  /// What `Content-Type` says, where there is a body.
  package var contentType: StaticString = "application/json"
  /// Fields other than `Content-Type`, `Content-Length` and `Connection`: names of the program's own, values of one byte or
  /// more without control characters.
  package var fields: [(name: StaticString, value: [UInt8])] = []
  /// The body.
  package var body: [UInt8] = []
  /// Whether the connection ends with this answer.
  package var endsConnection = false

  package init() {}

  /// Forgets the last answer and keeps the memory, except what only a large body needed.
  mutating func reset() {
    status = 503
    contentType = "application/json"
    if !fields.isEmpty { fields.removeAll(keepingCapacity: true) }
    if body.capacity > HTTPLimits.keptBytes { body = [] } else { body.removeAll(keepingCapacity: true) }
    endsConnection = false
  }
}
