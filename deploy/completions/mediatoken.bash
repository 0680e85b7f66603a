# Completes the command line of mediatoken. Written by tools/reference from the program's table; change that, then run it.
_mediatoken() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command="" index
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    _mediatoken_offer -W 'verify inspect explain issue keys replay query help --help --version'
    return
  fi
  command=${COMP_WORDS[1]}
  case $command in
    keys)
      [[ $COMP_CWORD -ne 2 ]] || { _mediatoken_offer -W 'list import generate --help'; return; }
      command+=" ${COMP_WORDS[2]}" ;;
    replay)
      [[ $COMP_CWORD -ne 2 ]] || { _mediatoken_offer -W 'create grow info init nodes retire schema --help'; return; }
      command+=" ${COMP_WORDS[2]}" ;;
    help)
      [[ $COMP_CWORD -ne 2 ]] || _mediatoken_offer -W 'verify inspect explain issue keys replay query'
      return ;;
  esac
  case "$command $previous" in
    'verify --config' | \
    'verify --keys' | \
    'verify --decision' | \
    'verify --batch' | \
    'verify --handover-key' | \
    'inspect --decision' | \
    'explain --config' | \
    'explain --keys' | \
    'explain --decision' | \
    'issue --key' | \
    'keys list --keys' | \
    'keys import --password-file' | \
    'replay create --table' | \
    'replay create --config' | \
    'replay grow --table' | \
    'replay info --table' | \
    'replay init --config' | \
    'replay nodes --config' | \
    'replay retire --config' | \
    'replay schema --config' | \
    'query --socket')
      _mediatoken_files -f; return ;;
    'verify --allow-rsa-1024' | \
    'explain --allow-rsa-1024' | \
    'keys list --allow-rsa-1024')
      _mediatoken_fingerprints; return ;;
    'verify --requestor' | \
    'explain --requestor' | \
    'issue --requestor' | \
    'query --requestor')
      _mediatoken_requestors; return ;;
    'verify --resource' | \
    'verify --resource-document' | \
    'verify --resource-channel' | \
    'verify --at' | \
    'verify --replay' | \
    'verify --request-id' | \
    'verify --allow-mvpd' | \
    'verify --allow-proxy-mvpd' | \
    'verify --deny-mvpd' | \
    'verify --handover' | \
    'verify --handover-path' | \
    'verify --handover-life' | \
    'verify --handover-key-id' | \
    'verify --handover-host' | \
    'explain --resource' | \
    'explain --resource-document' | \
    'explain --resource-channel' | \
    'explain --at' | \
    'explain --allow-mvpd' | \
    'explain --allow-proxy-mvpd' | \
    'explain --deny-mvpd' | \
    'explain --replay' | \
    'issue --resource' | \
    'issue --session-guid' | \
    'issue --mvpd' | \
    'issue --proxy-mvpd' | \
    'issue --ttl' | \
    'issue --issue-time' | \
    'issue --utc-offset' | \
    'issue --root' | \
    'issue --count' | \
    'keys import --password' | \
    'keys generate --name' | \
    'keys generate --bits' | \
    'replay create --capacity' | \
    'replay grow --capacity' | \
    'replay init --replay' | \
    'replay init --timeout' | \
    'replay nodes --replay' | \
    'replay nodes --timeout' | \
    'replay retire --timeout' | \
    'replay schema --replay' | \
    'query --resource' | \
    'query --resource-document' | \
    'query --resource-channel' | \
    'query --timeout')
      :; return ;;
    'verify --unknown-fields' | \
    'explain --unknown-fields')
      _mediatoken_offer -W 'report reject'; return ;;
    'issue --form')
      _mediatoken_offer -W 'raw base64 percent decision'; return ;;
    'keys import --out' | \
    'keys generate --out')
      _mediatoken_files -d; return ;;
    'replay create --mode')
      _mediatoken_offer -W '0600 0660'; return ;;
  esac
  case "$command" in
    'verify')
      _mediatoken_offer -W '--config --spend --keys --allow-rsa-1024 --dev --requestor --any-requestor --resource --resource-document --resource-channel --any-resource --at --decision --batch --replay --request-id --unknown-fields --allow-mvpd --allow-proxy-mvpd --deny-mvpd --handover --handover-key --handover-path --handover-life --handover-key-id --handover-host --show-session-guid --json --help' ;;
    'inspect')
      _mediatoken_offer -W '--decision --show-session-guid --json --help' ;;
    'explain')
      _mediatoken_offer -W '--config --keys --allow-rsa-1024 --dev --requestor --any-requestor --resource --resource-document --resource-channel --any-resource --at --unknown-fields --allow-mvpd --allow-proxy-mvpd --deny-mvpd --decision --replay --json --help' ;;
    'issue')
      _mediatoken_offer -W '--key --requestor --resource --cdata --session-guid --mvpd --proxy-mvpd --ttl --issue-time --utc-offset --root --form --count --help' ;;
    'keys list')
      _mediatoken_offer -W '--keys --allow-rsa-1024 --json --help' ;;
    'keys import')
      [[ $current == -* ]] || { _mediatoken_files -f; return; }
      _mediatoken_offer -W '--out --password --password-file --help' ;;
    'keys generate')
      _mediatoken_offer -W '--out --name --bits --weak-1024-for-tests --help' ;;
    'replay create')
      _mediatoken_offer -W '--table --capacity --fresh --mode --config --help' ;;
    'replay grow')
      _mediatoken_offer -W '--table --capacity --help' ;;
    'replay info')
      _mediatoken_offer -W '--table --json --help' ;;
    'replay init')
      _mediatoken_offer -W '--replay --config --fresh --timeout --help' ;;
    'replay nodes')
      _mediatoken_offer -W '--replay --config --timeout --json --help' ;;
    'replay retire')
      _mediatoken_offer -W '--config --yes --timeout --help' ;;
    'replay schema')
      _mediatoken_offer -W '--replay --config --unlogged --help' ;;
    'query')
      _mediatoken_offer -W '--socket --requestor --resource --resource-document --resource-channel --timeout --ready --live --show-session-guid --json --help' ;;
  esac
}

# Prints what begins with what is being typed.
_mediatoken_offer() {
  mapfile -t COMPREPLY < <(compgen "$@" -- "$current")
}

_mediatoken_files() {
  compopt -o filenames
  _mediatoken_offer "$1"
}

_mediatoken_requestors() {
  _mediatoken_offer -W "$(grep -o '"requestor": *"[^"\\]*"' /etc/mediatoken/mediatokend.json 2>/dev/null | sed 's/.*: *"//; s/"$//' | sort -u)"
}

# The fingerprints of the keys that were typed before.
_mediatoken_fingerprints() {
  local keys=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    [[ ${COMP_WORDS[index]} != --keys ]] || keys+=(--keys "${COMP_WORDS[index + 1]/#\~/$HOME}")
  done
  [[ ${#keys[@]} -eq 0 ]] || _mediatoken_offer -W "$(mediatoken keys list "${keys[@]}" 2>/dev/null | sed -n 's/^fingerprint: //p')"
}

complete -F _mediatoken mediatoken
