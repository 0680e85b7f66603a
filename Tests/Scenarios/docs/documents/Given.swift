// What the documents' blocks take from the program around them.
import Glibc
import MediaToken

let received = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ""
let (requestorID, resourceID) = ("REF30", "TNT")
/// The fingerprint of Adobe's key, which has 1024 bits and needs consent.
let adobe = Fingerprint(hexadecimal: String(repeating: "0", count: 64))!
let policy = Policy.standard
func keysOfTheArticle() throws -> TrustedKeys {
  try TrustedKeys(readingFiles: ["/etc/mediatoken/keys"], consent: .none)
}

func play(_ resource: String, for mvpd: String) { print("plays \(resource) for \(mvpd)") }
func startPlayback(_ resource: String) { print("plays \(resource)") }
func log(_ verdict: Verdict, _ reason: Reason?, _ token: String?) {
  print("log: \(verdict.answer.wireName) \(token ?? "-")")
}
func answer(_ status: Int) { print("answers \(status)") }
func refuse(_ status: Int, _ name: String) { print("refuses with \(status) \(name)") }
func log(_ verdict: String) { print("log: \(verdict)") }
