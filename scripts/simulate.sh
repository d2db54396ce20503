#!/bin/sh
# Runs the simulation: npm run simulate -- --seeds N [--seed S] [--json], or -- --enumerate. See tests/simulation.

CDPATH='' cd -- "$(dirname -- "$0")/.." || exit 13
. ./scripts/setup.sh
hearth_setup dev
exec "$runtime" --no-install --no-env-file scripts/simulate.ts "$@"
