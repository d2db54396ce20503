#!/bin/sh
# Runs tests that take too long for every change, about half an hour: twenty thousand turns of one
# daemon, oversized files, two years of minutes in seven time zones, five thousand job histories,
# twenty thousand seeds, every pair of crashes, every mutant.

CDPATH='' cd -- "$(dirname -- "$0")/.." || exit 13
. ./scripts/setup.sh
hearth_setup dev
failed=0
"$runtime" --no-install --no-env-file test ./tests/long/soak.long.ts || failed=1
"$runtime" --no-install --no-env-file test ./tests/long/hostile-memory.long.ts || failed=1
HEARTH_WHOLE=1 "$runtime" --no-install --no-env-file test ./packages/warden/src/agents/schedule/time/calendar.test.ts || failed=1
HEARTH_RUNS=5000 "$runtime" --no-install --no-env-file test ./packages/warden/src/agents/schedule/time/years.test.ts || failed=1
sh scripts/simulate.sh --seeds "${HEARTH_SEEDS:-20000}" || failed=1
sh scripts/simulate.sh --enumerate || failed=1
sh scripts/mutants.sh || failed=1
exit "$failed"
