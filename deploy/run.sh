#!/bin/sh
# Starts both binaries on this machine, and stops both when one of them ends.
#
#   SERVICE_LISTEN  address of the metadata service (127.0.0.1:8080)
#   PROXY_LISTEN    address of the frontend proxy   (127.0.0.1:9002)
#   DATA_DIR        folder for all data             (data)
#
# The metadata service generates the secrets at its first start; the proxy waits for them.
set -u
cd "$(dirname "$0")/.." || exit 1

service_listen=${SERVICE_LISTEN:-127.0.0.1:8080}
proxy_listen=${PROXY_LISTEN:-127.0.0.1:9002}
data=${DATA_DIR:-data}
service='' proxy='' code=0

running() { [ -n "$1" ] && kill -0 "$1" 2>/dev/null; }

# exec makes the binary itself the background process, without a shell around it.
as_service() { exec env CARTULARY_LISTEN="$service_listen" CARTULARY_DATA_DIR="$data" bin/metadata-service "$@"; }
as_proxy() {
	exec env CARTULARY_LISTEN="$proxy_listen" CARTULARY_UPSTREAM="http://$service_listen" \
		CARTULARY_SYSTEM_SECRET_FILE="$data/secrets/system" CARTULARY_SESSION_SECRET_FILE="$data/secrets/session" \
		bin/frontend-proxy "$@"
}

service_healthy() { (as_service health) >/dev/null 2>&1; }
proxy_healthy() { (as_proxy health) >/dev/null 2>&1; }

# stop ends the proxy first, so that the service can still answer its running requests.
stop() {
	trap '' INT TERM HUP
	for pid in $proxy $service; do
		running "$pid" && kill -TERM "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	exit "$code"
}

fail() {
	echo "run: $1" >&2
	code=1
	stop
}

# await NAME PID ADDRESS TEST waits until TEST holds, as long as the process lives.
await() {
	tries=0
	until "$4"; do
		running "$2" || fail "$1 did not start on $3; its last message above has the reason"
		tries=$((tries + 1))
		[ "$tries" -lt 300 ] || fail "$1 is not healthy on $3 after 30 seconds"
		sleep 0.1
	done
	running "$2" || fail "$1 stopped at once; does another program use $3?"
}

if service_healthy; then fail "a metadata service already runs on $service_listen"; fi
if proxy_healthy; then fail "a frontend proxy already runs on $proxy_listen"; fi

trap stop INT TERM HUP

as_service &
service=$!
as_proxy &
proxy=$!

await "the metadata service" "$service" "$service_listen" service_healthy
await "the frontend proxy" "$proxy" "$proxy_listen" proxy_healthy

cat <<TEXT

  Cartulary is running
    web pages         http://$proxy_listen
    clients           http://$proxy_listen/api/gms
    metadata service  http://$service_listen
TEXT
if [ "${CARTULARY_AUTH_ENABLED:-true}" = true ]; then
	cat <<TEXT
    access token      bin/metadata-service token create --data-dir "$data" --actor datahub --name first
TEXT
else
	cat <<TEXT
    access token      none is needed: authentication is off, and every client that reaches the metadata
                      service may do everything; the web pages still require a sign-in
TEXT
fi
cat <<TEXT
    sign-in           as datahub, with the password in $data/initial-admin-password
                      (the file is absent if CARTULARY_ADMIN_PASSWORD was set at the first start)
  Stop with Ctrl-C.

TEXT

while running "$service" && running "$proxy"; do
	sleep 1 &
	wait $!
done
running "$service" || fail "the metadata service stopped by itself"
fail "the frontend proxy stopped by itself"
