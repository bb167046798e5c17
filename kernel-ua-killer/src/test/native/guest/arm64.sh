# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The tool for aarch64, built on this machine, and what else a guest with such processors needs.

arm64_missing() { # prints what is missing, if so
  local command
  for command in qemu-system-aarch64 aarch64-linux-gnu-gcc; do
    command -v $command >/dev/null || { echo "no $command; run kernel-ua-killer/install-packages.sh --arm64"; return; }
  done
}

# Leaves the programs in CACHE/arm64/native, and Debian's libraries, BusyBox and Bash in CACHE/arm64/root.
build_arm64() ( # cache directory-of-the-sources
  cache=$1/arm64 root=$1/arm64/root
  mkdir -p "$cache/packages"
  # shellcheck source=kernel-ua-killer/src/test/native/guest/archive.sh
  . "$HERE/archive.sh"
  # shellcheck source=/dev/null
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  use_archive "$cache" "$release" "$release-security" arm64
  if [ ! -x "$root/bin/bash-static" ]; then
    cd "$cache/packages" || exit
    for package in libbpf-dev libelf-dev zlib1g-dev busybox-static bash-static; do
      apt-get -qq download "$package/$release" || die "$package:arm64 cannot be downloaded"
    done
    for package in *.deb; do dpkg-deb -x "$package" "$root"; done
  fi
  make -s -C "$2" ARCH=arm64 OUT="$cache/native" \
    CC="aarch64-linux-gnu-gcc -I$root/usr/include -L$root/usr/lib/aarch64-linux-gnu" \
    "$cache"/native/{ua-killer,workload,member}
)
