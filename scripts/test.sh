#!/bin/sh
# Runs every test of every workspace, or of the files whose path holds one of the words given: npm test -- packages/cli
# The last line is `N passed, N failed`.

CDPATH='' cd -- "$(dirname -- "$0")/.." || exit 13
. ./scripts/setup.sh
hearth_setup dev
exec "$runtime" --no-install --no-env-file scripts/run-tests.ts "$@"
