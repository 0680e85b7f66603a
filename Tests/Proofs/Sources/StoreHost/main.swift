import Glibc
import MediaTokenTesting
import ProofKit
import Synchronization

@testable import MediaToken

// StoreHost sync|async ADDRESS KEYS FINGERPRINT WINDOW TABLE: a host of Tests/Scenarios/stores, through the Swift library.
//
// Standard input has one question per line, `UID REQUEST|- TOKEN`; an empty line has all of them asked at once. `sync` asks from as many
// threads as there are questions, 64 at most, as a server with a pool of threads; `async` from a task for each. The answers come in the
// order of the questions: `first`, `retry`, or the name of the verdict or the fault. ADDRESS `memory:` is InMemoryReplayMemory, and
// `moving:SECOND FROM TO` are two fleets. TABLE is
// the path of a fleet's local table, or empty.

struct Question: Sendable {
  let token: String
  let request: UseRequest?

  init(_ line: String) {
    let fields = line.split(separator: " ")
    guard fields.count == 3, let uid = UInt32(fields[0]) else { fail("expected UID REQUEST|- TOKEN") }
    token = String(fields[2])
    request = fields[1] == "-" ? nil : UseRequest(id: String(fields[1]), callerUID: uid)
  }
}

func answer(_ result: Result<VerifiedToken, Refusal>) -> String {
  switch result {
  case .success(let token): token.use.rawValue
  case .failure(let refusal): refusal.answer.wireName
  }
}

func verifier(
  _ address: String, _ keys: String, _ fingerprint: String, window: Duration, localTable: String?
) -> TokenVerifier {
  guard let weak = Fingerprint(hexadecimal: fingerprint) else { fail("not a fingerprint") }
  let oneUse: OneUse
  if address == "memory:" {
    oneUse = .custom(InMemoryReplayMemory())
  } else if address.hasPrefix("shared:") {
    oneUse = .shared(String(address.dropFirst("shared:".count)), retryWindow: window)
  } else {
    func fleet(_ address: Substring) -> OneUse {
      .fleet(String(address), deadline: .seconds(1), localTable: localTable, retryWindow: window)
    }
    let words = address.split(separator: " ")
    if words.count == 3, let second = Int64(words[0].dropFirst("moving:".count)) {
      let until = UnixTime(millisecondsSinceEpoch: second * 1000)
      oneUse = .moving(from: fleet(words[1]), to: fleet(words[2]), until: until)
    } else {
      oneUse = fleet(address[...])
    }
  }
  do throws(SetupError) {
    return try TokenVerifier(keys: .files(keys), consent: [weak], oneUse: oneUse)
  } catch {
    fail("\(error)")
  }
}

func askThreads(_ questions: [Question], _ path: TokenPath) -> [String] {
  let number = min(64, questions.count)
  let state = Mutex((missing: number, next: 0, answers: [String](repeating: "", count: questions.count)))
  onThreads(number) { _ in
    // All begin together.
    state.withLock { $0.missing -= 1 }
    while state.withLock({ $0.missing > 0 }) { waitAMoment() }
    while true {
      let index = state.withLock { state in
        state.next += 1
        return state.next - 1
      }
      guard index < questions.count else { return }
      let question = questions[index]
      let said = answer(
        Result { () throws(Refusal) in
          try path.verify(
            question.token.utf8Span.span, requestor: "REF30", resource: "TNT", at: .now, request: question.request)
        })
      state.withLock { $0.answers[index] = said }
    }
  }
  return state.withLock { $0.answers }
}

func askTasks(_ questions: [Question], _ verifier: TokenVerifier) async -> [String] {
  let answers = Answers(questions.count)
  await withTaskGroup(of: Void.self) { group in
    for (index, question) in questions.enumerated() {
      group.addTask {
        do throws(Refusal) {
          let token = try await verifier.verify(
            question.token, requestor: "REF30", resource: "TNT", request: question.request)
          answers.set(index, answer(.success(token)))
        } catch {
          answers.set(index, answer(.failure(error)))
        }
      }
    }
  }
  return answers.all
}

/// Of questions that are asked at once.
final class Answers: Sendable {
  private let texts: Mutex<[String]>

  init(_ count: Int) { texts = Mutex([String](repeating: "", count: count)) }

  func set(_ index: Int, _ text: String) { texts.withLock { $0[index] = text } }

  var all: [String] { texts.withLock { $0 } }
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 6, ["sync", "async"].contains(arguments[0]), let window = Int(arguments[4]) else {
  fail("usage: StoreHost sync|async ADDRESS KEYS FINGERPRINT WINDOW TABLE")
}
let host = verifier(
  arguments[1], arguments[2], arguments[3], window: .seconds(window),
  localTable: arguments[5].isEmpty ? nil : arguments[5])
Task { try? await host.run() }
var questions: [Question] = []
while let line = readLine() {
  guard line.isEmpty else {
    questions.append(Question(line))
    continue
  }
  let said =
    arguments[0] == "sync" ? askThreads(questions, host.trusted.path) : await askTasks(questions, host)
  questions = []
  say(said.joined(separator: "\n"))
}
