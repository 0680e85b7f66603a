#!/bin/bash
# Makes every fixture in this folder again, with OpenSSL 3.0's command and Java's keytool.
# All keys are made here and thrown away but for what a test needs: nothing in this folder protects anything.
set -euo pipefail
cd "$(dirname "$0")"
export LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find . -maxdepth 1 -type f ! -name make.sh ! -name README.md -delete

password=changeit

# --- helpers ---------------------------------------------------------------------------------------------------

# rsa NAME BITS [EXPONENT [PRIMES]]: a private key in $work and its public key here.
rsa() {
  openssl genpkey -algorithm RSA -pkeyopt "rsa_keygen_bits:$2" -pkeyopt "rsa_keygen_pubexp:${3:-65537}" \
    -pkeyopt "rsa_keygen_primes:${4:-2}" \
    -out "$work/$1.private.pem" 2>/dev/null
  openssl pkey -in "$work/$1.private.pem" -pubout -out "$1.pem"
}

# spki NAME MODULUS EXPONENT: a public key of any two numbers, sound or not.
spki() {
  cat > "$work/spki.conf" <<CONF
asn1 = SEQUENCE:spki
[spki]
algorithm = SEQUENCE:algorithm
key = BITWRAP,SEQUENCE:key
[algorithm]
oid = OID:rsaEncryption
none = NULL
[key]
n = INTEGER:$2
e = INTEGER:$3
CONF
  openssl asn1parse -genconf "$work/spki.conf" -noout -out "$work/spki.der"
  openssl base64 -in "$work/spki.der" | { echo "-----BEGIN PUBLIC KEY-----"; cat; echo "-----END PUBLIC KEY-----"; } \
    > "$1.pem"
}

modulus() { openssl rsa -in "$work/$1.private.pem" -noout -modulus 2>/dev/null | sed 's/Modulus=/0x/'; }

# odd BITS: an odd number of exactly so many bits (a multiple of 8), as good as random.
odd() { echo "0xC$(openssl rand -hex $(($1 / 8)) | cut -c2- | sed 's/.$/1/')"; }

# certificate NAME KEY START END [EXTENSIONS]: issued by the test CA, with times as YYYYMMDDHHMMSSZ.
certificate() {
  : > "$work/index.txt"
  openssl rand -hex 8 > "$work/serial"
  printf '%s\n' "${5:-}" > "$work/extensions.conf"
  cat > "$work/ca.conf" <<CONF
[ca]
default_ca = test
[test]
database = $work/index.txt
serial = $work/serial
new_certs_dir = $work
default_md = sha1
policy = any
unique_subject = no
[any]
countryName = optional
organizationName = optional
commonName = supplied
CONF
  openssl req -new -key "$work/$2.private.pem" -subj "/C=US/O=Test Licensor/CN=$1" -out "$work/$1.csr"
  openssl ca -batch -notext -config "$work/ca.conf" -cert "$work/ca.pem" -keyfile "$work/ca.private.pem" \
    -startdate "$3" -enddate "$4" -extfile "$work/extensions.conf" -in "$work/$1.csr" -out "$1.pem" 2>/dev/null
}

# trust STORE ALIAS CERTIFICATE [TYPE]: one more trusted certificate entry.
trust() {
  keytool -importcert -noprompt -storetype "${4:-JKS}" -keystore "$1" -storepass "$password" -alias "$2" -file "$3" \
    >/dev/null 2>&1
}

# --- keys of every size ------------------------------------------------------------------------------------------

for bits in 768 1023 1024 1025 2047 2048 4096; do rsa "rsa$bits" $bits; done
# With two primes OpenSSL makes 2048 bits of 2049.
rsa rsa2049 2049 65537 3
openssl pkey -in "$work/rsa2048.private.pem" -pubout -outform DER -out rsa2048.der
spki rsa4097 "0x1$(odd 4096 | cut -c3-)" 65537
for bits in 8192 16384; do spki "rsa$bits" "$(odd $bits)" 65537; done

# --- odd numbers -------------------------------------------------------------------------------------------------

rsa exponent3 2048 3
n=$(modulus rsa2048)
spki exponent1 "$n" 1
spki exponent65535 "$n" 65535
spki exponent65538 "$n" 65538
spki exponent65539 "$n" 65539
spki exponent64bits "$n" 0xFFFFFFFFFFFFFFFF
spki exponent65bits "$n" 0x10000000000000001
spki modulus1 1 65537
spki modulus-even "$(odd 2048 | sed 's/.$/2/')" 65537
spki modulus-prime "0x$(openssl prime -generate -bits 2048 -hex)" 65537
# 2^2048 - 1 is divisible by 3.
spki modulus-factor "0x$(printf 'F%.0s' {1..512})" 65537

# --- other algorithms --------------------------------------------------------------------------------------------

openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/ec.private.pem"
openssl pkey -in "$work/ec.private.pem" -pubout -out ec.pem
openssl genpkey -algorithm ED25519 -out "$work/ed25519.private.pem"
openssl pkey -in "$work/ed25519.private.pem" -pubout -out ed25519.pem
openssl genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 -out "$work/pss.private.pem" 2>/dev/null
openssl pkey -in "$work/pss.private.pem" -pubout -out pss.pem
openssl dsaparam -genkey -noout -out "$work/dsa.private.pem" 2048 2>/dev/null
openssl pkey -in "$work/dsa.private.pem" -pubout -out dsa.pem

# --- other forms, each with the key rsa2048 ------------------------------------------------------------------------

