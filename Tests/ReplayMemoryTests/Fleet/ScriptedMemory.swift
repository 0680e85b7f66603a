import Foundation

@testable import MediaToken

extension FleetMemory {
  /// A fleet of three nodes that vouch for everything.
  static func scripted(
    _ engine: ScriptedEngine = .vouching(), retryWindow: Int64 = 0, handshake: Int = 1, deadline: Int = 1000,
    localTable: FleetOptions.LocalTable? = nil
  ) throws -> FleetMemory {
    try FleetMemory(
      .scripted(nodes: engine.stores.count, retryWindow: retryWindow, deadline: deadline, localTable: localTable),
      handshakeMilliseconds: handshake
    ) { _, _ in engine }
  }
}

extension ScriptedEngine {
  /// Nodes that have a connection as soon as they are made.
  static func vouching(_ prepare: @escaping @Sendable (ScriptedNode) -> Void = { _ in }) -> ScriptedEngine {
    ScriptedEngine(nodes: 3) { node in
      _ = node.record.connectionOpened(
        HandshakeResult(
          from: 0, clockOffsetSeconds: 0, isStarted: false, process: "process \(node.number)", timeline: nil))
      prepare(node)
    }
  }
}

/// When `claim(_:)` says that it is made.
let timeOfClaims = Instant(millisecondsSinceEpoch: 1_700_000_000_000)

/// A folder of a test's own.
final class TestFolder: Sendable {
  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/mediatoken-fleet-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func path(_ name: String) -> String { folder + "/" + name }
}
