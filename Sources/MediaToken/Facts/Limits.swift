/// Every fixed bound of the library, each with its reason.
///
/// An operator's choices are in ``TokenPolicy``; these bounds are not for tuning.
package enum Limits {
  /// The longest received text in bytes, counted before anything else (<doc:TokenFormat>, "Forms accepted"). A real
  /// token is under 2 KiB; the room is for resources that are whole MRSS documents.
  package static let receivedBytes = 65_536

  /// The most child elements of a token's root (<doc:TokenFormat>, "Fields"). Seven are documented.
  package static let fields = 32

  /// The most elements of a resource that is a document, the root among them (<doc:ResourceDocuments>, "Limits"). A document
  /// for one asset has six or seven; the bound is on what comparing can cost.
  package static let documentElements = 512

  /// The most attributes and namespace declarations, counted together, of one element of a resource that is a document. The
  /// documented ones have one or two.
  package static let documentAttributes = 8

  /// The longest decoded text of an element or attribute of a resource that is a document, in bytes: as much as a title, a
  /// link or a rating can need.
  package static let documentTextBytes = 4096

  /// The most trusted keys (<doc:TokenFormat>, "Signature"): each key of one size may cost a verification.
  package static let trustedKeys = 16

  /// The smallest RSA modulus in bits that is trusted without consent: NIST SP 800-131A, revision 2.
  package static let ordinaryModulusBits = 2048

  /// The smallest RSA modulus in bits that consent can admit: the size of Adobe's production key.
  package static let consentedModulusBits = 1024

  /// The largest RSA modulus in bits. Bounds what one verification may cost.
  package static let largestModulusBits = 4096

  /// The longest signature in bytes that any trusted key can have made: one modulus of ``largestModulusBits``.
  package static let signatureBytes = largestModulusBits / 8

  /// The largest key file in bytes. A keystore with 16 certificates stays under 64 KiB.
  package static let keyFileBytes = 1 << 20

  /// The most key files read from one folder, so that a wrong folder is an error and not a long wait.
  package static let keyFilesPerFolder = 256

  /// The longest `ttl` or `issueTime` text that can be well formed, in bytes:
  /// `yyyy-MM-ddTHH:mm:ss.SSS+HH:MM` and `yyyy/MM/dd HH:mm:ss GMT +HHMM` have 29.
  static let shortTextBytes = 32

  /// The longest tolerance or life of a ``TokenPolicy``: one day. Short media tokens live for minutes, and more than a
  /// day is a mistake, most likely of units.
  package static let policySpanMilliseconds: Int64 = 86_400_000

  /// The retry window of a replay memory, in milliseconds: as long as a token may live.
  package static let retryWindows = 0...policySpanMilliseconds

  /// The most sets of working memory that a verifier keeps for reuse when its callers are idle.
  static let idleParserContexts = 64
}
