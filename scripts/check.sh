#!/bin/sh
# Checks format, lint, types and house rules in parallel. `--fix` formats the files and applies the linter's fixes.

cd -- "$(dirname -- "$0")/.." || exit 1
case ${1-} in
  "") ;;
  --fix) fix=1 ;;
  *)
    printf 'usage: scripts/check.sh [--fix]\n' >&2
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

begin format tool oxfmt/bin/oxfmt --check
begin lint tool oxlint/bin/oxlint
begin cores tool typescript/bin/tsc -p tsconfig.core.json
begin types tool typescript/bin/tsc -p tsconfig.json
begin ui tool typescript/bin/tsc -p tsconfig.ui.json
begin examples tool typescript/bin/tsc -p examples
begin house "$runtime" --no-install test --parallel --timeout=120000 tests/house
wait

failed=0
for title in format lint cores types ui examples house; do
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
