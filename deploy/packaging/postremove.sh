#!/bin/sh
# A removal or an upgrade keeps the data in /var/lib/cartulary. A purge of the deb package deletes it;
# rpm has no purge. The user stays, because files in other folders may belong to its number.
set -e
if [ "${1:-}" = purge ]; then rm -rf /var/lib/cartulary; fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
