/// A file of this repository that is made of tables: `tools/reference` writes it, and a test compares it.
struct GeneratedFile: Sendable {
  /// Where it is, from the root of the repository.
  let path: String
  /// All of it.
  let text: String
}
