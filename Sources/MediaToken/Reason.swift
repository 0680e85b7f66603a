extension Refusal {
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
    /// The question's requestor is at fault, and not the token's.
    case unservedRequestor = "unserved-requestor"
    case otherResource = "other-resource"
    case resourceNotADocument = "resource-not-a-document"
    case mvpdDenied = "mvpd-denied"
    case mvpdNotListed = "mvpd-not-listed"
    case proxyMVPDNotListed = "proxy-mvpd-not-listed"

    // 7 One use
    case alreadyUsed = "already-used"
    case expiredForReplayMemory = "expired-for-replay-memory"
    case predatesReplayMemory = "predates-replay-memory"

    /// The verdict that a broken rule leads to; never ``TokenVerdict/validToken``.
    public var verdict: TokenVerdict {
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
      case .otherRequestor, .unservedRequestor: .invalidRequestorID
      case .otherResource, .resourceNotADocument: .invalidResourceID
      case .mvpdDenied, .mvpdNotListed, .proxyMVPDNotListed: .mvpdNotAllowed
      case .alreadyUsed: .tokenReplayed
      case .predatesReplayMemory: .tokenPredatesReplayMemory
      }
    }

    /// What is wrong, for people: lower case, no full stop.
    public var sentence: String {
      switch self {
      case .empty: "the text is empty or only white space"
      case .tooLong: "the text is longer than \(Limits.receivedBytes) bytes"
      case .unknownForm: "the text begins neither with <signatureInfo> nor with its percent-encoding or base64"
      case .brokenPercentEscape: "a % is not followed by two hexadecimal digits, in base64 by 2B, 2F or 3D"
      case .base64Character: "a character is not base64"
      case .base64Alphabets: "two base64 alphabets are mixed: + or / with - or _"
      case .base64Padding: "the base64 padding is wrong"
      case .base64TrailingBits: "the unused bits of the last base64 character are not zero"
      case .decodedUnknownForm: "the decoded text does not begin with <signatureInfo>"
      case .signatureMissing: "there is no signature after <signatureInfo>"
      case .signatureNotBase64: "the signature is not padded base64 without line breaks"
      case .secondMarker: "the signature is not followed by <signatureInfo> or </signatureInfo>"
      case .signedBytesMissing: "there are no signed bytes after the second marker"
      case .signatureSize: "the signature is not as long as the modulus of a trusted key"
      case .signatureMismatch: "no trusted key made this signature over these bytes"
      case .notUTF8: "the signed bytes are not UTF-8"
      case .forbiddenCharacter: "there is a control character other than tab and line feed, or U+FFFE or U+FFFF"
      case .forbiddenMarkup: "there is a comment, a processing instruction, a declaration or a DOCTYPE"
      case .brokenTag: "a tag is not a plain ASCII name without attributes, prefix, white space or />"
      case .tagMismatch: "an end tag does not match the open element"
      case .unknownRoot: "the root is neither authToken nor shortAuthorizationToken"
      case .nestedElement: "a field holds an element"
      case .textOutsideFields: "there is more than white space between the fields"
      case .contentOutsideRoot: "there is more than white space before or after the root element"
      case .truncated: "the signed bytes end inside an element"
      case .misplacedCDATA: "there is a CDATA section outside resourceID"
      case .cdataEndInText: "there is a ]]> outside a CDATA section"
      case .unknownReference: "an & begins neither one of the five named escapes nor a numeric reference"
      case .forbiddenReference: "a numeric reference is to a character that XML 1.0 does not allow"
      case .tooManyFields: "there are more than \(Limits.fields) fields"
      case .repeatedField: "a field is repeated"
      case .missingField: "a field is missing"
      case .emptyField: "a field is empty"
      case .unknownField: "there is an unknown field, which this policy refuses"
      case .secondParserRefused: "libxml2 refuses the XML"
      case .ttlForm: "ttl is not 0 or up to twelve digits of milliseconds without a leading zero"
      case .issueTimeForm: "issueTime is not a real date in one of the four accepted forms"
      case .issuedInFuture: "the issue time is further ahead of our clock than the tolerance"
      case .expired: "the token's life has ended"
      case .otherRequestor: "the token was issued for another requestor"
      case .unservedRequestor: "no policy here is for the requestor that was asked about, spelled exactly so"
      case .otherResource: "the token was issued for another resource"
      case .resourceNotADocument:
        "the token's resource is written as a document, but breaks the grammar of documents"
      case .mvpdDenied: "the provider is on the deny list"
      case .mvpdNotListed: "the provider is not on the allow list"
      case .proxyMVPDNotListed: "the token names no proxy provider, or one that is not on the allow list"
      case .alreadyUsed: "the token was used before"
      case .expiredForReplayMemory: "the token's life has ended by the replay memory's latest clock"
      case .predatesReplayMemory: "the token was issued before the moment from which the replay memory vouches"
      }
    }
  }
}
