#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Downloads a small Debian 13 with systemd and unpacks it:
#   fetch-system.sh CACHE     echoes the directory that holds its root
# No script of a package is run: the caller has to create accounts and units. Exits with 1 and the reason on standard
# error if the system cannot be provided.
set -euo pipefail
cache=$1
packages="base-files systemd bash dash coreutils util-linux mount tar gzip findutils sed grep mawk procps hostname libc-bin zlib1g libstdc++6"
mkdir -p "$cache/systems"
# shellcheck source=kernel-ua-killer/src/test/native/guest/archive.sh
. "$(dirname "$0")/archive.sh"
use_archive "$cache/debian-13" trixie trixie-security amd64

# Packages that are already there would not be listed.
rm -f "$cache"/debian-13/archives/*.deb
# shellcheck disable=SC2086 # one word for each package
install() { apt-get -qq -y --no-install-recommends "$@" install $packages; }
files=$(install --print-uris 2>"$cache/debian-13/download.log" | sed "s/^'[^']*' \([^ ]*\).*/\1/" | sort)
[ -n "$files" ] || die "no packages for a system: $(grep -m 1 ^E: "$cache/debian-13/download.log" || true)"
system=$cache/systems/$(sha256sum <<<"$files" | cut -c1-16)
[ ! -e "$system/complete" ] || { echo "$system/root"; exit 0; }
install --download-only >"$cache/debian-13/download.log" 2>&1 ||
  die "packages cannot be downloaded: $(grep -m 1 ^E: "$cache/debian-13/download.log" || true)"
rm -rf "$system"
mkdir -p "$system"/root/usr/{bin,sbin,lib,lib64}
for directory in bin sbin lib lib64; do ln -s "usr/$directory" "$system/root/$directory"; done
for file in $files; do
  # Extract into the targets of these links; a link of a package would be in the way.
  dpkg-deb --fsys-tarfile "$cache/debian-13/archives/$file" |
    tar -x -C "$system/root" --keep-directory-symlink --no-same-owner --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' --exclude='./usr/share/locale/*' ||
    die "$file cannot be unpacked"
done
rm -f "$cache"/debian-13/archives/*.deb
touch "$system/complete"
echo "$system/root"
