#!/bin/sh
# Makes what a cell's machine is made of from Debian packages: kernel, drivers, busybox and the root image.
# usage: build.sh FOLDER RUNTIME. Runs as anyone, installs nothing; FOLDER must not exist and is there, whole, only after success.
# Exits with 14 where a program that it needs is missing, 15 when packages could not be downloaded.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
folder=$1
runtime=$2

need() { command -v "$1" >/dev/null 2>&1 || { printf 'rootfs: %s is missing: apt-get install %s\n' "$1" "$2" >&2; exit 14; }; }
PATH=$PATH:/usr/sbin:/sbin
need apt-get apt
need dpkg-deb dpkg
need mke2fs e2fsprogs
say() { printf 'rootfs: %s\n' "$*" >&2; }
words() { sed -e '/^#/d' -e '/^$/d' "$1"; }

mkdir -p "$(dirname -- "$folder")"
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# A Debian of its own, empty, beside the one that runs here: so apt finds all that a package needs and touches nothing.
mkdir -p "$work/apt/archives/partial" "$work/apt/lists/partial" "$work/root" "$work/kernel" "$work/out/modules"
: >"$work/apt/status"
apt() {
  tool=$1
  shift
  "$tool" -qq -o Debug::NoLocking=1 -o APT::Sandbox::User= -o Dir::Cache="$work/apt" -o Dir::Cache::archives="$work/apt/archives" \
    -o Dir::State::status="$work/apt/status" ${lists:+-o Dir::State::lists="$lists"} "$@"
}
lists=
kernel_of() { apt apt-cache show linux-image-cloud-amd64 2>/dev/null | sed -n 's/^Depends: \(linux-image-[^ ,]*\).*/\1/p' | head -n 1; }
if [ -z "$(kernel_of)" ]; then
  say "reading Debian's lists of packages ..."
  lists=$work/apt/lists
  apt apt-get update >"$work/log" 2>&1 || { tail -n 3 "$work/log" >&2; exit 15; }
fi
kernel=$(kernel_of)
[ -n "$kernel" ] || { say "Debian's sources here have no linux-image-cloud-amd64"; exit 15; }

say "downloading packages, about 75 MB ..."
(
  # shellcheck disable=SC2046
  apt apt-get install -y --no-install-recommends --download-only $(words "$here/packages.txt") &&
    cd "$work/kernel" && apt apt-get download "$kernel"
) >"$work/log" 2>&1 </dev/null || { tail -n 3 "$work/log" >&2; exit 15; }

say "unpacking ..."
for package in "$work"/apt/archives/*.deb; do
  name=$(basename -- "$package")
  if words "$here/left-out.txt" | grep -qxF -- "${name%%_*}"; then continue; fi
  dpkg-deb -x "$package" "$work/root"
  printf '%s\n' "$name" >>"$work/out/packages"
done
dpkg-deb -x "$work"/kernel/*.deb "$work/kernel/root"
printf '%s\n' "$(basename -- "$work"/kernel/*.deb)" >>"$work/out/packages"

cp "$work"/kernel/root/boot/vmlinuz-* "$work/out/kernel"
for module in virtio_ring virtio virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_blk virtio_console; do
  find "$work/kernel/root/lib/modules" -name "$module.ko" -exec cp {} "$work/out/modules/" \;
done
cp "$work/root/bin/busybox" "$work/out/busybox"

say "making the root image ..."
cd "$work/root"
for name in doc man locale info i18n bash-completion lintian zoneinfo gitweb; do rm -rf "usr/share/$name"; done
rm -rf usr/lib/x86_64-linux-gnu/gconv var/cache/* boot home
cp -- "$runtime" usr/bin/bun
mkdir -p cell mnt/brain mnt/disk
find usr/share/ca-certificates/mozilla -name '*.crt' | LC_ALL=C sort | xargs cat >etc/ssl/certs/ca-certificates.crt
printf 'root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1000:agent:/mnt/brain/workspace:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n' >etc/passwd
printf 'root:x:0:\nagent:x:1000:\nnogroup:x:65534:\n' >etc/group
printf '127.0.0.1 localhost cell\n::1 localhost\n' >etc/hosts
printf 'passwd: files\ngroup: files\nhosts: files\n' >etc/nsswitch.conf
ln -sf mawk usr/bin/awk
: >etc/resolv.conf
# No program of the image lends its owner's rights.
find . -type f -perm /6000 -exec chmod ug-s {} +
megabytes=$(($(du -sm --apparent-size . | cut -f1) + 24))
# As root of a user namespace where there is one, so that the files are root's whoever builds.
as_root=
if [ "$(id -u)" != 0 ] && unshare -r true 2>/dev/null; then as_root="unshare -r"; fi
$as_root mke2fs -q -F -t ext4 -d . -O ^has_journal -E lazy_itable_init=0,root_owner=0:0,nodiscard -m 0 -b 4096 "$work/out/root.img" "${megabytes}M" >/dev/null
cd "$here"
chmod -R a+rX "$work/out"
mv -T -- "$work/out" "$folder" 2>/dev/null || [ -e "$folder/root.img" ]
say "done: $(du -sm "$folder" | cut -f1) MB in $folder"
