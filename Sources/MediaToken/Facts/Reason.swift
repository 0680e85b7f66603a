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
  }
}

extension Reason {
  /// The verdict that a broken rule leads to; never ``TokenVerdict/validToken``.
  public var verdict: TokenVerdict { row.kind.verdict }

  /// The next thing to do about a token that broke this rule; never ``TokenVerdict/Action/nothing``.
  public var action: TokenVerdict.Action { row.kind.action }

  /// The fact, for people: lower case, no full stop.
  public var sentence: String { row.sentence }

  /// For an operator or a developer.
  package var cure: Cure { row.cure }

  /// The party at fault, or the next comparison to make: a sentence for the support desk.
  package var meaning: String { row.kind.meaning }

  /// The words for a viewer. They name no rule, no field and no number. The article SupportDesk prints these sentences,
  /// and a test compares the two.
  package var viewerSentence: String { row.kind.viewerSentence }
}

// MARK: - the table

private struct Row {
  let kind: ReasonFamily
  let sentence: String
  let cure: Cure

  /// `next`: the cure, where it is not that of the kind.
  init(_ kind: ReasonFamily, _ sentence: String, next: Cure? = nil) {
    (self.kind, self.sentence, cure) = (kind, sentence, next ?? kind.cure)
  }
}

/// The common part of all reasons of one kind. <doc:Actions> and <doc:TokenFormat> print it.
private struct ReasonFamily {
  let verdict: Verdict
  let action: Action
  let cure: Cure
  let meaning: String
  let viewerSentence: String

  private init(
    _ verdict: Verdict, _ action: Action, next: Cure,
    meaning: String = "What is wrong is in the token, or in how it was sent.", viewer: String? = nil
  ) {
    (self.verdict, self.action, cure, self.meaning) = (verdict, action, next, meaning)
    viewerSentence = viewer ?? action.viewerSentence
  }

  /// Not a token, or no longer one as it arrived: the client may have been given a good one.
  static let noToken = ReasonFamily(
    .invalidTokenFormat, .newToken,
    next: "send the token exactly as Adobe's client returned it, encoded once at most")
  static let recoded = ReasonFamily(
    .invalidTokenFormat, .newToken,
    next: "look for something on the way that cuts off, decodes or encodes the token a second time")
  static let repaired = ReasonFamily(
    .invalidTokenFormat, .newToken,
    next: "look for something on the way that repairs the markers as if the token were XML: it is not")
  static let signature = ReasonFamily(
    .invalidSignature, .report,
    next:
      "list the trusted keys with mediatoken keys list, and look for something on the way that changes the token")
  static let brokenToken = ReasonFamily(
    .invalidTokenFormat, .report,
    next: "keep the token and ask Adobe: a trusted key signed something that breaks the format")
  /// Time alone cures it.
  static let early = ReasonFamily(
    .tokenNotYetValid, .retry,
    next: Cure("compare this machine's clock with the issue time, or raise \(Setting.futureTolerance.name)"),
    meaning: "The token may be good: its issue time and the clock here do not agree, and one of them is wrong.")
  static let late = ReasonFamily(
    .tokenExpired, .newToken, next: askForFresh, meaning: "The token was good, and its life is over.",
    viewer: "The permission to play had run out before the video started. Please start it again from the app.")
  static let requestor = ReasonFamily(
    .invalidRequestorID, .report, next: "compare the two requestors byte by byte: upper case matters",
    meaning: isForAnother,
    viewer:
      "The app asked for permission to play from another service. Trying again will not help: we have to look into this."
  )
  /// The question is at fault, and not the token.
  static let question = ReasonFamily(
    .invalidRequestorID, .report,
    next:
      "ask for a requestor that is in the configuration's tenants, in exactly that spelling: upper case matters; or add a tenant for it",
    meaning:
      "The token may be good: it was compared with nothing. Before you tell the viewer anything, name the requestor as the configuration does, where upper case matters."
  )
  static let resource = ReasonFamily(
    .invalidResourceID, .newToken,
    next: "compare the two resources byte by byte: upper case, spaces and accents matter", meaning: isForAnother,
    viewer: "The app asked for permission to play something else. Please choose the video again, and start it.")
  static let provider = ReasonFamily(
    .mvpdNotAllowed, .report,
    next: Cure { "add the provider with \($0.rule(.allowedProviders)), if it should be accepted" },
    meaning: "The token is genuine. The lists of providers here do not accept its provider.",
    viewer: "This video is not available with your TV provider.")
  static let used = ReasonFamily(
    .tokenReplayed, .newToken, next: askForFresh,
    meaning: "The token was good, and was used already: for an earlier start, or as a copy.",
    viewer:
      "This permission to play has been used: each start of a video needs a new one. Please start it again from the app."
  )
  static let predates = ReasonFamily(
    .tokenPredatesReplayMemory, .newToken, next: askForFresh,
    meaning: "The token may be good: the replay memory here is newer, and cannot know whether it was used before.")

  private static let askForFresh: Cure = "ask the client for a fresh token"
  private static let isForAnother =
    "The token is for something that the question does not name. Look which of the two is wrong: both are below."
}

