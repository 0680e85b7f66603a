#!/usr/bin/env bash
# What the steps of a verification hand to each other is a matter of types: the compiler refuses a program that takes a
# shortcut. Each one here is compiled against the built library, and so is one that takes the whole way.
source "$(dirname "$0")/../lib/scenario.sh"
needs swiftc pkg-config
modules=$(dirname "$(readlink -f "$MEDIATOKEN")")/Modules
[[ -e $modules/MediaToken.swiftmodule ]] || skip "expected the build's Modules next to $MEDIATOKEN"
# What Swift's package manager calls the package of the folder that was built.
package=$(basename "${modules%/.build/*}" | tr '[:upper:]' '[:lower:]' | tr -c '[:alnum:]\n' _)
options=(-typecheck -swift-version 6 -package-name "$package" -enable-experimental-feature Lifetimes -I "$modules")
for module in CLinux CLibCrypto CLibHiredis CLibPQ CLibXML2 CMemoryGuard/include; do options+=(-I "$repository/Sources/$module"); done
for option in $(pkg-config --cflags libcrypto libxml-2.0); do options+=(-Xcc "$option"); done

# compiled BODY: of a function that has something of every step.
compiled() {
  cat >"$work/way.swift" <<END
import MediaToken

func way(
  _ bytes: Span<UInt8>, _ envelope: borrowing Envelope, _ hashed: borrowing HashedEnvelope,
  _ verified: borrowing VerifiedBytes, _ unverified: UnverifiedFields, _ identity: TokenIdentity,
  _ keys: inout [VerificationKey], _ hasher: inout SHA256Hasher, _ parser: inout FieldParser
) throws {
  $1
}
END
  swiftc "${options[@]}" "$work/way.swift" >"$work/said" 2>&1
}

# refused BODY MESSAGE: what the compiler says first.
refused() {
  compiled "$1" && return 1
  [[ $(grep -m 1 " error: " "$work/said") == *"$2"* ]] && return 0
  head -n 20 "$work/said"
  return 1
}

check_binding='try Binding.check(fields, requestor: .noMatch, resource: .noMatch, mvpds: .all)'
check "the whole way compiles" compiled "
  let hashed = try HashedEnvelope(hashing: envelope, with: &hasher)
  let verified = try Signature.verify(hashed, with: &keys)
  let fields = try TokenFields(parsing: verified, with: &parser, policy: .standard)
  _ = try Lifetime(fields, policy: .standard)
  $check_binding
  let shown = try UnverifiedFields(parsing: bytes, with: &parser)
  print(shown.resourceID)"
check "an envelope that was not hashed has no signature to verify" \
  refused '_ = try Signature.verify(envelope, with: &keys)' "to expected argument type 'HashedEnvelope'"
check "an envelope and a digest cannot be put together" \
  refused '_ = HashedEnvelope(envelope: envelope, identity: identity)' "hashing:with:"
check "what was hashed is not verified" \
  refused '_ = try TokenFields(parsing: hashed, with: &parser, policy: .standard)' "to expected argument type 'VerifiedBytes'"
check "bytes from anywhere are not verified" \
  refused '_ = try TokenFields(parsing: bytes, with: &parser, policy: .standard)' "to expected argument type 'VerifiedBytes'"
check "verified bytes cannot be made by hand" \
  refused '_ = VerifiedBytes(hashed, identity.digest)' "inaccessible"
# All that an observer of the path is ever given.
observed='let fields = try TokenFields(parsing: verified, with: &parser, policy: .standard)
  let lifetime = try Lifetime(fields, policy: .standard)'
check "what an observer sees makes no token that could be spent" refused "$observed
  _ = UnspentToken(fields, lifetime, of: verified, at: .now, request: nil)" "inaccessible"
check "what an observer sees makes no token that may be played" refused "$observed
  _ = VerifiedToken(fields, lifetime, identity: identity, keyFingerprint: identity.digest, use: .first)" "inaccessible"
check "unverified fields have no lifetime" \
  refused '_ = try Lifetime(unverified, policy: .standard)' "to expected argument type 'TokenFields'"
check "unverified fields have no binding" \
  refused "let fields = unverified; $check_binding" "to expected argument type 'TokenFields'"
check "unverified fields do not become verified" \
  refused 'let fields: TokenFields = unverified; _ = fields' "to type 'TokenFields'"

# A person who has their values in variables is told how to write them, and a literal needs nothing.
opening='let (path, name) = (CommandLine.arguments[1], CommandLine.arguments[2])
  let verifier = try TokenVerifier(keys: "/etc/keys", oneUse: .notEnforced)'
check "literals compile" compiled "$opening
  _ = try verifier.verifyWithoutUse(name, requestor: \"REF30\", resource: \"TNT\")
  _ = { _ = try await verifier.verify(name, requestor: \"REF30\", resource: \"TNT\") }"
check "variables compile as the hints say" compiled "$opening
  _ = try TokenVerifier(keys: .files(path), consent: [Fingerprint(hexadecimal: name)!], oneUse: .notEnforced)
  _ = { _ = try await verifier.verify(name, requestor: .exactly(name), resource: .exactly(name)) }"
for names in 'name, resource: "TNT"' '"REF30", resource: name' 'name, resource: name'; do
  check "a variable has a hint: requestor: $names" refused "$opening
  _ = { _ = try await verifier.verify(name, requestor: $names) }" "a requestor or resource in a variable is given as .exactly(name)"
done
check "a variable has a hint where nothing is used up" refused "$opening
  _ = try verifier.verifyWithoutUse(name, requestor: name, resource: .anyResource)" "is given as .exactly(name)"
for keys in 'path' '"/etc/keys", consent: [name]'; do
  check "a variable has a hint: keys: $keys" refused "$opening
  _ = try TokenVerifier(keys: $keys, oneUse: .notEnforced)" "a path in a variable is given as .files(path)"
done
finish
