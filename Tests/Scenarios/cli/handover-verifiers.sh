#!/usr/bin/env bash
# What `verify --handover` prints, checked by other people's code: see handover-verifiers.py.
set -u -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$("$here/../../Fixtures/handover/install-verifiers") || { echo "$python"; exit 77; }
exec "$python" -B "$here/handover-verifiers.py"
