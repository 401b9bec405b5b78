#!/usr/bin/env bash
# Puts Pythia-14M into www/models/pythia-14m/, so that the page and every copy of it serve the model from their own host.
# What is fetched, and what it must be, stands in www/models/catalogue.json. An interrupted run goes on where it was.
#
# usage: fetch-pythia.sh
# LOGIT_LAB_HUB=https://mirror.example fetches from a mirror with the same layout (REPOSITORY/resolve/REVISION/FILE).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
[ $# -eq 0 ] || die "usage: fetch-pythia.sh (the address of a mirror goes into LOGIT_LAB_HUB)"
have curl || die "curl is missing; it does the download."
have node || die "Node is missing; it reads the catalogue."

# The lock as lines: first "hub repository revision", then "name bytes sha256" for each file. config.json comes last,
# because the page takes it as the sign that the folder is complete.
lock=$(node -e '
  const catalogue = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
  const model = catalogue.models.find((entry) => entry.id === "pythia-14m");
  console.log(catalogue.hub, model.hub.repository, model.hub.revision);
  const files = Object.entries(model.files).sort(([a], [b]) => (a === "config.json") - (b === "config.json"));
  for (const [name, file] of files) console.log(name, file.bytes, file.sha256);
' "$ROOT/www/models/catalogue.json") || die "www/models/catalogue.json has no complete entry for pythia-14m."
read -r hub repository revision <<<"$lock"
hub=${LOGIT_LAB_HUB:-$hub}
folder=$ROOT/www/models/pythia-14m
mkdir -p "$folder"

sha256_of() {
  if have sha256sum; then sha256sum "$1" | cut -d ' ' -f 1; else shasum -a 256 "$1" | cut -d ' ' -f 1; fi
}

size_of() { wc -c <"$1" | tr -d ' '; }

# as_locked FILE BYTES SHA256
as_locked() { [ "$(size_of "$1")" = "$2" ] && [ "$(sha256_of "$1")" = "$3" ]; }

fetch() {
  local name=$1 bytes=$2 sha256=$3
  local file=$folder/$name part=$folder/$name.part
  local url=${hub%/}/$repository/resolve/$revision/$name
  if [ -f "$file" ] && as_locked "$file" "$bytes" "$sha256"; then
    say "$name is here already"
    return
  fi
  # A part that is as long as the file or longer cannot be continued.
  if [ -f "$part" ] && [ "$(size_of "$part")" -ge "$bytes" ]; then rm "$part"; fi
  say "fetching $name ($bytes bytes) from $url"
  curl --fail --location --retry 3 --continue-at - --progress-bar --output "$part" "$url" \
    || die "$name could not be fetched from $url; see curl's message above. Run this again to go on where it stopped."
  local found
  found=$(size_of "$part")
  if [ "$found" != "$bytes" ]; then
    rm "$part"
    die "$name should have $bytes bytes and came with $found, so it was thrown away. Is $hub a complete mirror of the hub?"
  fi
  found=$(sha256_of "$part")
  if [ "$found" != "$sha256" ]; then
    rm "$part"
    die "$name has the right length and the wrong content (SHA-256 $found instead of $sha256), so it was thrown away."
  fi
  mv "$part" "$file"
}

while read -r name bytes sha256; do
  fetch "$name" "$bytes" "$sha256" </dev/null
done < <(tail -n +2 <<<"$lock")
say "Pythia-14M is in www/models/pythia-14m/: a page built from now on serves it from its own host."
