#!/usr/bin/env bash
# The units under a real systemd, with their whole sandbox, as the Debian packages install them.
source "$(dirname "$0")/systemd/booted.sh"
cp -r "$repository/deploy" "$put/deploy"
cp "$scenarios/systemd/inside.sh" "$put"
boot systemd.sh