extension Reason {
  private var row: Row {
    switch self {
    // 1 Armor
    case .empty:
      Row(.noToken, "the text is empty or only white space", next: "find out why the client sent no token")
    case .tooLong:
      Row(
        .noToken, "the text is longer than \(Limits.receivedBytes) bytes",
        next: "send the token alone, without anything around it")
    case .unknownForm:
      Row(.noToken, "the text begins neither with <signatureInfo> nor with its percent-encoding or base64")
    case .brokenPercentEscape:
      Row(.recoded, "a % is not followed by two hexadecimal digits, in base64 by 2B, 2F or 3D")
    case .base64Character: Row(.recoded, "a character is not base64")
    case .base64Alphabets: Row(.recoded, "two base64 alphabets are mixed: + or / with - or _")
    case .base64Padding: Row(.recoded, "the base64 padding is wrong")
    case .base64TrailingBits: Row(.recoded, "the unused bits of the last base64 character are not zero")
    case .decodedUnknownForm: Row(.noToken, "the decoded text does not begin with <signatureInfo>")
    // 2 Envelope
    case .signatureMissing: Row(.repaired, "there is no signature after <signatureInfo>")
    case .signatureNotBase64: Row(.repaired, "the signature is not padded base64 without line breaks")
    case .secondMarker: Row(.repaired, "the signature is not followed by <signatureInfo> or </signatureInfo>")
    case .signedBytesMissing: Row(.repaired, "there are no signed bytes after the second marker")
    // 3 Signature
    case .signatureSize: Row(.signature, "the signature is not as long as the modulus of a trusted key")
    case .signatureMismatch: Row(.signature, "no trusted key made this signature over these bytes")
    // 4 Fields
    case .notUTF8: Row(.brokenToken, "the signed bytes are not UTF-8")
    case .forbiddenCharacter:
      Row(.brokenToken, "there is a control character other than tab and line feed, or U+FFFE or U+FFFF")
    case .forbiddenMarkup:
      Row(.brokenToken, "there is a comment, a processing instruction, a declaration or a DOCTYPE")
    case .brokenTag:
      Row(.brokenToken, "a tag is not a plain ASCII name without attributes, prefix, white space or />")
    case .tagMismatch: Row(.brokenToken, "an end tag does not match the open element")
    case .unknownRoot:
      Row(
        .brokenToken, "the root is neither authToken nor shortAuthorizationToken",
        next: "send the short media token; another kind of token was signed by the same key")
    case .nestedElement: Row(.brokenToken, "a field holds an element")
    case .textOutsideFields: Row(.brokenToken, "there is more than white space between the fields")
    case .contentOutsideRoot: Row(.brokenToken, "there is more than white space before or after the root element")
    case .truncated: Row(.brokenToken, "the signed bytes end inside an element")
    case .misplacedCDATA: Row(.brokenToken, "there is a CDATA section outside resourceID")
    case .cdataEndInText: Row(.brokenToken, "there is a ]]> outside a CDATA section")
    case .unknownReference:
      Row(.brokenToken, "an & begins neither one of the five named escapes nor a numeric reference")
    case .forbiddenReference: Row(.brokenToken, "a numeric reference is to a character that XML 1.0 does not allow")
    case .tooManyFields: Row(.brokenToken, "there are more than \(Limits.fields) fields")
    case .repeatedField: Row(.brokenToken, "a field is repeated")
    case .missingField: Row(.brokenToken, "a field is missing")
    case .emptyField: Row(.brokenToken, "a field is empty")
    case .unknownField:
      Row(
        .brokenToken, "there is an unknown field, which this policy refuses",
        next: Cure { "allow unknown fields with \($0.rule(.unknownFields)) report" })
    case .secondParserRefused: Row(.brokenToken, "libxml2 refuses the XML")
    // 5 Lifetime
    case .ttlForm: Row(.brokenToken, "ttl is not 0 or up to twelve digits of milliseconds without a leading zero")
    case .issueTimeForm: Row(.brokenToken, "issueTime is not a real date in one of the four accepted forms")
    case .issuedInFuture:
      Row(.early, "the issue time is further ahead of our clock than the tolerance")
    case .expired:
      Row(
        .late, "the token's life has ended",
        next: "ask the client for a fresh token; if it was fresh, compare this machine's clock with the issue time")
    // 6 Binding
    case .otherRequestor:
      Row(.requestor, "the token was issued for another requestor")
    case .unservedRequestor:
      Row(.question, "no policy here is for the requestor that was asked about, spelled exactly so")
    case .otherResource:
      Row(.resource, "the token was issued for another resource")
    case .resourceNotADocument:
      Row(
        .resource, "the token's resource is written as a document, but breaks the grammar of documents",
        next: Cure {
          "ask the client's developers for a document that keeps to the grammar, or expect exactly this text with \($0.part(.resource))"
        })
    case .mvpdDenied:
      Row(
        .provider, "the provider is on the deny list",
        next: Cure { "remove the provider from \($0.rule(.deniedProviders)), if it should be accepted" })
    case .mvpdNotListed:
      Row(.provider, "the provider is not on the allow list")
    case .proxyMVPDNotListed:
      Row(
        .provider, "the token names no proxy provider, or one that is not on the allow list",
        next: Cure {
          "add the proxy provider with \($0.rule(.allowedProxies)), or leave that out if viewers also come without a proxy"
        })
    // 7 One use
    case .alreadyUsed: Row(.used, "the token was used before")
    case .expiredForReplayMemory: Row(.late, "the token's life has ended by the replay memory's latest clock")
    case .predatesReplayMemory:
      Row(.predates, "the token was issued before the moment from which the replay memory vouches")
    }
  }
}

// The package calls it by a short name; the public one does not collide in an application.
package typealias Reason = Refusal.Reason
