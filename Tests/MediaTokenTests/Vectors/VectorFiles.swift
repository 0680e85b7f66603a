import Foundation
import MediaToken
import Synchronization

/// Whether tests try everything (`MEDIATOKEN_THOROUGH=true`, as `Tests/run --rest` has it), and not a part that takes seconds.
let isThorough = ProcessInfo.processInfo.environment["MEDIATOKEN_THOROUGH"] == "true"

/// The files of `Tests/Vectors`.
enum VectorFiles {
  /// The vectors of the format's other implementations, and our own.
  static let shared = load("shared")
  static let own = load("own")
  static let all = shared + own

  /// The vector of this name.
  static func named(_ name: String) throws -> Vector {
    guard let vector = all.first(where: { $0.name == name }) else { throw CocoaError(.fileNoSuchFile) }
    return vector
  }

  /// A verifier with the vector's keys and policy, in which one use is not enforced: made once for all vectors that have the
  /// same, as OpenSSL takes milliseconds to check a key.
  static func verifier(for vector: Vector) throws -> TokenPath {
    let asked = Asked(keys: vector.keys, policy: vector.policy)
    if let made = verifiers.withLock({ $0[asked] }) { return made }
    let files = try vector.keys.map { name in
      KeyFile(name: name, bytes: Array(try Data(contentsOf: folder.appending(path: "shared/keys/\(name)"))))
    }
    // Some vectors have production's keys of 1024 bits: here the consent for tools is enough.
    let keys = try TrustedKeys(parsing: files, consent: .any)
    let made = try TokenPath(trustedKeys: keys, policy: vector.policy, replayMemory: .none)
    verifiers.withLock { $0[asked] = made }
    return made
  }

  private struct Asked: Hashable {
    let keys: [String]
    let policy: Policy
  }

  private static let verifiers = Mutex<[Asked: TokenPath]>([:])

  private static let folder = URL(filePath: #filePath).appending(path: "../../../Vectors").standardizedFileURL

  /// A folder that is missing, or a file that is not a vector, ends the tests: to skip it would be to pass it.
  private static func load(_ part: String) -> [Vector] {
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: part).path)
      return try names.filter { $0.hasSuffix(".token") }.sorted().map { name in
        let file = try Data(contentsOf: folder.appending(path: "\(part)/\(name)"))
        return try Vector(name: "\(part)/\(name)", file: Array(file))
      }
    } catch {
      fatalError("Tests/Vectors/\(part): \(error)")
    }
  }
}
