/// How much of an answer's head `/v1/auth` may take.
enum AuthHeaderLimits {
  /// How many bytes a token's names may take together, encoded. A proxy refuses an answer whose head it has no room for,
  /// and then the token is spent: nginx has one page of memory, 4 KiB, unless told otherwise (`proxy_buffer_size`), and
  /// everything else in a head takes less than 1 KiB.
  static let names = 3072

  /// How many of these bytes a credential and its cookies may take. What is left is enough for four names of 128 bytes.
  static let handover = names - 512
}
