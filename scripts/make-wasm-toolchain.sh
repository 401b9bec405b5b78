#!/usr/bin/env bash
# Builds a toolchain folder for rustup to link: Debian's rustc (rustc-web, cargo-web, rust-web-src) with a standard
# library for wasm32-unknown-unknown, compiled once from Debian's source. About a minute on two cores, 85 MB.
#
# usage: make-wasm-toolchain.sh FOLDER
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
[ $# -eq 1 ] || die "usage: make-wasm-toolchain.sh FOLDER"

folder=$(realpath -m "$1")
host=$(/usr/bin/rustc -vV | sed -n 's/^host: //p')
debian_libraries=$(/usr/bin/rustc --print sysroot)/lib/rustlib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# -Z build-std compiles the standard library for the dependencies of some crate: an empty one serves.
mkdir "$work/src"
: > "$work/src/lib.rs"
cat > "$work/Cargo.toml" <<'TOML'
[package]
name = "standard_library_only"
version = "0.0.0"
edition = "2021"

[profile.release]
debug = false
panic = "abort"
TOML
(
  cd "$work"
  # RUSTC_BOOTSTRAP lets a stable compiler accept -Z for this one build; bitcode is what link-time optimisation needs.
  PATH=/usr/bin:$PATH RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Cembed-bitcode=yes CARGO_TARGET_DIR=$work/target \
    RUSTUP_TOOLCHAIN='' /usr/bin/cargo build --quiet --release --target "$WASM_TARGET" -Z build-std=std,panic_abort,test,proc_macro
) || die "the standard library for $WASM_TARGET did not build; see the compiler's message above."

rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/lib/rustlib/$WASM_TARGET/lib" "$folder/lib/rustlib/$host/bin"
cp "$work/target/$WASM_TARGET/release/deps/"lib*.rlib "$folder/lib/rustlib/$WASM_TARGET/lib/"
rm -f "$folder/lib/rustlib/$WASM_TARGET/lib/"libstandard_library_only-*.rlib
ln -s "$debian_libraries/$host/lib" "$folder/lib/rustlib/$host/lib"
ln -s "$debian_libraries/src" "$folder/lib/rustlib/src"

# The linker: rustup's own rust-lld reads what Debian's rustc writes.
linker=$(cd "$ROOT" && find "$(rustc --print sysroot)/lib/rustlib" -name rust-lld -type f | head -1)
[ -n "$linker" ] || die "no rust-lld in the pinned rustup toolchain."
ln -s "$linker" "$folder/lib/rustlib/$host/bin/rust-lld"

ln -s /usr/bin/cargo "$folder/bin/cargo"
ln -s /usr/bin/rustdoc "$folder/bin/rustdoc"
printf '#!/bin/sh\nexec /usr/bin/rustc --sysroot %s "$@"\n' "$folder" > "$folder/bin/rustc"
chmod +x "$folder/bin/rustc"
