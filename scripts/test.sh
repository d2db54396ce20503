#!/bin/sh
# Runs the tests of all workspaces, or of files whose path contains one of the given words: npm test -- packages/cli
# The last line of output is `N passed, N failed`.

CDPATH='' cd -- "$(dirname -- "$0")/.." || exit 13
. ./scripts/setup.sh
hearth_setup dev
exec "$runtime" --no-install --no-env-file scripts/run-tests.ts "$@"
