#!/bin/sh
# A removal leaves the data in /var/lib/cartulary, and so does an upgrade. A purge of the deb
# package takes it away as well; rpm knows none. The user stays, as files elsewhere may be of
# its number.
set -e
if [ "${1:-}" = purge ]; then rm -rf /var/lib/cartulary; fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
