#!/usr/bin/env bash
# Builds the release page and serves it on this machine only. PORT chooses another port than 8080.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
"$ROOT/scripts/build.sh"
cd "$ROOT"
say "serving the page; open the address below, end with Ctrl-C"
exec npx --no-install sirv dist --host localhost --port "${PORT:-8080}" --dev
