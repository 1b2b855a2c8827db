#!/bin/sh
# Asks the service what schemathesis makes of its OpenAPI documents, with the sample
# company in it. An answer of 5xx or of a status that is not documented, or a service that
# does not end by itself, fails.
#
#   FUZZ_EXAMPLES  requests made up for an operation, 5 if absent; more are made of each
#                  parameter and its limits
#   FUZZ_TYPES     entity types of the third generation, as a regular expression. Every
#                  type has the same operations for each aspect, so a few stand for all
#   FUZZ_PHASES    phases of schemathesis, coverage,fuzzing if absent
#   FUZZ_SECONDS   asks each document for so long, again and again; once if absent
#   FUZZ_DOCUMENTS names of the documents, as a regular expression; all if absent
#   FUZZ_SEED      another seed makes other requests, 1 if absent
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)

venv=$("$here/venv.sh" fuzz requirements-fuzz.txt)

# The tool keeps what it found in the folder it runs in; it gets an empty one.
home=$(mktemp -d "${TMPDIR:-/tmp}/fuzz.XXXXXX")
trap 'rm -rf "$home"' EXIT
trap 'exit 1' INT TERM HUP

cd "$home"
env -i PATH="$venv/bin:$PATH" HOME="$home" LANG=C.UTF-8 TMPDIR="${TMPDIR:-/tmp}" PYTHONDONTWRITEBYTECODE=1 \
	PYTHONPATH="$here" BIN="$top/bin" DEMO="$top/deploy/demo" \
	FUZZ_EXAMPLES="${FUZZ_EXAMPLES:-5}" FUZZ_TYPES="${FUZZ_TYPES:-tag|versionset|scroll}" FUZZ_SEED="${FUZZ_SEED:-1}" \
	FUZZ_PHASES="${FUZZ_PHASES:-coverage,fuzzing}" FUZZ_SECONDS="${FUZZ_SECONDS:-0}" FUZZ_DOCUMENTS="${FUZZ_DOCUMENTS:-.*}" \
	"$venv/bin/python" -m fuzz_openapi
