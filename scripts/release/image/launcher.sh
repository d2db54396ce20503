#!/bin/sh
# Starts Hearth in its container image.

HEARTH_CWD=$PWD
export HEARTH_CWD
cd /opt/hearth || exit 13
: "${BUN_JSC_useFTLJIT=0}" "${BUN_JSC_thresholdForOptimizeSoon=100}"
: "${BUN_JSC_thresholdForOptimizeAfterWarmUp=100}" "${BUN_JSC_thresholdForOptimizeAfterLongWarmUp=100}"
export BUN_JSC_useFTLJIT BUN_JSC_thresholdForOptimizeSoon
export BUN_JSC_thresholdForOptimizeAfterWarmUp BUN_JSC_thresholdForOptimizeAfterLongWarmUp
# The image is read-only.
BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
export BUN_RUNTIME_TRANSPILER_CACHE_PATH
exec bin/bun --no-install --no-env-file packages/cli/src/main.ts "$@"
