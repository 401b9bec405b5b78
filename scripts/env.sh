# Sourced by every script: where things are, and which versions are pinned.
# Nothing here installs anything; setup.sh does.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Tools and dependency builds are kept outside the clone, so that a second clone is ready in minutes.
LOGIT_LAB_CACHE=${LOGIT_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/logit-lab}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$LOGIT_LAB_CACHE/target}
export PATH="$LOGIT_LAB_CACHE/bin:$PATH"

# RUSTFLAGS would replace the flags of .cargo/config.toml (SIMD, the random source of the browser).
unset RUSTFLAGS

# Pinned once, here. A tidy test holds Cargo.toml, Trunk.toml and this file equal.
WASM_BINDGEN_VERSION=0.2.130
TRUNK_VERSION=0.21.14
GECKODRIVER_VERSION=0.37.1
WASM_TARGET=wasm32-unknown-unknown
# The name under which setup.sh links a toolchain built from Debian's packages, where rustup has no target to offer.
WASM_TOOLCHAIN_NAME=logit-lab-wasm

say() { printf '%s\n' "logit-lab: $*" >&2; }
die() { say "error: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# The engines that the browser tests run in: all, unless LOGIT_LAB_BROWSERS names fewer.
BROWSERS=${LOGIT_LAB_BROWSERS:-chromium firefox webkit}

# The toolchain that builds for WebAssembly: the pinned one where it has the target, else the linked one.
wasm_toolchain() {
  local sysroot
  sysroot=$(cd "$ROOT" && rustc --print sysroot)
  if [ -d "$sysroot/lib/rustlib/$WASM_TARGET" ]; then
    basename "$sysroot"
  else
    printf '%s\n' "$WASM_TOOLCHAIN_NAME"
  fi
}

chromium_path() {
  if [ -n "${CHROMIUM:-}" ]; then printf '%s\n' "$CHROMIUM"; return; fi
  command -v chromium || command -v chromium-browser || command -v google-chrome || true
}

chromedriver_path() {
  if [ -n "${CHROMEDRIVER:-}" ]; then printf '%s\n' "$CHROMEDRIVER"; return; fi
  command -v chromedriver || true
}

firefox_path() {
  if [ -n "${FIREFOX:-}" ]; then printf '%s\n' "$FIREFOX"; return; fi
  command -v firefox-esr || command -v firefox || true
}

# setup.sh builds it.
geckodriver_path() { printf '%s\n' "${GECKODRIVER:-$LOGIT_LAB_CACHE/bin/geckodriver}"; }

webkit_driver_path() {
  if [ -n "${WEBKIT_DRIVER:-}" ]; then printf '%s\n' "$WEBKIT_DRIVER"; return; fi
  command -v WebKitWebDriver || true
}
