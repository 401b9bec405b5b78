#!/usr/bin/env bash
# Prepares a machine that has Rust (rustup), Node and, where something is missing, apt-get.
# Safe to run again: every step looks first. `setup.sh --test` also prepares what only the tests need (browsers).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

want_browsers=no
case "${1:-}" in
  --test) want_browsers=yes ;;
  "") ;;
  *) die "unknown option '$1'; usage: scripts/setup.sh [--test]" ;;
esac

# apt_install WHY PACKAGE...
apt_install() {
  local why=$1; shift
  have apt-get || die "$why, and this machine has no apt-get. Please install by hand: $*"
  local sudo=""
  if [ "$(id -u)" != 0 ]; then
    have sudo || die "$why: installing $* needs root, and sudo is not there."
    sudo=sudo
  fi
  say "$why: installing $* with apt-get"
  $sudo apt-get update -qq || die "apt-get update failed; see its message above."
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2 \
    || die "apt-get could not install $*; see its message above."
}

check_basics() {
  have rustup || die "rustup is missing. Install Rust as https://rustup.rs says, then run this again."
  have node || die "Node is missing (20.14 or newer). On Debian: apt-get install nodejs npm."
  have npm || die "npm is missing; it usually comes with Node."
  node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 14) ? 0 : 1)' \
    || die "Node 20.14 or newer is needed, this is $(node --version)."
  have cc || apt_install "some Rust crates need a C compiler" build-essential
  (cd "$ROOT" && cargo --version >/dev/null) \
    || die "the pinned Rust toolchain (rust-toolchain.toml) is not here and rustup could not fetch it."
}

# rustup's target where rustup can fetch it; else Debian's compiler for the web, with its standard library built once.
ensure_wasm_target() {
  local toolchain
  toolchain=$(wasm_toolchain)
  if [ "$toolchain" != "$WASM_TOOLCHAIN_NAME" ]; then return; fi
  if rustup toolchain list | grep -q "^$WASM_TOOLCHAIN_NAME" \
    && [ -d "$(rustc "+$WASM_TOOLCHAIN_NAME" --print sysroot 2>/dev/null)/lib/rustlib/$WASM_TARGET" ]; then return; fi
  say "asking rustup for the $WASM_TARGET target"
  if (cd "$ROOT" && rustup target add "$WASM_TARGET" >&2); then return; fi
  say "rustup cannot fetch it; building the target's standard library from Debian's packages (about a minute)"
  [ -x /usr/bin/rustc ] && [ -d /usr/lib/rustlib/src ] && [ -x /usr/bin/cargo ] \
    || apt_install "rustup has no $WASM_TARGET to offer" rustc-web cargo-web rust-web-src
  "$ROOT/scripts/make-wasm-toolchain.sh" "$LOGIT_LAB_CACHE/wasm-toolchain"
  rustup toolchain link "$WASM_TOOLCHAIN_NAME" "$LOGIT_LAB_CACHE/wasm-toolchain"
}

# ensure_cargo_tool BINARY CRATE VERSION [cargo install options]
ensure_cargo_tool() {
  local binary=$1 crate=$2 version=$3; shift 3
  if [ "$("$LOGIT_LAB_CACHE/bin/$binary" --version 2>/dev/null | grep -o '[0-9][0-9.]*[0-9]' | head -1)" = "$version" ]; then return; fi
  say "building $crate $version (minutes, once)"
  (cd "$ROOT" && CARGO_TARGET_DIR="$LOGIT_LAB_CACHE/tools-target" \
    cargo install "$crate" --version "$version" --root "$LOGIT_LAB_CACHE" --force --quiet "$@" >&2) \
    || die "cargo could not install $crate $version; see its message above."
}

ensure_npm_packages() {
  local stamp=$ROOT/node_modules/.package-lock.json
  if [ -f "$stamp" ] && [ "$stamp" -nt "$ROOT/package-lock.json" ]; then return; fi
  say "installing npm packages by lockfile"
  (cd "$ROOT" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2) || die "npm ci failed; see its message above."
}

# The browsers that the tests run in, with their drivers. Without one of them the tests do not begin.
ensure_browsers() {
  local missing=() browser
  # The engine's own tests run in Chromium, whatever else is left out.
  for browser in chromium $BROWSERS; do
    case "$browser" in
      chromium)
        [ -n "$(chromium_path)" ] || missing+=(chromium)
        [ -n "$(chromedriver_path)" ] || missing+=(chromium-driver)
        ;;
      firefox) [ -n "$(firefox_path)" ] || missing+=(firefox-esr) ;;
      webkit)
        [ -n "$(webkit_driver_path)" ] || missing+=(webkit2gtk-driver)
        # It has no headless mode.
        have Xvfb || missing+=(xvfb)
        ;;
      *) die "LOGIT_LAB_BROWSERS names '$browser'; it can name chromium, firefox and webkit." ;;
    esac
  done
  [ ${#missing[@]} -eq 0 ] || apt_install "the tests run in $BROWSERS (LOGIT_LAB_BROWSERS can name fewer)" "${missing[@]}"
  case " $BROWSERS " in *" firefox "*)
    [ -n "${GECKODRIVER:-}" ] || ensure_cargo_tool geckodriver geckodriver "$GECKODRIVER_VERSION" --locked ;;
  esac
}

mkdir -p "$LOGIT_LAB_CACHE/bin"
check_basics
ensure_wasm_target
# wasm-bindgen-cli's own lockfile names a crate version that is gone, so it is installed without --locked.
ensure_cargo_tool wasm-bindgen wasm-bindgen-cli "$WASM_BINDGEN_VERSION"
ensure_cargo_tool trunk trunk "$TRUNK_VERSION" --locked
ensure_npm_packages
[ "$want_browsers" = no ] || ensure_browsers
say "set up: $(cd "$ROOT" && rustc --version), WebAssembly by toolchain '$(wasm_toolchain)', cache in $LOGIT_LAB_CACHE"
