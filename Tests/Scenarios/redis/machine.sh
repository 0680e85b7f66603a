#!/usr/bin/env bash
# The article Deployment, typed on a machine with a real systemd: three seats under the shipped unit, and stunnel in front.
source "$(dirname "$0")/../systemd/booted.sh"
for program in redis-server redis-cli stunnel4 openssl; do command -v "$program" >/dev/null || cannot "$program is missing"; done
cp "$scenarios/redis/inside.sh" "$put"
boot machine.sh
