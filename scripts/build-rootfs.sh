#!/bin/sh
# Makes the machine that cells of kind qemu are, once for this checkout: the image from Debian packages, then a machine that has booted and
# waits. Runs as anyone and installs nothing. What is there already and made of the same is kept; `--fresh` takes Debian's newest packages.
# Exits with 14 where a program is missing, 15 where packages could not be downloaded.

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
