#!/usr/bin/env bash
# The five commands of README, run as they are on a machine that has just got the packages, with a real systemd; then the
# other proxies' shipped files in their places, under Debian's own units.
source "$(dirname "$0")/systemd/booted.sh"
for program in nginx haproxy caddy openssl; do command -v "$program" >/dev/null || cannot "$program is missing"; done
cp -r "$repository/deploy" "$repository/Tests/Fixtures/hls" "$put"
cp "$repository/README.md" "$scenarios/fresh-machine/inside.sh" "$put"
cp "$repository/Sources/MediaTokenService/MediaTokenService.docc/Proxies.md" "$put"
boot fresh-machine.sh
