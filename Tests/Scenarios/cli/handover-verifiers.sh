#!/usr/bin/env bash
# What `verify --handover` prints, checked by other people's code: see handover-verifiers.py.
set -u -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=$("$here/../../../tools/install-from-pypi" handover "$here/../../Fixtures/handover/requirements.txt") ||
  { echo "$programs"; exit 77; }
exec "$programs/python" -B "$here/handover-verifiers.py"
