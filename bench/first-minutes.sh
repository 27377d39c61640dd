#!/usr/bin/env bash
# From a clean clone to the first result, with an empty build cache and, with
# the argument "cold", an empty module cache; prints when each step was done. With
# "std" both are empty but for the standard library, as they are for someone who
# has built other things with Go.
#
#	bench/first-minutes.sh [warm|cold|std] [REPOSITORY]
set -euo pipefail
modules=${1:-warm}
repository=$(realpath "${2:-$(dirname "$0")/..}")
dir=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
server=

export GOCACHE=$dir/build
[ "$modules" = warm ] && GOMODCACHE=$(go env GOMODCACHE) || GOMODCACHE=$dir/modules
export GOMODCACHE
export HOME=$dir/home
mkdir "$HOME"
cd "$dir"
[ "$modules" = std ] && CGO_ENABLED=0 go build std

SECONDS=0
step() { printf '%4d s  %s\n' "$SECONDS" "$*"; }

git clone -q "$repository" quarry
cd quarry
step git clone

TIMEFORMAT='        (%1U s of processor time, %1S s in the system)'
time make -s build
step make build

bin/quarry demo > ready 2> log &
server=$!
until grep -q '^quarry: ready' ready; do
	kill -0 "$server" # still there
	sleep 0.05
done
step quarry demo is ready

read -r _ _ url ca key < ready
curl -sS --fail --cacert "${ca#ca=}" -H "Authorization: Bearer ${key#key=}" -H 'Content-Type: application/json' \
	"$url/v1/search" -d '{"q":"red running shoes","filter":"price < 90","facets":["brand"],"limit":3}' | grep -o '"title":"[^"]*"' | head -3
step first result
