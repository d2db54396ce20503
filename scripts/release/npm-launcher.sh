#!/bin/sh
# Starts Hearth from its npm package, with the runtime that npm installed for this machine.

here=$0
while [ -h "$here" ]; do
  link=$(readlink "$here")
  case $link in
    /*) here=$link ;;
    *) here=${here%"${here##*/}"}$link ;;
  esac
done
HEARTH_CWD=$PWD
export HEARTH_CWD
CDPATH='' cd -- "${here%/*}" || exit 13

# npm puts dependencies below the package or beside it, and may install several builds of the runtime.
for runtime in "$PWD"/node_modules/@oven/bun-*/bin/bun "${PWD%/*}"/@oven/bun-*/bin/bun; do
  [ -f "$runtime" ] || continue
  "$runtime" --version >/dev/null 2>&1 || continue
  : "${BUN_JSC_useFTLJIT=0}" "${BUN_JSC_thresholdForOptimizeSoon=100}"
  : "${BUN_JSC_thresholdForOptimizeAfterWarmUp=100}" "${BUN_JSC_thresholdForOptimizeAfterLongWarmUp=100}"
  export BUN_JSC_useFTLJIT BUN_JSC_thresholdForOptimizeSoon
  export BUN_JSC_thresholdForOptimizeAfterWarmUp BUN_JSC_thresholdForOptimizeAfterLongWarmUp
  exec "$runtime" --no-install --no-env-file packages/cli/src/main.ts "$@"
done
printf 'Hearth: npm installed no runtime for this machine (%s on %s).\n  %s\n' "$(uname -s)" "$(uname -m)" \
  "Install hearth again without --omit=optional. It runs on Linux and macOS, on x64 and arm64." >&2
exit 10
