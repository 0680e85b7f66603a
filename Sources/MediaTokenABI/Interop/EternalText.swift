internal import Glibc

/// A text for C that is never freed, because there is no moment at which a program is done with it.
@safe struct EternalText: Sendable {
  // SAFETY: a copy that is never freed or written to, ended by NUL.
  nonisolated(unsafe) let pointer: UnsafePointer<CChar>?

  init(_ text: String) {
    unsafe pointer = UnsafePointer(strdup(text))
  }
}
