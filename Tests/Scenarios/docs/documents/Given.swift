// What the documents' blocks take from the program around them.
import MediaToken

let received = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ""
let (requestorID, resourceID) = ("REF30", "TNT")
/// The fingerprint of Adobe's key, which has 1024 bits and needs consent.
let adobe = Fingerprint(hexadecimal: String(repeating: "0", count: 64))!

func play(_ resource: String, for mvpd: String) { print("plays \(resource) for \(mvpd)") }
func startPlayback(_ resource: String) { print("plays \(resource)") }
func serve(_ verifier: TokenVerifier) async throws {}
