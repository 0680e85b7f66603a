#!/usr/bin/env bash
# A token admits anyone who has it, and its GUID identifies a viewer: neither appears on standard error or in error answers,
# however wrongly a command is called.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
marker=${token:40:60}
runs=0

# call ARGUMENT...: whatever the command does; what it says on standard error is kept.
call() {
  runs=$((runs + 1))
  "$MEDIATOKEN" "$@" >/dev/null 2>>"$work/err" </dev/null || true
}

# unsaid: what was kept shows neither GUID nor token nor key.
unsaid() { ! grep -qF -e "$guid" -e "$marker" -e BEGIN "$work/err"; }

# quiet ARGUMENT...: both of one call.
quiet() { : >"$work/err" && call "$@" && unsaid; }

# everywhere COMMAND: the token as the command's operands, as the name of an option, and as the value of each, next to good ones too.
everywhere() {
  local option words
  read -ra words <<<"$1"
  : >"$work/err"
  call "${words[@]}" "$token" "$token" && call "${words[@]}" "--$token" && call "${words[@]}" "-$token"
  for option in $("$MEDIATOKEN" "${words[@]}" --help | grep -oE '^  --[a-z0-9-]+'); do
    call "${words[@]}" "$option" "$token" && call "${words[@]}" "$token" "${trust[@]}" "${ours[@]:0:4}" "$option=$token"
  done
  unsaid
}
cd "$work"
for command in verify inspect explain issue query "keys list" "keys import" "keys generate" \
  "replay create" "replay grow" "replay info" "replay init" "replay nodes"; do
  check "no wrong call of $command repeats a token or GUID on standard error" everywhere "$command"
done
ask=(verify "$token" "${trust[@]}" "${ours[@]:0:4}")
check "a token in a command's place is not repeated" quiet "$token"
check "a token in a fleet's name is not repeated" quiet "${ask[@]}" --replay "redis:$token"
check "a token in a node's address is not repeated" quiet "${ask[@]}" --replay "redis:dev@$token:1"
check "a token in a configuration's place is not repeated" quiet "${ask[@]:0:2}" --config "$token"
check "a GUID of two tokens is not repeated" quiet issue --session-guid "$guid" --key "$key" --requestor x --resource x --count 2
check "a GUID that XML cannot carry is not repeated" quiet issue --session-guid "$guid"$'\x01' --key "$key" --requestor x --resource x
check "more than 200 wrong calls were tried" test "$runs" -gt 200

# refused TOKEN: exit 1, and an answer that repeats neither GUID nor token.
refused() { exits 1 "$MEDIATOKEN" verify "$1" "${trust[@]}" "${ours[@]}" >"$work/out" && cat "$work/out" >>"$work/err" && unsaid; }
for changed in "${token/TNT/TNU}" "${token%?}" "${token/<ttl>/<ttl>x}" "x$token" "${token/signatureInfo/x}" "$token$token"; do
  check "the refusal of a token that begins with ${changed:0:3} and has ${#changed} bytes repeats neither GUID nor token" refused "$changed"
done

python3 - "$token" "$guid" >"$work/lines" <<'PY'
import json, sys
token, guid = sys.argv[1:]
for line in ({"token": token, "token2": token}, {token: "x"}, {guid: "x"}, {"token": token, "at": guid},
             {"tokenBase64": token}, {"token": [token]}, {"token": token, "id": 5.5}, {"token": {token: guid}}, {"token": token + "x"}):
    print(json.dumps(line))
for line in ('{"token": "%s", "token": "%s"}', '{"token": "%s" %s}', '{"token": "%s%s"', '{"token": "%s\\u0000%s"}'):
    print(line % (guid, guid))
PY
bad_lines() {
  exits 1 "$MEDIATOKEN" verify --batch "$work/lines" "${trust[@]}" "${ours[@]}" >"$work/out" && says "13 lines: 0 valid" &&
    cat "$work/out" >>"$work/err" && unsaid
}
check "a batch of bad lines repeats neither GUID nor token" bad_lines

# A core file would have tokens and keys in it.
ulimit -c "$(ulimit -Hc)"
coproc batch { exec "$MEDIATOKEN" verify --batch - "${trust[@]}" "${ours[@]}" 2>/dev/null; }
echo "$token" >&"${batch[1]}"
read -r _ <&"${batch[0]}"
check "no core file is written, whatever the shell allows" grep -qE '^Max core file size +0 +0 ' "/proc/$batch_PID/limits"
finish
