#!/bin/sh
# An upgrade keeps the services running; a removal stops them.
set -e
case "${1:-}" in remove | 0) ;; *) exit 0 ;; esac
if [ -d /run/systemd/system ]; then
	systemctl disable --now cartulary-frontend-proxy.service cartulary-metadata-service.service || true
fi
