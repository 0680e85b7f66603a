// swift-tools-version: 6.2
import PackageDescription

/// One libFuzzer program per kind of input. `run` builds and runs them; libFuzzer brings its own main.
func fuzzer(_ name: String, of module: String = "MediaToken") -> Target {
  .executableTarget(
    name: name,
    dependencies: [.product(name: module, package: "mediatoken")],
    swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-parse-as-library"])])
}

let package = Package(
  name: "mediatoken-fuzz",
  dependencies: [.package(name: "mediatoken", path: "../..")],
  targets: [
    fuzzer("FuzzEnvelope"), fuzzer("FuzzFields"), fuzzer("FuzzDocuments"), fuzzer("FuzzKeys"),
    fuzzer("FuzzHead", of: "MediaTokenHTTP"), fuzzer("FuzzConnection", of: "MediaTokenHTTP"),
  ]
)
