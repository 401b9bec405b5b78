#!/usr/bin/env bash
# Builds the release page into dist/: self-contained, every path relative, ready for any static host.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
"$ROOT/scripts/setup.sh"
cd "$ROOT"
node scripts/vendor.mjs
say "building the page (the first time takes minutes)"
RUSTUP_TOOLCHAIN=$(wasm_toolchain) trunk build --skip-version-check --locked >&2
say "built dist/ ($(du -sh dist | cut -f1))"
