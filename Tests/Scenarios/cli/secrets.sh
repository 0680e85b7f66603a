#!/usr/bin/env bash
# A token admits anyone who has it, and its GUID identifies a viewer: neither appears on standard error or in error answers,
# however wrongly a command is called.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
secret=$token
marker=${token:40:60}
runs=0

# quiet ARGUMENT...: whatever the command does, standard error shows neither GUID nor token.
quiet() {
  runs=$((runs + 1))
  "$MEDIATOKEN" "$@" >"$work/out" 2>"$work/err" </dev/null || true
  lacks "$guid" "$work/err" && lacks "$marker" "$work/err" && lacks "BEGIN" "$work/err"
}

all_quiet() {
  local at
  quiet "$secret" && quiet verify "$secret" && quiet verify "$secret" "$secret" "${trust[@]}" "${ours[@]}" || return 1
  quiet verify "--$secret" && quiet verify "--token=$secret" && quiet verify "-$secret" || return 1
  quiet verify "$secret" --requestor "$secret" --resource "$secret" "${trust[@]}" || return 1
  quiet verify "$secret" "${trust[@]}" "${ours[@]:0:4}" --at "$secret" || return 1
  quiet verify "$secret" "${trust[@]}" "${ours[@]}" --replay "$secret" || return 1
  quiet verify "$secret" "${trust[@]}" "${ours[@]:0:4}" --replay "redis:$secret" || return 1
  quiet verify "$secret" "${trust[@]}" "${ours[@]:0:4}" --replay "redis:dev@$secret:1" || return 1
  quiet verify "$secret" "${trust[@]}" "${ours[@]:0:4}" --replay redis:dev@/nowhere --fleet-credentials "$secret" || return 1
  quiet verify "$secret" "${trust[@]}" "${ours[@]:0:4}" --replay redis:dev@/nowhere --local-table "$secret" || return 1
  quiet replay seats --replay "redis:$secret" && quiet replay found --replay "$secret" || return 1
  quiet replay spend --replay "$secret" && quiet replay dev-fleet --folder "$secret" || return 1
  quiet replay dev-fleet --folder "$work/dev" --server "$secret" || return 1
  quiet verify "$secret" "${trust[@]}" "${ours[@]}" --allow-rsa-1024 "$secret" || return 1
  quiet verify "$secret" "${trust[@]}" "${ours[@]}" --max-ttl "$secret" --unknown-fields "$secret" || return 1
  quiet verify "$secret" "${trust[@]}" "${ours[@]}" --unknown-fields "$secret" || return 1
  quiet verify --batch - "$secret" "${trust[@]}" "${ours[@]}" && quiet verify --batch "$secret" "${trust[@]}" "${ours[@]}" || return 1
  quiet verify "$secret" --keys "$secret" "${ours[@]}" && quiet verify "$secret" "${trust[@]}" --keys="$secret" "${ours[@]}" || return 1
  quiet keys list --keys "$secret" && quiet keys import "$secret" --out "$work/x" || return 1
  quiet keys import "$work/x" --out "$secret" && quiet issue --key "$secret" --requestor x --resource x || return 1
  quiet verify "$secret" --keys "$(issue --form base64 --session-guid "$guid")" "${ours[@]}" || return 1
  quiet inspect "$secret" "$secret" && quiet inspect "$secret" --json=x && quiet explain "$secret" "${trust[@]}" || return 1
  quiet keys "$secret" && quiet keys list "$secret" && quiet keys generate "$secret" || return 1
  quiet issue "$secret" && quiet issue --session-guid "$guid" --key "$key" --requestor x --resource x --count 2 || return 1
  quiet issue --session-guid "$guid"$'\x01' --key "$key" --requestor x --resource x
}
check "no wrong call repeats a token or GUID on standard error" all_quiet
check "at least 20 wrong calls were tried" test "$runs" -ge 20

refusals() {
  local changed
  for changed in "${secret/TNT/TNU}" "${secret%?}" "${secret/<ttl>/<ttl>x}" "x$secret" "${secret/signatureInfo/x}" "$secret$secret"; do
    "$MEDIATOKEN" verify "$changed" "${trust[@]}" "${ours[@]}" >"$work/out" 2>"$work/err" && return 1
    cat "$work/out" "$work/err" >"$work/both"
    lacks "$guid" "$work/both" && lacks "$marker" "$work/both" || return 1
  done
}
check "no refusal repeats token or GUID" refusals

python3 - "$secret" "$guid" >"$work/lines" <<'PY'
import json, sys
token, guid = sys.argv[1:]
for line in ({"token": token, "token2": token}, {token: "x"}, {guid: "x"}, {"token": token, "at": guid},
             {"tokenBase64": token}, {"token": [token]}, {"token": token, "id": 5.5}, {"token": {token: guid}},
             {"token": token + "x"}, {"token": token.replace("TNT", "TNU")}):
    print(json.dumps(line))
print('{"token": "%s", "token": "%s"}' % (guid, guid))
print('{"%s": "%s", "%s": "%s"}' % (guid, guid, guid, guid))
print('{"token": "%s"' % guid)
print('{"token": "%s" %s}' % (guid, guid))
print("%s %s" % (guid, token))
print('{"token": "%s\\u0000"}' % guid)
PY
bad_lines() { exits 1 "$MEDIATOKEN" verify --batch "$work/lines" "${trust[@]}" "${ours[@]}" >"$work/out"; }
check "a batch of bad lines ends with 1" bad_lines
check "a batch of bad lines has no valid one" says "16 lines: 0 valid"
check "a batch of bad lines repeats no GUID in its answers" lacks "$guid" "$work/out"
check "a batch of bad lines repeats no token in its answers" lacks "$marker" "$work/out"
check "a batch of bad lines repeats no GUID on standard error" lacks "$guid" "$work/err"

# A core file would have tokens and keys in it.
ulimit -c "$(ulimit -Hc)"
coproc batch { exec "$MEDIATOKEN" verify --batch - "${trust[@]}" "${ours[@]}" 2>/dev/null; }
echo "$secret" >&"${batch[1]}"
read -r _ <&"${batch[0]}"
check "no core file is written, whatever the shell allows" grep -qE '^Max core file size +0 +0 ' "/proc/$batch_PID/limits"
finish
