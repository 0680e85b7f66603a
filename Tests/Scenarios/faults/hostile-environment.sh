#!/usr/bin/env bash
# Case 90: settings of OpenSSL, libxml2, the locale and the time zone, as others may have left them in the
# environment, change no verdict. Which verdict each vector has is cli/vectors.py's.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/vectors.sh"
needs openssl python3
cd "$work" || exit 1

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

hostile=(env OPENSSL_CONF="$work/hostile.cnf" OPENSSL_MODULES="$work/modules" OPENSSL_ENGINES="$work/modules"
  OPENSSL_ia32cap="~0x200000200000000" SSL_CERT_FILE="$work/certificates.pem" SSL_CERT_DIR="$work/modules"
  XML_CATALOG_FILES="$work/catalog.xml" XML_DEBUG_CATALOG=1 SGML_CATALOG_FILES="$work/catalog.xml"
  TZ="Antarctica/Troll" TZDIR="$work/modules" LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8 LANGUAGE=tr
  MALLOC_PERTURB_=165 http_proxy=http://127.0.0.1:1 HOME="$work/modules" TMPDIR=/nonexistent)

# If openssl itself still worked, the settings below would not be hostile.
check "under these settings the openssl command itself fails" \
  eval '! "${hostile[@]}" openssl dgst -sha256 /dev/null >/dev/null 2>&1'

cat >ask.py <<'PY'
import sys
sys.path.insert(0, sys.argv[1])
from vector_files import all_vectors, by_options, run_batch
for members in by_options(v for v in all_vectors() if not v.cannot_be_said()):
    run = run_batch(members, prefix=sys.argv[2:])
    sys.stdout.write(f"exit {run.returncode}\n" + run.stdout.decode())
PY
check "every vector is answered in a clean environment" \
  eval 'python3 -B ask.py "$scenarios/lib" >clean 2>err && [[ $(grep -c verdict clean) -gt 1600 ]]'
check "under these settings every answer is the same" \
  eval 'python3 -B ask.py "$scenarios/lib" "${hostile[@]}" >hostile 2>err && cmp clean hostile'
file=$vectors/shared/time-summer-offset.token
check "an ISO time means the same instant in any zone" \
  yields 0 VALID_TOKEN env TZ=Asia/Tokyo "$MEDIATOKEN" verify - --any-requestor --any-resource --at 2026-11-20T12:00:00Z \
  --keys "$vectors/shared/keys/$(header keys "$file")" < <(body "$file")
finish
