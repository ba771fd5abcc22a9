#!/usr/bin/env bash
# Builds the images of the last commit twice, without a cache, and compares their layers:
#   scripts/images/reproduce.sh [APP…]
# It uses buildah, or else docker with a buildx builder that exports OCI archives. Further arguments
# of the builds, such as pinned base images, come from BUILD_ARGS.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if (($# == 0)); then set -- api realtime-gateway worker admin provider-simulator; fi
read -ra more <<<"${BUILD_ARGS:-}"
revision=$(git rev-parse HEAD)
epoch=$(git log -1 --format=%ct)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/source"
git archive HEAD | tar -x -C "$scratch/source"

# Prints what identifies the image of the app $1, built with the tag $2.
build() {
  local args=(--no-cache --file "$scratch/source/deploy/Dockerfile" --build-arg "APP=$1" --build-arg "REVISION=$revision"
    --build-arg "SOURCE_DATE_EPOCH=$epoch" "${more[@]}" "$scratch/source")
  if command -v buildah >/dev/null; then
    buildah build --timestamp "$epoch" --tag "localhost/parley-reproduce:$2" "${args[@]}" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2 && return 1; }
    buildah inspect --type image --format '{{range .OCIv1.RootFS.DiffIDs}}{{println .}}{{end}}' "localhost/parley-reproduce:$2"
  else
    docker buildx build --provenance=false --output "type=oci,dest=$scratch/$2.tar,rewrite-timestamp=true" "${args[@]}" >&2
    tar -xOf "$scratch/$2.tar" index.json | grep -o 'sha256:[0-9a-f]*'
  fi
}

failed=0
for app in "$@"; do
  first=$(build "$app" first)
  second=$(build "$app" second)
  if [[ -n $first && $first == "$second" ]]; then
    echo "$app: the same, $(tail -n 1 <<<"$first")"
  else
    echo "$app: differs"
    diff <(echo "$first") <(echo "$second") || true
    failed=1
  fi
done
exit "$failed"
