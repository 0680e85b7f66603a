# Completes the command line of mediatokend. Written by tools/reference from the program's table; change that, then run it.
_mediatokend() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command="" index
  COMPREPLY=()

  case "$command $previous" in
    ' --config' | \
    ' --socket' | \
    ' --inspector' | \
    ' --keys' | \
    ' --handover-key' | \
    ' --out')
      _mediatokend_files -f; return ;;
    ' --user' | \
    ' --resource')
      :; return ;;
    ' --requestor')
      _mediatokend_requestors; return ;;
    ' --proxy')
      _mediatokend_offer -W 'none nginx caddy haproxy envoy'; return ;;
  esac
  case "$command" in
    '')
      _mediatokend_offer -W '--config --check-config --user --dev --socket --inspector --init --requestor --resource --proxy --keys --handover-key --out --version --help' ;;
  esac
}

# Prints what begins with what is being typed.
_mediatokend_offer() {
  mapfile -t COMPREPLY < <(compgen "$@" -- "$current")
}

_mediatokend_files() {
  compopt -o filenames
  _mediatokend_offer "$1"
}

_mediatokend_requestors() {
  _mediatokend_offer -W "$(grep -o '"requestor": *"[^"\\]*"' /etc/mediatoken/mediatokend.json 2>/dev/null | sed 's/.*: *"//; s/"$//' | sort -u)"
}

# The fingerprints of the keys that were typed before.
_mediatokend_fingerprints() {
  local keys=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    [[ ${COMP_WORDS[index]} != --keys ]] || keys+=(--keys "${COMP_WORDS[index + 1]/#\~/$HOME}")
  done
  [[ ${#keys[@]} -eq 0 ]] || _mediatokend_offer -W "$(mediatoken keys list "${keys[@]}" 2>/dev/null | sed -n 's/^fingerprint: //p')"
}

complete -F _mediatokend mediatokend
