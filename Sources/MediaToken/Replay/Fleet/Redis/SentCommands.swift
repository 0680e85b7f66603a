/// The commands of a connection that wait for their replies, in the order in which they were sent: replies come in the same.
struct SentCommands {
  /// What a reply is to.
  enum Question {
    case authentication
    case server, replication, cluster
    case script
    case birth
    /// A batch, and whether it is sent for the second time.
    case claims(ClaimBatch, number: UInt64, isAgain: Bool)
  }

  private struct Command {
    let question: Question
    let time: UInt64
  }

  private var commands: [Command] = []
  private var first = 0

  var count: Int { commands.count - first }

  /// When the one was sent that waits longest.
  var oldest: UInt64? { count > 0 ? commands[first].time : nil }

  mutating func add(_ question: Question, at time: UInt64) {
    commands.append(Command(question: question, time: time))
  }

  /// The one that waits longest.
  var next: Question? { count > 0 ? commands[first].question : nil }

  /// The one that waits longest has its reply.
  mutating func removeNext() {
    first += 1
    // So that a connection that always has commands under way does not keep all of them.
    if first == commands.count || first >= ConnectionTimes.mostCommands {
      commands.removeFirst(first)
      first = 0
    }
  }

  mutating func removeAll() {
    commands.removeAll()
    first = 0
  }
}
