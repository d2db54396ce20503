#!/bin/sh
# Makes random mutants of the production code and reports the survivors:
# npm run mutants:random -- --help

CDPATH='' cd -- "$(dirname -- "$0")/.." || exit 13
. ./scripts/setup.sh
hearth_setup dev
exec "$runtime" --no-install --no-env-file tests/mutants/main.ts "$@"
