#!/bin/sh
# Makes everything that a release consists of: npm run release -- --to FOLDER. See docs/operations.md, "Making a release".

CDPATH='' cd -- "$(dirname -- "$0")/.." || exit 13
. ./scripts/setup.sh
hearth_setup dev
exec "$runtime" --no-install --no-env-file scripts/release/main.ts "$@"
