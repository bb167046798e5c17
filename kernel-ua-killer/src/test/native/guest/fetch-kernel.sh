#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Downloads the newest Debian cloud kernel whose version matches a pattern, and unpacks what a guest boots:
#   fetch-kernel.sh CACHE PATTERN amd64|arm64     echoes the directory with vmlinuz, version and modules/ (in loading order)
# Exits with 1 and the reason on standard error if the kernel cannot be provided.
set -euo pipefail
cache=$1 pattern=$2 architecture=$3
# lzo-rle: zram of older kernels compresses with a module that it does not name.
modules="virtio_pci virtio_blk virtio_net ext4 lzo-rle zram"
mkdir -p "$cache"/{packages,kernels}

# shellcheck source=kernel-ua-killer/src/test/native/guest/archive.sh
. "$(dirname "$0")/archive.sh"
# An old release disappears from the mirrors some day; it must not fail the update of the others.
case $architecture-$pattern in
amd64-5*) use_archive "$cache/bullseye" bullseye bullseye-security amd64 ;;
amd64-*) use_archive "$cache" trixie-backports "trixie-security bookworm-security" amd64 ;;
*) use_archive "$cache/$architecture-kernels" trixie-backports trixie-security "$architecture" ;;
esac

names=$(apt-cache pkgnames linux-)
version=$(sed -nE "s/^linux-(binary|image)-(${pattern}[^-]*(-[0-9]+)?)-cloud-$architecture$/\2/p" <<<"$names" | sort -V | tail -1)
[ -n "$version" ] || die "no kernel package matches $pattern; apt-get update: $(grep -m 1 ^E: "${APT_CONFIG%/*}/update.log" || echo succeeded)"
version=$version-cloud-$architecture
kernel=$cache/kernels/$version
[ "$(cat "$kernel/wanted" 2>/dev/null)" != "$modules" ] || { echo "$kernel"; exit 0; }

packages=linux-image-$version
grep -qx "linux-binary-$version" <<<"$names" && packages="linux-binary-$version linux-modules-$version"
unpacked=$(mktemp -d "$cache/unpack.XXXXXX")
trap 'rm -rf "$unpacked"' EXIT
cd "$cache/packages"
for package in $packages; do
  apt-get -qq download "$package" >"$cache/download.log" 2>&1 ||
    die "$package cannot be downloaded: $(grep -m 1 ^E: "$cache/download.log" || true)"
  archive=$(find . -name "${package}_*.deb" | sort -V | tail -1)
  dpkg-deb -x "$archive" "$unpacked" || die "$package cannot be unpacked"
  rm "$archive"
done
[ -d "$unpacked/lib" ] || ln -s usr/lib "$unpacked/lib"
PATH=$PATH:/usr/sbin:/sbin
depmod -b "$unpacked" "$version" 2>/dev/null || die "depmod fails for $version"
rm -rf "$kernel"
mkdir -p "$kernel/modules"
cp "$(find "$unpacked" -name 'vmlinuz*' -type f)" "$kernel/vmlinuz"
# Some packages do not list what is built in: a missing module is assumed to be built in.
for module in $modules; do
  modprobe -d "$unpacked" -S "$version" --show-depends "$module" 2>/dev/null || true
done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' |
  nl -n rz -w 2 | while read -r number file; do
    name=$(basename "${file%.xz}")
    case $file in
    *.xz) xz -dc "$file" >"$kernel/modules/$number-$name" ;;
    *) cp "$file" "$kernel/modules/$number-$name" ;;
    esac
  done
echo "$version" >"$kernel/version"
echo "$modules" >"$kernel/wanted"
echo "$kernel"