key="$work/rsa2048.private.pem"
openssl rsa -in "$key" -RSAPublicKey_out -out pkcs1.pem 2>/dev/null
openssl rsa -in "$key" -RSAPublicKey_out -outform DER -out pkcs1.der 2>/dev/null
cp "$key" private.pem
openssl pkey -in "$key" -outform DER -out private.der
openssl rsa -in "$key" -traditional -out private-pkcs1.pem 2>/dev/null
openssl rsa -in "$key" -traditional -outform DER -out private-pkcs1.der 2>/dev/null
openssl rsa -in "$key" -traditional -aes128 -passout "pass:$password" -out private-pkcs1-encrypted.pem 2>/dev/null
openssl pkcs8 -topk8 -in "$key" -passout "pass:$password" -out private-encrypted.pem
openssl pkcs8 -topk8 -in "$key" -passout "pass:$password" -outform DER -out private-encrypted.der
openssl ec -in "$work/ec.private.pem" -outform DER -out private-ec.der 2>/dev/null
ssh-keygen -i -m PKCS8 -f rsa2048.pem > openssh.pub
ssh-keygen -q -t rsa -b 2048 -N "" -C "" -f "$work/openssh" && cp "$work/openssh" private-openssh.pem

# --- certificates ------------------------------------------------------------------------------------------------

rsa ca 2048 && rm ca.pem
openssl req -x509 -new -key "$work/ca.private.pem" -subj "/O=Test Licensor/CN=Test CA" -days 36500 -sha1 \
  -addext "keyUsage = critical, keyCertSign, cRLSign" -out "$work/ca.pem"
cp "$work/ca.pem" certificate-authority.pem

# Production's shape: RSA-1024, signed with SHA-1 by a test CA, expired in 2011.
certificate certificate-production rsa1024 20091116000000Z 20111116235959Z
certificate certificate-current rsa2048 20200101000000Z 20991231235959Z "keyUsage = digitalSignature"
certificate certificate-future rsa2048 20980101000000Z 20991231235959Z
certificate certificate-encipherment rsa2048 20200101000000Z 20991231235959Z "keyUsage = keyEncipherment"
certificate certificate-version1 rsa2049 20200101000000Z 20991231235959Z
certificate certificate-ec ec 20200101000000Z 20991231235959Z
certificate certificate-pss pss 20200101000000Z 20991231235959Z
openssl x509 -in certificate-current.pem -outform DER -out certificate-current.crt
openssl x509 -in certificate-version1.pem -outform DER -out certificate-version1.cer
cat certificate-current.pem rsa4096.pem certificate-production.pem > several.pem
openssl x509 -in certificate-current.pem -trustout -addtrust emailProtection -out trusted.pem
openssl req -new -key "$key" -subj "/CN=request" -out request.pem
openssl req -in request.pem -outform DER -out request.der
openssl crl2pkcs7 -nocrl -certfile certificate-current.pem -certfile "$work/ca.pem" -out pkcs7.pem
openssl crl2pkcs7 -nocrl -certfile certificate-current.pem -certfile "$work/ca.pem" -outform DER -out pkcs7.p7b
sed 's/ CERTIFICATE/ X509 CRL/' certificate-current.pem > label-crl.pem

# --- keystores ---------------------------------------------------------------------------------------------------

trust production.jks adobepass certificate-production.pem
trust several.jks current certificate-current.pem
trust several.jks production certificate-production.pem
trust several.jks again certificate-current.pem
trust several.jks "clé 2049" certificate-version1.pem
trust ec.jks ec certificate-ec.pem
trust pkcs12.jks current certificate-current.pem PKCS12
trust jceks.jks current certificate-current.pem JCEKS

openssl pkcs12 -export -inkey "$key" -in certificate-current.pem -certfile "$work/ca.pem" -name signer \
  -passout "pass:$password" -out "$work/private.p12"
keytool -importkeystore -srckeystore "$work/private.p12" -srcstoretype PKCS12 -srcstorepass "$password" \
  -destkeystore private.jks -deststoretype JKS -deststorepass "$password" >/dev/null 2>&1
cp private.jks mixed.jks
trust mixed.jks adobepass certificate-production.pem
openssl pkcs12 -export -nokeys -in certificate-current.pem -passout "pass:$password" -out certificate.p12

keytool -genseckey -keyalg AES -keysize 128 -storetype JCEKS -keystore secret.jks -storepass "$password" \
  -alias secret -keypass "$password" >/dev/null 2>&1

# keytool writes version 2 only, and no empty keystore. Both are made by hand here, and keytool reads them below.
hex() { xxd -r -p; }
digest() { { printf %s "$password" | iconv -t UTF-16BE; printf 'Mighty Aphrodite'; cat "$1"; } | openssl sha1 -binary; }
openssl x509 -in certificate-production.pem -outform DER -out "$work/production.der"
{
  printf 'feedfeed 00000001 00000001 00000002 0003' | hex
  printf 'old'
  printf '0000012500000000 %08x' "$(stat -c %s "$work/production.der")" | hex
  cat "$work/production.der"
} > "$work/version1"
{ cat "$work/version1"; digest "$work/version1"; } > version1.jks
printf 'feedfeed 00000002 00000000' | hex > "$work/empty"
{ cat "$work/empty"; digest "$work/empty"; } > empty.jks
for store in version1.jks empty.jks; do
  keytool -list -storetype JKS -keystore $store -storepass "$password" >/dev/null
done

# --- what OpenSSL says the fingerprints are ------------------------------------------------------------------------

for name in rsa1024 rsa1025 rsa2047 rsa2048 rsa2049 rsa4096; do
  echo "$name $(openssl pkey -pubin -in $name.pem -outform DER | openssl sha256 -r | cut -d' ' -f1)"
done > fingerprints.txt
