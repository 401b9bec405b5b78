#!/usr/bin/env bash
# Builds the release page into dist/: self-contained, every path relative, ready for any static host.
# The engine is built twice: exact (Trunk's, the default) and with relaxed SIMD (relaxed/, by the student's choice).
#
# usage: build.sh [--base PATH]   (PATH as in scripts/arrange-dist.mjs, for a host that needs it)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
"$ROOT/scripts/setup.sh"
cd "$ROOT"
RUSTUP_TOOLCHAIN=$(wasm_toolchain)
export RUSTUP_TOOLCHAIN

# Everything that the relaxed build is made of. Both builds write their module to the same place of Cargo's folder, so
# building one makes the other stale; a kept copy saves that where nothing changed.
engine_digest() {
  { rustc --version
    printf '%s\n' "$WASM_BINDGEN_VERSION"
    find Cargo.toml Cargo.lock .cargo crate/*/Cargo.toml crate/*/src -type f -print0 | sort -z | xargs -0 sha256sum
  } | sha256sum | cut -c1-16
}

# Dependencies are compiled once for both builds: the instructions are switched on function by function.
build_relaxed() {
  local folder=$1 unfinished=$LOGIT_LAB_CACHE/relaxed-unfinished
  if [ -d "$folder" ]; then return; fi
  rm -rf "$unfinished"
  cargo build --quiet --release --locked --target "$WASM_TARGET" --manifest-path crate/web/Cargo.toml \
    --features relaxed-simd
  wasm-bindgen --target web --no-typescript --out-dir "$unfinished" --out-name logit-lab-web \
    "$CARGO_TARGET_DIR/$WASM_TARGET/release/logit_lab_web.wasm"
  mkdir -p "$(dirname "$folder")"
  mv "$unfinished" "$folder"
  # The newest few are enough.
  ls -dt "$LOGIT_LAB_CACHE"/relaxed/*/ | tail -n +5 | xargs -r rm -rf
}

# Binaryen makes the exact engine, which every visit needs, 8 % smaller over the wire. It keeps every operation on numbers.
# That takes over a minute, so the outcome is kept by the content of what went in.
shrink() {
  local module=$1 shrunk
  shrunk=$LOGIT_LAB_CACHE/shrunk/$(cat "$module" package-lock.json | sha256sum | cut -c1-16).wasm
  if [ ! -f "$shrunk" ]; then
    mkdir -p "$LOGIT_LAB_CACHE/shrunk"
    npx --no-install wasm-opt -O2 --enable-simd --enable-bulk-memory --enable-nontrapping-float-to-int \
      --enable-sign-ext --enable-mutable-globals --enable-reference-types --enable-multivalue \
      "$module" -o "$shrunk.unfinished"
    mv "$shrunk.unfinished" "$shrunk"
    ls -t "$LOGIT_LAB_CACHE"/shrunk/*.wasm | tail -n +5 | xargs -r rm -f
  fi
  cp "$shrunk" "$module"
}

node scripts/vendor.mjs
relaxed=$LOGIT_LAB_CACHE/relaxed/$(engine_digest)
say "building the relaxed engine (the first time takes minutes)"
build_relaxed "$relaxed"
say "building the page"
trunk build --skip-version-check --locked >&2
say "shrinking the engine"
shrink dist/logit-lab-web_bg.wasm
cp -R "$relaxed" dist/relaxed
node scripts/arrange-dist.mjs "$@" dist >&2
say "built dist/ ($(du -sh dist | cut -f1))"
