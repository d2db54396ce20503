#!/bin/sh
# Builds the virtual machine of qemu cells once for this checkout: an image of Debian packages, then
# the saved state of a booted machine. Needs no privileges and installs nothing. Keeps results whose
# inputs did not change; `--fresh` takes Debian's newest packages. `--shared` keeps the results in
# the user's cache folder, where later checkouts with the same inputs find them.
# Exits with 14 if a program is missing, 15 if packages could not be downloaded.

CDPATH='' cd -- "$(dirname -- "$0")/.." || exit 13
fresh=
shared=
for option in "$@"; do
  case $option in
    --fresh) fresh=1 ;;
    --shared) shared=1 ;;
    *)
      printf 'usage: scripts/build-rootfs.sh [--fresh] [--shared]\n' >&2
      exit 2
      ;;
  esac
done
. ./scripts/setup.sh
hearth_setup run

folder=node_modules/.hearth-vm
recipe=$(cat rootfs/build.sh rootfs/packages.txt rootfs/left-out.txt "$runtime" | cksum)
if [ -n "$shared" ]; then
  cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/hearth/vm
  kept=$cache/$(printf '%s' "$recipe" | tr ' ' -)
  mkdir -p "$kept" || exit 13
  touch "$kept"
  # Remove the results of inputs that no checkout has used for a month.
  find "$cache" -mindepth 1 -maxdepth 1 -type d -mtime +30 -exec rm -rf {} +
  [ -L "$folder" ] || rm -rf "$folder"
  ln -sfn "$kept" "$folder"
  # One checkout builds; the others wait for its result.
  exec 9>"$kept/lock"
  flock 9
fi
if [ -n "$fresh" ] || [ "$(cat "$folder/recipe" 2>/dev/null)" != "$recipe" ] || [ ! -e "$folder/image/root.img" ]; then
  rm -rf "$folder/image" "$folder/recipe" "$folder/kvm-failure"
  sh rootfs/build.sh "$PWD/$folder/image" "$PWD/$runtime" || exit
  printf '%s\n' "$recipe" >"$folder/recipe"
fi
exec "$runtime" --no-install --no-env-file packages/warden/src/adapter/bun/cells/qemu/prepare.ts
