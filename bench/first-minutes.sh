#!/usr/bin/env bash
# From a clean clone to the first result, as one of three people: who wants a
# search service, who embeds the engine in a program, who measures the ranking of
# a collection of their own. Prints when each step was done, and the commands.
#
# The build cache is empty. "cold": the module cache is, too. "std": both are, but
# the standard library has been compiled, as it is for someone who has built other
# things with Go.
#
#	bench/first-minutes.sh [warm|cold|std] [service|embed|eval] [REPOSITORY]
set -euo pipefail
caches=${1:-warm}
person=${2:-service}
repository=$(realpath "${3:-$(dirname "$0")/..}")
dir=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; chmod -R u+w "$dir"; rm -rf "$dir"' EXIT

export GOCACHE=$dir/build
[ "$caches" = warm ] && GOMODCACHE=$(go env GOMODCACHE) || GOMODCACHE=$dir/modules
export GOMODCACHE
export HOME=$dir/home
mkdir "$HOME"
cd "$dir"
[ "$caches" = std ] && CGO_ENABLED=0 go build std

SECONDS=0
step() { printf '%4d s  %s\n' "$SECONDS" "$*"; }
TIMEFORMAT='        (%1U s of processor time, %1S s in the system)'

git clone -q "$repository" quarry
step git clone

service() {
	cd quarry
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
}

embed() {
	mkdir program
	cd program
	sed -n '/^\/\/\tpackage main$/,/^\/\/ # /{/^\/\/ # /d;s#^//\t\{0,1\}##p}' ../quarry/engine/doc.go > main.go
	go mod init program 2> log
	go work init . ../quarry # until the module is published: then it is go get
	time CGO_ENABLED=0 go run .
	step first result
}

evaluate() {
	cd quarry
	time make -s build
	step make build
	cat > products.csv <<-'END'
		id,title,price
		1,Red running shoes,39.5
		2,Blue running hat,9
		3,Trail shoes for women,80
		4,Shoe polish,4
	END
	printf '%s\t%s\t%s\n' 'runing shoe' 1 2 'runing shoe' 3 1 'runing shoe' 4 0 'hat for running' 2 2 > judgments.tsv
	bin/quarry eval --records products.csv --judgments judgments.tsv --ranking bm25 --run bm25.run
	step first figures
	bin/quarry eval --records products.csv --judgments judgments.tsv --compare bm25.run --by-query
	step a comparison
}

case $person in
service) service ;;
embed) embed ;;
eval) evaluate ;;
*) echo "service, embed or eval, not $person" >&2; exit 2 ;;
esac
