/// The limits of the head of an answer of `/v1/auth`.
enum AuthHeaderLimits {
  /// The bytes of a token's names together, encoded. A proxy refuses an answer whose head it has no room for, and then
  /// the token is spent: nginx has one page of memory, 4 KiB, unless told otherwise (`proxy_buffer_size`), and
  /// everything else in a head takes less than 1 KiB.
  static let names = 3072

  /// The bytes of these for a credential and its cookies. The rest is enough for four names of 128 bytes.
  static let handover = names - 512
}
