#!/bin/sh
# Builds the virtual machine of qemu cells once for this checkout: an image of Debian packages, then
# the saved state of a booted machine. Needs no privileges and installs nothing. Keeps results whose
# inputs did not change; `--fresh` takes Debian's newest packages.
# Exits with 14 if a program is missing, 15 if packages could not be downloaded.

CDPATH='' cd -- "$(dirname -- "$0")/.." || exit 13
. ./scripts/setup.sh
hearth_setup run

folder=node_modules/.hearth-vm
recipe=$(cat rootfs/build.sh rootfs/packages.txt rootfs/left-out.txt "$runtime" | cksum)
if [ "${1-}" = --fresh ] || [ "$(cat "$folder/recipe" 2>/dev/null)" != "$recipe" ] || [ ! -e "$folder/image/root.img" ]; then
  rm -rf "$folder/image" "$folder/recipe"
  sh rootfs/build.sh "$PWD/$folder/image" "$PWD/$runtime" || exit
  printf '%s\n' "$recipe" >"$folder/recipe"
fi
exec "$runtime" --no-install --no-env-file packages/warden/src/adapter/bun/cells/qemu/prepare.ts
