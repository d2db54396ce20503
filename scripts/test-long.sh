#!/bin/sh
# Runs tests that take too long for every change, about fifty minutes: journeys and browser tests
# whose clauses a faster suite covers, each page in every width and theme, twenty thousand turns of
# one daemon, oversized files, two years of minutes in seven time zones, cells that use up the
# limits of an emulated machine, documents that use up those of their converter, a browser behind
# each proxy, a real Prometheus if there is one, a disk that fails at more statements, backups,
# restores, exports, imports and updates that end at every operation, the procedures of the page on
# operations, a release that is built twice and installed, its container image, a home that OpenClaw
# made, two hundred kills of a daemon, four houses that are killed around their jobs, five thousand
# job histories, twenty thousand seeds, every pair of crashes, every mutant, and the mutant of each
# fault family with and without it.

CDPATH='' cd -- "$(dirname -- "$0")/.." || exit 13
. ./scripts/setup.sh
hearth_setup dev
failed=0
# They start the command, which is compiled ahead as after an install.
"$runtime" --no-install --no-env-file packages/cli/src/compiled/build.ts || failed=1
for file in ./tests/browser/*.long.ts ./tests/journeys/*.long.ts; do
  "$runtime" --no-install --no-env-file test --timeout=300000 "$file" || failed=1
done
"$runtime" --no-install --no-env-file test ./tests/long/soak.long.ts || failed=1
"$runtime" --no-install --no-env-file test ./tests/long/hostile-memory.long.ts || failed=1
"$runtime" --no-install --no-env-file test --timeout=300000 ./tests/long/operations.long.ts || failed=1
"$runtime" --no-install --no-env-file test --timeout=300000 ./tests/long/release.long.ts || failed=1
"$runtime" --no-install --no-env-file test --timeout=300000 ./tests/long/container.long.ts || failed=1
"$runtime" --no-install --no-env-file test ./tests/long/openclaw-home.long.ts || failed=1
HEARTH_WHOLE=1 "$runtime" --no-install --no-env-file test ./packages/warden/src/agents/schedule/time/calendar.test.ts || failed=1
HEARTH_WHOLE=1 "$runtime" --no-install --no-env-file test --timeout=600000 ./packages/warden/src/adapter/bun/cells/limits.test.ts || failed=1
HEARTH_WHOLE=1 "$runtime" --no-install --no-env-file test --timeout=60000 ./packages/warden/src/adapter/bun/cells/documents.test.ts || failed=1
HEARTH_WHOLE=1 "$runtime" --no-install --no-env-file test ./packages/warden/src/kernel/store/full-disk.test.ts || failed=1
HEARTH_WHOLE=1 "$runtime" --no-install --no-env-file test --timeout=600000 ./tests/browser/public-address.test.ts || failed=1
HEARTH_WHOLE=1 "$runtime" --no-install --no-env-file test ./packages/warden/src/adapter/bun/backup ./packages/warden/src/adapter/bun/export ./packages/warden/src/adapter/bun/upgrade || failed=1
HEARTH_WHOLE=1 "$runtime" --no-install --no-env-file test --timeout=60000 ./tests/journeys/prometheus.test.ts || failed=1
HEARTH_KILLS=200 "$runtime" --no-install --no-env-file test ./tests/journeys/kills.test.ts || failed=1
HEARTH_HOUSES=4 "$runtime" --no-install --no-env-file test ./tests/journeys/job-kills.test.ts || failed=1
HEARTH_RUNS=5000 "$runtime" --no-install --no-env-file test ./packages/warden/src/agents/schedule/time/years.test.ts || failed=1
sh scripts/simulate.sh --seeds "${HEARTH_SEEDS:-20000}" || failed=1
sh scripts/simulate.sh --enumerate || failed=1
sh scripts/mutants.sh || failed=1
sh scripts/mutants.sh --families || failed=1
exit "$failed"
