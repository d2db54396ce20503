#!/bin/sh
# Layout, lint, types and the house's own rules, side by side. `--fix` writes the layout and what the linter can mend.

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

drawer=$(mktemp -d) || exit 1
trap 'rm -rf "$drawer"' EXIT
trap 'exit 130' HUP INT TERM

# Says nothing while all is well; see below.
begin() {
  title=$1
  shift
  (
    "$@" >"$drawer/$title.out" 2>&1 && : >"$drawer/$title.well"
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

wrong=0
for title in format lint cores types ui examples house; do
  if [ -e "$drawer/$title.well" ]; then
    printf '%s: well\n' "$title"
  else
    wrong=1
    printf '\n%s: NOT WELL\n' "$title"
    cat "$drawer/$title.out"
  fi
done
[ "$wrong" -eq 0 ] || printf '\nLayout is mended by: npm run check -- --fix\n'
exit "$wrong"
