#!/bin/sh
# The user must exist before files are unpacked that belong to its group. The installation starts
# nothing: the operator first checks /etc/cartulary.
set -e
getent group cartulary >/dev/null || groupadd --system cartulary
getent passwd cartulary >/dev/null ||
	useradd --system --gid cartulary --home-dir /var/lib/cartulary --no-create-home --shell /usr/sbin/nologin cartulary
