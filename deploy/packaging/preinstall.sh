#!/bin/sh
# The user must be there before the files that belong to its group. Nothing is started:
# the operator looks at /etc/cartulary first.
set -e
getent group cartulary >/dev/null || groupadd --system cartulary
getent passwd cartulary >/dev/null ||
	useradd --system --gid cartulary --home-dir /var/lib/cartulary --no-create-home --shell /usr/sbin/nologin cartulary
