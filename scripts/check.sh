#!/bin/sh
# Checks format, lint, types, the UI's bundle and house rules in parallel.
# `--fix` formats the files and applies the linter's fixes.
# `--without-tests` leaves out the tests of the house rules, for a run of all tests that follows.

cd -- "$(dirname -- "$0")/.." || exit 1
house_tests=house
case ${1-} in
  "") ;;
  --fix) fix=1 ;;
  --without-tests) house_tests= ;;
  *)
    printf 'usage: scripts/check.sh [--fix | --without-tests]\n' >&2
    exit 2
    ;;
esac

. ./scripts/setup.sh
hearth_setup dev

tool() {
  name=$1
  shift
  "$runtime" --no-install "node_modules/$name" "$@"
}

if [ -n "${fix-}" ]; then
  tool oxlint/bin/oxlint --fix --quiet >/dev/null
  tool oxfmt/bin/oxfmt || exit 1
fi

results=$(mktemp -d) || exit 1
trap 'rm -rf "$results"' EXIT
trap 'exit 130' HUP INT TERM

# Runs a check in the background; its output is printed at the end if it fails.
begin() {
  title=$1
  shift
  (
    "$@" >"$results/$title.out" 2>&1 && : >"$results/$title.ok"
  ) &
}

# The compiler and the type-aware linter end after seconds, so they collect less garbage than a
# server would. Each gets one thread, because the checks run at the same time, and the threads of
# one compiler check many types once for each.
export GOGC=800 GOMEMLIMIT=2GiB GOMAXPROCS=1
builds=node_modules/.cache/hearth-check
mkdir -p "$builds"

# Checks types, and keeps the results for the next check.
check_types() {
  tool typescript/bin/tsc -p "$2" --singleThreaded --incremental --tsBuildInfoFile "$builds/$1.tsbuildinfo"
}

begin format tool oxfmt/bin/oxfmt --check
begin lint "$runtime" --no-install scripts/lint-changed.ts "$builds/lint.json"
begin cores check_types cores tsconfig.core.json
begin types check_types types tsconfig.json
begin ui check_types ui tsconfig.ui.json
begin examples check_types examples examples
# The browser loads a smaller schema library, so a schema can have right types and still not build.
begin bundle "$runtime" --no-install packages/ui/src/adapter/bun/build.ts "$results/bundle"
[ -z "$house_tests" ] || begin house "$runtime" --no-install test --timeout=120000 tests/house
wait

failed=0
for title in format lint cores types ui examples bundle $house_tests; do
  if [ -e "$results/$title.ok" ]; then
    printf '%s: ok\n' "$title"
  else
    failed=1
    printf '\n%s: FAILED\n' "$title"
    cat "$results/$title.out"
  fi
done
[ "$failed" -eq 0 ] || printf '\nTo fix the format, run: npm run check -- --fix\n'
exit "$failed"
