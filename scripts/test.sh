#!/usr/bin/env bash
# Runs every check and ends with a line "N passed, N failed" (and ", N skipped" where something was).
# A check that fails does not hide the ones after it. Logs are kept in the cache folder.
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
"$ROOT/scripts/setup.sh" --test || exit 1
cd "$ROOT"

logs=$LOGIT_LAB_CACHE/logs
rm -rf "$logs"
mkdir -p "$logs"
passed=0 failed=0 skipped=0

# check NAME COMMAND...: runs a command and counts its tests, or itself as one where it reports none.
check() {
  local name=$1; shift
  local log=$logs/$name.log status=0 started=$SECONDS
  printf '== %s\n' "$name"
  "$@" >"$log" 2>&1 || status=$?
  local ok bad missing
  ok=$(sum 's/^test result: [a-zA-Z]*\. \([0-9]*\) passed.*/\1/p; s/^[#ℹ] pass \([0-9]*\)$/\1/p' "$log")
  bad=$(sum 's/^test result: .* \([0-9]*\) failed;.*/\1/p; s/^[#ℹ] fail \([0-9]*\)$/\1/p' "$log")
  missing=$(grep -c 'skipped: ' "$log")
  if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
  if [ "$status" -eq 0 ] && [ $((ok + bad)) -eq 0 ]; then ok=1; fi
  [ "$status" -eq 0 ] || tell_failure "$name" "$status" "$log"
  grep -h 'skipped: ' "$log"
  printf '   %s passed, %s failed in %s s\n' "$ok" "$bad" "$((SECONDS - started))"
  passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + missing))
  return "$status"
}

# The tests that failed, each with what it said, and the end of the log.
tell_failure() {
  printf -- '-- %s failed (status %s); what failed:\n' "$1" "$2"
  grep -E -A 25 '^ *not ok |^---- .* stdout ----|panicked at' "$3" | head -n 150
  printf -- '-- the end of its log:\n'
  tail -n 40 "$3"
}

# Adds up the numbers that a sed script finds in a file.
sum() { sed -n "$1" "$2" | awk '{ total += $1 } END { print total + 0 }'; }

make_stand_in() {
  mkdir -p tests/fixtures/generated
  export LOGIT_LAB_STAND_IN=$ROOT/tests/fixtures/generated/stand-in.safetensors
  cargo run --quiet --locked -p logit-lab-tests --bin make-stand-in -- "$LOGIT_LAB_STAND_IN"
  cargo run --quiet --locked -p logit-lab-tests --bin make-stand-in -- --shape pythia-31m --shards 2 \
    "$(dirname "$LOGIT_LAB_STAND_IN")/pythia-31m"
}

# wasm_tests [cargo options]
wasm_tests() {
  RUSTUP_TOOLCHAIN=$(wasm_toolchain) CHROMEDRIVER=$(chromedriver_path) WASM_BINDGEN_TEST_TIMEOUT=300 \
    cargo test --release --locked -p logit-lab-tests --target "$WASM_TARGET" --test wasm "$@"
}

# browser_tests ENGINE: the files that run in it, as tests/browser/run.mjs says.
browser_tests() {
  CHROMIUM=$(chromium_path) CHROMEDRIVER=$(chromedriver_path) FIREFOX=$(firefox_path) GECKODRIVER=$(geckodriver_path) \
    WEBKIT_DRIVER=$(webkit_driver_path) LOGIT_LAB_DIST=$ROOT/dist LOGIT_LAB_PATIENCE=${LOGIT_LAB_PATIENCE:-3} node tests/browser/run.mjs "$1"
}

check vendor node scripts/vendor.mjs
check types npx --no-install tsc -p tsconfig.json
check types-service-worker npx --no-install tsc -p www/offline/tsconfig.json
check node node --test tests/web/*.test.mjs
check format cargo fmt --all --check
check clippy cargo clippy --locked --workspace --all-targets -- -D warnings
check docs env RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps
check native cargo test --locked --workspace --no-fail-fast -- --nocapture
if check build scripts/build.sh; then
  check wasm wasm_tests
  check wasm-relaxed wasm_tests --features relaxed-simd
  check stand-in make_stand_in
  for browser in chromium firefox webkit; do
    case " $BROWSERS " in
      *" $browser "*) check "browser-$browser" browser_tests "$browser" ;;
      *)
        printf 'skipped: the browser tests in %s (LOGIT_LAB_BROWSERS is "%s")\n' "$browser" "$BROWSERS"
        skipped=$((skipped + 1))
        ;;
    esac
  done
fi

summary="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || summary="$summary, $skipped skipped"
printf '%s\n' "$summary"
[ "$failed" -eq 0 ]
