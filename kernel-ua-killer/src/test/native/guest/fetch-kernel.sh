#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Downloads the newest Debian cloud kernel whose version matches a pattern and unpacks what a guest boots:
#   fetch-kernel.sh CACHE PATTERN     echoes the directory with vmlinuz, version and modules/ (in loading order)
# apt gets its own configuration, sources and state in CACHE: the machine's are only read, and Debian's keyring
# checks every signature. Exit code 1 with the reason on standard error when the kernel cannot be had.
set -euo pipefail
cache=$1 pattern=$2
# Of 6.1 on: in older kernels zram compresses by a module that it does not name.
modules="virtio_pci virtio_blk ext4 lzo-rle zram"
mkdir -p "$cache"/{lists/partial,archives/partial,packages,kernels}

# The archives are those that this machine is configured for, whatever mirror that is; other suites of them are read.
archive() { # label of the archive
  # shellcheck disable=SC2016 # expanded by apt
  env -u APT_CONFIG apt-get indextargets --format '$(ORIGIN)/$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
    sed -n "s:^Debian/$1 ::p" | head -1
}
debian=$(archive Debian)
security=$(archive Debian-Security)
if [ -z "$debian" ] || [ -z "$security" ]; then
  echo "this machine's apt has no lists of Debian's archives; run apt-get update (other systems are not served)" >&2
  exit 1
fi

cat >"$cache/guests.sources" <<SOURCES
Types: deb
URIs: $debian
Suites: trixie-backports
Components: main
Architectures: amd64
Targets: Packages
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: $security
Suites: trixie-security bookworm-security
Components: main
Architectures: amd64
Targets: Packages
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
: >>"$cache/status"
cat >"$cache/apt.conf" <<CONF
Dir::Etc::SourceList "$cache/guests.sources";
Dir::Etc::SourceParts "/dev/null";
Dir::State "$cache";
Dir::State::Lists "$cache/lists";
Dir::State::Status "$cache/status";
Dir::Cache "$cache";
APT::Architecture "amd64";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "20";
CONF
export APT_CONFIG=$cache/apt.conf

die() { echo "$*" >&2; exit 1; }

# One update serves all guests of an hour; without the archive (asked again after two minutes), what an earlier run has
# downloaded will do.
if [ -z "$(find "$cache/updated" -mmin -60 2>/dev/null)$(find "$cache/unreachable" -mmin -2 2>/dev/null)" ]; then
  rm -f "$cache/unreachable"
  if apt-get -qq --error-on=any update >"$cache/update.log" 2>&1; then touch "$cache/updated"
  else touch "$cache/unreachable"; fi
fi
names=$(apt-cache pkgnames linux-)
version=$(sed -nE "s/^linux-(binary|image)-(${pattern}[^-]*(-[0-9]+)?)-cloud-amd64$/\2/p" <<<"$names" | sort -V | tail -1)
[ -n "$version" ] || die "no kernel package matches $pattern; apt-get update: $(grep -m 1 ^E: "$cache/update.log" || echo succeeded)"
version=$version-cloud-amd64
kernel=$cache/kernels/$version
[ ! -e "$kernel/version" ] || { echo "$kernel"; exit 0; }

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
# Some packages do not list what is built in: a module that is not there is taken for built in.
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
echo "$kernel"
