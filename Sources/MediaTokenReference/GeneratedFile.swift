/// A file of this repository that is made of tables: `tools/reference` writes it, and a test compares it.
package struct GeneratedFile: Sendable {
  /// Where it is, from the root of the repository.
  package let path: String
  /// All of it.
  package let text: String
}
