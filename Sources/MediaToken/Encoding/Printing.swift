internal import MediaTokenSystem

// What `print`, `dump`, `String(reflecting:)` and a crash's message show.

extension VerifiedToken: CustomStringConvertible, CustomReflectable {
  /// The token's name, and for whom it was issued; never the viewer.
  public var description: String {
    let names = [("requestor", requestorID), ("resource", resourceID), ("mvpd", mvpdID)].map { name, text in
      "\(name) \"\(DisplayText.escaped(text.text, limit: DisplayText.nameCharacters))\""
    }
    return "token \(identity.logName): \(names.joined(separator: ", "))"
  }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension UseRequest: CustomStringConvertible, CustomReflectable {
  /// Who asks; never what the request is called.
  public var description: String { "a request of user \(callerUID)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension KeyFile: CustomStringConvertible, CustomReflectable {
  /// The file's name; nothing of what is in it.
  public var description: String { "the key file \(DisplayText.escaped(name))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Refusal: CustomStringConvertible {
  /// The verdict, the rule and the sentence; of a fault its name.
  public var description: String {
    switch self {
    case .rejected(let rejection): rejection.description
    case .undecided(let fault): "\(fault.answer.wireName): no verdict"
    case .cancelled: "cancelled: no verdict"
    }
  }
}

extension Rejection: CustomStringConvertible {
  /// The verdict, the rule and the sentence.
  public var description: String { "\(verdict.answer.wireName) (\(reason.rawValue)): \(detail)" }
}
