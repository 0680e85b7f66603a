#!/usr/bin/env bash
# The six commands of the article Proxies, run as they are on a machine that has just got the packages, with a real systemd; then the
# other proxies' shipped files in their places, under Debian's own units.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/booted.sh"
needs nginx haproxy caddy openssl
if ! is_inside; then
  cp -r "$repository/deploy" "$repository/Tests/Fixtures/hls" "$put"
  cp "$repository/Sources/MediaTokenService/MediaTokenService.docc/Proxies.md" "$put"
  boot
fi

# Not in a folder that only root may enter.
mkdir /run/scenario
cd /run/scenario
cp /put/packages/*.deb .
examples=/usr/share/doc/mediatokend/examples
for folder in live/tnt trailers; do mkdir -p "/srv/media/$folder" && cp /put/hls/* "/srv/media/$folder"; done
rm -f /etc/nginx/sites-enabled/default

# block FILE HEADING [NUMBER]: the lines of a code block after a heading, the first where there is no number.
block() {
  awk -v heading="$2" -v number="${3:-1}" '$0 == heading { seen = 1; next }
    seen && /^```/ { inside = !inside; if (inside) found++; next } inside && found == number' "$1"
}
token() { mediatoken issue --key /root/trial.private.pem --requestor REF30 --resource TNT --form base64 --ttl 3000000; }
# get TOKEN PATH [OPTION...]
get() {
  curl -s -o body -w '%{http_code}' --max-time 120 -H "X-Media-Token: $1" "${@:3}" "http://127.0.0.1:8080$2" >status
  [[ $(<status) != @(408|503|504) ]] || touch fault
  cat status
}
# tells FILE: what a command of the article printed is not that there was no answer.
tells() { ! grep -q 503 "$1" || { touch fault; return 1; }; }
# answered COMMAND...: again, while it ends at a fault: a busy machine may be slower than the proxies' shipped limits allow. The
# command ends at the first fault, and uses a new token each time: one whose answer was lost may be spent.
answered() {
  local _
  for _ in {1..20}; do
    rm -f fault
    "$@" >answered && return
    [[ -e fault ]] || break
  done
  cat answered
  return 1
}
is_stream() { cmp -s body /put/hls/index.m3u8; }
# is_refused STATUS
is_refused() { [[ $1 == 401 || $1 == 403 ]]; }
# plays: the stream, once with one token, and its segments with the cookies that came with it.
plays() {
  local one segment
  rm -f jar
  one=$(token)
  equals "$(get "$one" /live/tnt/index.m3u8 -c jar)" 200 && is_stream || return 1
  for segment in $(grep -v '^#' body); do
    equals "$(get "" "/live/tnt/$segment" -b jar)" 200 && cmp -s body "/put/hls/$segment" || return 1
    is_refused "$(get "" "/live/tnt/$segment")" || return 1
  done
  equals "$(get "$one" /live/tnt/index.m3u8)" 403 && equals "$(get "" /live/tnt/index.m3u8)" 401
}
is_answering() { [[ $(get "" /trailers/index.m3u8) == 200 ]]; }

prints() { bash -o pipefail -c "$2" </dev/null >"$1" 2>"$1.err"; }

# --- six commands ---

block /put/Proxies.md "## Six commands" >commands
check "the article has six commands" equals "$(grep -c . commands)" 6
number=0
while IFS= read -r command; do
  number=$((number + 1))
  check "command $number of the article ends well" prints "out.$number" "$command"
done < <(head -n 5 commands)
sixth() { prints out.6 "$(tail -n 1 commands)" && tells out.6 && cmp out.6 /put/hls/index.m3u8; }
check "the sixth command of the article prints the stream" answered sixth
[[ $broken -eq 0 ]] || { tail -n 20 out.*; journalctl --no-pager -n 30; }
check "after the six commands the stream plays, once with one token" answered plays
check "nginx's check, which the article names, finds nothing wrong" nginx -t -q
check "the daemon's check, which the article names, finds nothing wrong" \
  mediatokend --check-config --config /etc/mediatoken/mediatokend.json
# What it shows after them: each command prints what is under it.
awk '/^```console$/ { seen = 1; next } seen && /^```/ { exit } seen' <(sed -n '/^## Six commands$/,$p' /put/Proxies.md) >shown
console() {
  local line
  TOKEN=$(token)
  export TOKEN
  : >printed
  while IFS= read -r line; do
    { echo "$line" && bash -c "${line#\$ }" </dev/null || true; } >said
    tells said || return 1
    cat said >>printed
    [[ $(<shown) == "$(<printed)"* ]] || break
  done < <(grep '^\$ ' shown)
  diff shown printed
}
check "the article's console prints what it shows" answered console
check "the article's console has six commands and more" test "$(grep -c '^\$ ' shown)" -ge 6
# The heart of nginx's configuration, as the article shows it, is in what is shipped.
squeezed() { sed 's/#.*//; s/^ *//; s/ *$//' "$1" | grep .; }
awk '/^```nginx$/ { seen = 1; next } seen && /^```/ { exit } seen' /put/Proxies.md >heart
check "the article's lines of nginx's configuration are the shipped file's" \
  equals "$(grep -vxFf <(squeezed $examples/nginx/mediatoken.conf) <(squeezed heart))" ""
