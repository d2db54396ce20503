#!/bin/sh
# Makes all files of a release: npm run release -- --to FOLDER.
# docs/operations.md, "Making a release", has the details.

CDPATH='' cd -- "$(dirname -- "$0")/.." || exit 13
. ./scripts/setup.sh
hearth_setup dev
exec "$runtime" --no-install --no-env-file scripts/release/main.ts "$@"
