// swift-tools-version: 6.2
import PackageDescription

/// One libFuzzer program per kind of input. `run` builds and runs them; libFuzzer brings its own main.
func fuzzer(_ name: String, of modules: [String] = ["MediaToken"]) -> Target {
  .executableTarget(
    name: name,
    dependencies: modules.map { .product(name: $0, package: "mediatoken") },
    swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-parse-as-library"])])
}

let package = Package(
  name: "mediatoken-fuzz",
  dependencies: [.package(name: "mediatoken", path: "../..")],
  targets: [
    fuzzer("FuzzEnvelope"), fuzzer("FuzzFields"), fuzzer("FuzzDocuments"), fuzzer("FuzzKeys"),
    fuzzer("FuzzCauses", of: ["MediaToken", "MediaTokenFormats"]), fuzzer("FuzzHead", of: ["MediaTokenHTTP"]),
    fuzzer("FuzzConnection", of: ["MediaTokenHTTP"]),
  ]
)
