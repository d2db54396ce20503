#!/bin/sh
# Puts bugs into copies of the engine and sees whether the simulation notices: npm run mutants [-- WORD of a name]

CDPATH='' cd -- "$(dirname -- "$0")/.." || exit 13
. ./scripts/setup.sh
hearth_setup dev
exec "$runtime" --no-install --no-env-file tests/simulation/run-mutants.ts "$@"
