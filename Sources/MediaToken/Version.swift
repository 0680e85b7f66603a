/// The version of the command line, the daemon, and everything built with them.
package enum Version {
  package static let current = "0.1.0"
}
