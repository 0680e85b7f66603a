# Sourced by claims.sh and cli/common.sh, which count $held and $broken.

# claim TEXT COMMAND...: the command succeeds.
claim() {
  local text=$1
  shift
  if "$@"; then
    held=$((held + 1))
    echo "ok: $text"
  else
    broken=$((broken + 1))
    echo "FAILED: $text"
  fi
}
