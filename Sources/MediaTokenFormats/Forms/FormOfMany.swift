internal import MediaToken

extension Form {
  /// These values, or none.
  package var optional: Form<Value?> {
    Form<Value?>(kind, read: { (given) throws(Problem) in try read(given) }, written: { $0.flatMap(written) })
  }

  /// These values as text, or an object that says more.
  package func or(_ section: Form) -> Form {
    let either = FormKind.either(kind, section.kind)
    return Form(
      either,
      read: { (given) throws(Problem) in
        switch given.json.value {
        case .string: try read(given)
        case .object: try section.read(given)
        default: throw given.isNone(of: either)
        }
      }, written: written)
  }

  /// An array.
  ///
  /// - Parameters:
  ///   - least: how many there must be.
  ///   - cure: what to do instead of writing an empty one.
  package static func list<Element>(
    of element: Form<Element>, least: Int = 0, orElse cure: String? = nil
  ) -> Form where Value == [Element] {
    let kind = FormKind.list(of: element.kind, least: least)
    return Form(
      kind,
      read: { (given) throws(Problem) in
        let elements = try given.elements(kind)
        guard elements.count >= least else {
          throw given.error("expected at least \(least) entry, found none", cure: cure)
        }
        let values = try elements.map { (given) throws(Problem) in try element.read(given) }
        if element.kind.isText { try given.checkForRepetition(elements) }
        return values
      },
      written: { values in
        let written = values.compactMap(element.written)
        return values.count < least || written.count < values.count
          ? nil : .array(written.map { JSONTree(value: $0) })
      })
  }

  /// The set of what is listed.
  package static func set<Element: Hashable>(
    of element: Form<Element>, least: Int = 0
  ) -> Form where Value == Set<Element> {
    let list = Form<[Element]>.list(of: element, least: least)
    return Form(
      list.kind, read: { (given) throws(Problem) in Set(try list.read(given)) },
      written: { list.written($0.sorted { "\($0)" < "\($1)" }) })
  }
}
