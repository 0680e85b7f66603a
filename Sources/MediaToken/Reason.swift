/// The rule that a refused token broke. The raw values are stable: scripts and dashboards rely on them.
public enum Reason: String, Sendable, Hashable, CaseIterable {
  // 1 Armor
  case empty
  case tooLong = "too-long"
  case unknownForm = "unknown-form"
  case brokenPercentEscape = "broken-percent-escape"
  case base64Character = "base64-character"
  case base64Alphabets = "base64-alphabets"
  case base64Padding = "base64-padding"
  case base64TrailingBits = "base64-trailing-bits"
  case decodedUnknownForm = "decoded-unknown-form"

  // 2 Envelope
  case signatureMissing = "signature-missing"
  case signatureNotBase64 = "signature-not-base64"
  case secondMarker = "second-marker"
  case signedBytesMissing = "signed-bytes-missing"

  // 3 Signature
  case signatureSize = "signature-size"
  case signatureMismatch = "signature-mismatch"

  // 4 Fields
  case notUTF8 = "not-utf8"
  case forbiddenCharacter = "forbidden-character"
  case forbiddenMarkup = "forbidden-markup"
  case brokenTag = "broken-tag"
  case tagMismatch = "tag-mismatch"
  case unknownRoot = "unknown-root"
  case nestedElement = "nested-element"
  case textOutsideFields = "text-outside-fields"
  case contentOutsideRoot = "content-outside-root"
  case truncated
  case misplacedCDATA = "misplaced-cdata"
  case cdataEndInText = "cdata-end-in-text"
  case unknownReference = "unknown-reference"
  case forbiddenReference = "forbidden-reference"
  case tooManyFields = "too-many-fields"
  case repeatedField = "repeated-field"
  case missingField = "missing-field"
  case emptyField = "empty-field"
  case unknownField = "unknown-field"
  case secondParserRefused = "second-parser-refused"

  // 5 Lifetime
  case ttlForm = "ttl-form"
  case issueTimeForm = "issue-time-form"
  case issuedInFuture = "issued-in-future"
  case expired

  // 6 Binding
  case otherRequestor = "other-requestor"
  case otherResource = "other-resource"
  case mvpdDenied = "mvpd-denied"
  case mvpdNotListed = "mvpd-not-listed"

  // 7 One use
  case alreadyUsed = "already-used"
  case expiredForReplayMemory = "expired-for-replay-memory"
  case predatesReplayMemory = "predates-replay-memory"

  /// The verdict that a broken rule leads to; never ``Verdict/validToken``.
  public var verdict: Verdict {
    switch self {
    case .empty, .tooLong, .unknownForm, .brokenPercentEscape, .base64Character, .base64Alphabets,
      .base64Padding, .base64TrailingBits, .decodedUnknownForm, .signatureMissing, .signatureNotBase64,
      .secondMarker, .signedBytesMissing, .notUTF8, .forbiddenCharacter, .forbiddenMarkup, .brokenTag,
      .tagMismatch, .unknownRoot, .nestedElement, .textOutsideFields, .contentOutsideRoot, .truncated,
      .misplacedCDATA, .cdataEndInText, .unknownReference, .forbiddenReference, .tooManyFields,
      .repeatedField, .missingField, .emptyField, .unknownField, .secondParserRefused, .ttlForm,
      .issueTimeForm:
      .invalidTokenFormat
    case .signatureSize, .signatureMismatch: .invalidSignature
    case .issuedInFuture: .tokenNotYetValid
    case .expired, .expiredForReplayMemory: .tokenExpired
    case .otherRequestor: .invalidRequestorID
    case .otherResource: .invalidResourceID
    case .mvpdDenied, .mvpdNotListed: .mvpdNotAllowed
    case .alreadyUsed: .tokenReplayed
    case .predatesReplayMemory: .tokenPredatesReplayMemory
    }
  }

  /// What was expected and what was found instead, for people: lower case, no full stop.
  public var sentence: String {
    switch self {
    case .empty: "expected a token, found nothing but white space"
    case .tooLong: "expected at most \(Limits.receivedBytes) bytes"
    case .unknownForm: "expected text that begins <signatureInfo>, its percent-encoding or its base64"
    case .brokenPercentEscape: "expected two hexadecimal digits after %, in base64 only %2B, %2F or %3D"
    case .base64Character: "expected a base64 character"
    case .base64Alphabets: "expected one base64 alphabet, found + or / together with - or _"
    case .base64Padding: "expected base64 with the right padding or none"
    case .base64TrailingBits: "expected zeros in the unused bits of the last base64 character"
    case .decodedUnknownForm: "expected the decoded text to begin <signatureInfo>"
    case .signatureMissing: "expected a signature after <signatureInfo>, found none"
    case .signatureNotBase64: "expected the signature as padded base64 without line breaks"
    case .secondMarker: "expected <signatureInfo> or </signatureInfo> behind the signature"
    case .signedBytesMissing: "expected signed bytes behind the second marker, found none"
    case .signatureSize: "expected a signature as long as a trusted key's modulus"
    case .signatureMismatch: "expected a signature that a trusted key made over these bytes"
    case .notUTF8: "expected UTF-8"
    case .forbiddenCharacter: "expected no control character but tab and line feed, no U+FFFE, no U+FFFF"
    case .forbiddenMarkup: "expected no comment, processing instruction, declaration or DOCTYPE"
    case .brokenTag: "expected a tag of a plain ASCII name, without attributes, prefix, white space or />"
    case .tagMismatch: "expected the end tag of the element that is open"
    case .unknownRoot: "expected the root authToken or shortAuthorizationToken"
    case .nestedElement: "expected fields that hold text only, found an element in one"
    case .textOutsideFields: "expected only white space between the fields"
    case .contentOutsideRoot: "expected only white space before and after the root element"
    case .truncated: "expected more: the signed bytes end inside an element"
    case .misplacedCDATA: "expected a CDATA section in resourceID only"
    case .cdataEndInText: "expected no ]]> outside a CDATA section"
    case .unknownReference: "expected one of the five named escapes or a numeric reference after &"
    case .forbiddenReference: "expected a numeric reference to a character that XML 1.0 allows"
    case .tooManyFields: "expected at most \(Limits.fields) fields"
    case .repeatedField: "expected each field once, found one twice"
    case .missingField: "expected a field that is not there"
    case .emptyField: "expected text in a field that is empty"
    case .unknownField: "expected only known fields, as this policy demands"
    case .secondParserRefused: "expected XML that libxml2 accepts as well"
    case .ttlForm: "expected ttl as 0 or up to twelve digits of milliseconds without a leading zero"
    case .issueTimeForm: "expected issueTime in one of the four accepted forms, with a real date"
    case .issuedInFuture: "expected an issue time that is not ahead of our clock by more than the tolerance"
    case .expired: "expected a token whose life has not ended"
    case .otherRequestor: "expected the requestor that the caller serves, found another one"
    case .otherResource: "expected the resource that is about to be played, found another one"
    case .mvpdDenied: "expected a provider that is not on the deny list"
    case .mvpdNotListed: "expected a provider on the allow list"
    case .alreadyUsed: "expected a token that nobody used before"
    case .expiredForReplayMemory: "expected a token that lives by the replay memory's latest clock"
    case .predatesReplayMemory: "expected a token issued after the moment from which the replay memory vouches"
    }
  }
}
