#!/usr/bin/env bash
# Case 90: settings of OpenSSL, libxml2, the locale and the time zone, as somebody else may have left them in the
# environment, change no verdict.
source "$(dirname "$0")/claims.sh"
needs openssl python3
folder=$(cd "$(dirname "$0")" && pwd)
cd "$scratch" || exit 1

cat >hostile.cnf <<'CNF'
openssl_conf = init
[init]
providers = providers
alg_section = algorithms
ssl_conf = ssl
[providers]
default = default_section
missing = missing_section
[default_section]
activate = 0
[missing_section]
module = /nonexistent/provider.so
activate = 1
[algorithms]
default_properties = fips=yes
[ssl]
system_default = system
[system]
CipherString = DEFAULT@SECLEVEL=5
CNF
printf 'not a catalogue' >catalog.xml
printf 'not a certificate' >certificates.pem
mkdir modules && printf 'not a module' >modules/legacy.so && printf 'not a module' >modules/default.so

hostile=(env OPENSSL_CONF="$scratch/hostile.cnf" OPENSSL_MODULES="$scratch/modules" OPENSSL_ENGINES="$scratch/modules"
  OPENSSL_ia32cap="~0x200000200000000" SSL_CERT_FILE="$scratch/certificates.pem" SSL_CERT_DIR="$scratch/modules"
  XML_CATALOG_FILES="$scratch/catalog.xml" XML_DEBUG_CATALOG=1 SGML_CATALOG_FILES="$scratch/catalog.xml"
  TZ="Antarctica/Troll" TZDIR="$scratch/modules" LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8 LANGUAGE=tr
  MALLOC_PERTURB_=165 http_proxy=http://127.0.0.1:1 HOME="$scratch/modules" TMPDIR=/nonexistent)

# If openssl itself still worked, the settings below would not be hostile.
claim "under these settings the openssl command itself fails" \
  eval '! "${hostile[@]}" openssl dgst -sha256 /dev/null >/dev/null 2>&1'

cat >ask.py <<'PY'
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from vector_files import all_vectors, by_options, run_batch
for members in by_options(v for v in all_vectors() if not v.cannot_be_said()):
    run = run_batch(members, prefix=sys.argv[2:])
    sys.stdout.write(f"exit {run.returncode}\n" + run.stdout.decode())
PY
claim "every vector is answered in a clean environment" \
  eval 'python3 ask.py "$folder" >clean 2>err && [[ $(grep -c verdict clean) -gt 1600 ]]'
claim "under these settings every answer is the same" \
  eval 'python3 ask.py "$folder" "${hostile[@]}" >hostile 2>err && cmp clean hostile'
for name in key-rsa1024 armor-base64 shape-xxe time-summer-offset; do
  file=$vectors/shared/$name.token
  body "$file" >token
  options=(--keys "$vectors/shared/keys/$(header keys "$file")" --allow-rsa-1024 any --any-requestor --any-resource)
  expect=$(header expect "$file")
  for setting in "${hostile[@]:1}"; do
    claim "$name is $expect under ${setting%%=*} alone" \
      answers "$([[ $expect == VALID_TOKEN ]]; echo $?)" "$expect" \
      env "$setting" "$MEDIATOKEN" verify - "${options[@]}" --at "$(header now "$file")" <token
  done
done
claim "an ISO time means the same instant in any zone" \
  answers 0 VALID_TOKEN env TZ=Asia/Tokyo "$MEDIATOKEN" verify - "${options[@]}" --at 2026-11-20T12:00:00Z <token
finish
