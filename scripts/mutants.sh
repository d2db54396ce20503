#!/bin/sh
# Inserts bugs into copies of the engine and checks that the simulation detects them: npm run mutants [-- PART-OF-NAME].
# With --families, checks that each fault family detects its mutant and that no other house does.

CDPATH='' cd -- "$(dirname -- "$0")/.." || exit 13
. ./scripts/setup.sh
hearth_setup dev
exec "$runtime" --no-install --no-env-file tests/simulation/run-mutants.ts "$@"