check "the article has ten lines of nginx's configuration and more" test "$(squeezed heart | wc -l)" -ge 10
check "the question that the article Proxies has for the night is answered" prints asked \
  "$(grep '^runuser -u www-data' /put/Proxies.md) --timeout 60000 || true"
check "the question for the night has the answer that the article says" equals "$(head -n 1 asked)" INVALID_TOKEN_FORMAT
check "the daemon's service and socket are active" \
  equals "$(systemctl is-active mediatokend.service mediatokend.socket | sort -u)" active
check "the socket is the daemon's user's and group's" \
  equals "$(stat -c '%U %G %a' /run/mediatokend/mediatokend.sock)" "mediatokend mediatokend 660"
check "the configurations are those that are shipped" \
  sh -c "cmp $examples/nginx/mediatokend.json /etc/mediatoken/mediatokend.json && diff -r $examples/nginx /put/deploy/nginx"

# --- each shipped configuration, with its own proxy ---

# with PROXY NUMBER FILE=PLACE...: puts its files into their places, makes the keys of that block of the article, and starts the
# daemon.
with() {
  local proxy=$1 number=$2 file
  shift 2
  block /put/Proxies.md "### Keys of the cookies" "$number" >keys && bash -eu -o pipefail keys || return 1
  cp "$examples/$proxy/mediatokend.json" /etc/mediatoken/ || return 1
  for file; do cp "$examples/$proxy/${file%%=*}" "${file#*=}" || return 1; done
  systemctl restart mediatokend
}
systemctl stop nginx
check "HAProxy's files are put in place, unchanged" with haproxy 2 haproxy.cfg=/etc/haproxy/ mediatoken.lua=/etc/haproxy/
# HAProxy serves no files.
(cd /srv/media && exec python3 -m http.server --bind 127.0.0.1 8081 >/dev/null 2>&1) &
check "HAProxy's check finds nothing wrong" haproxy -c -q -f /etc/haproxy/haproxy.cfg
check "Debian's unit starts HAProxy" systemctl restart haproxy
check "HAProxy answers" awaits 120 is_answering
check "the stream plays behind HAProxy" answered plays
check "only HAProxy's supervisor is root" equals \
  "$(for pid in $(pidof haproxy); do stat -c '%U:%G' "/proc/$pid"; done | sort | tr '\n' ' ')" "haproxy:mediatokend root:root "
systemctl stop haproxy
kill $!
# What checks Caddy's cookies.
rm /etc/nginx/conf.d/mediatoken.conf
check "Caddy's files are put in place, unchanged" \
  with caddy 1 Caddyfile=/etc/caddy/ segments.conf=/etc/nginx/conf.d/mediatoken-segments.conf
check "the nginx next to Caddy starts" systemctl start nginx
check "Caddy's user is let in" usermod -aG mediatokend caddy
check "Caddy's check finds nothing wrong" eval 'caddy validate --config /etc/caddy/Caddyfile 2>validated'
check "Debian's unit starts Caddy" systemctl restart caddy
check "Caddy answers" awaits 120 is_answering
check "the stream plays behind Caddy" answered plays
systemctl stop caddy
mkdir /etc/envoy
check "Envoy's part for the daemon is put in place, unchanged" with envoy 3
check "the daemon is ready with Envoy's part" equals \
  "$(curl -sS --unix-socket /run/mediatokend/mediatokend.sock http://localhost/readyz)" '{"status":"ready"}'
finish
