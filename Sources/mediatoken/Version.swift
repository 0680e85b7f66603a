/// The version of the command line and of everything built with it.
enum Version {
  static let current = "0.1.0"
}
