#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the packages for building the kernel UA killer and its tests (Debian 12 or newer). --guests adds those for
# running other kernels, --arm64 also those for building and running it for aarch64, --colocation those of bench
# colocation, --cluster those of bench cluster. --monitoring installs those for the tests of dashboard, alerts and web
# page instead, --docker those for the test of the images. Without root, it prints the command.
set -e
PACKAGES="clang-19 llvm-19 libbpf-dev bpftool linux-libc-dev libelf-dev zlib1g-dev make gcc libc6-dev kmod util-linux iproute2 libcap2-bin strace"
GUEST_PACKAGES="qemu-system-x86 busybox-static bash-static cpio xz-utils debian-archive-keyring"
ARM64_PACKAGES="qemu-system-arm gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
COLOCATION_PACKAGES="nginx-light iproute2"
CLUSTER_PACKAGES="postgresql util-linux"
MONITORING_PACKAGES="prometheus chromium fonts-dejavu-core"
DOCKER_PACKAGES="docker.io docker-compose mmdebstrap iproute2 util-linux"
case $1 in
"") ;;
--guests) PACKAGES="$PACKAGES $GUEST_PACKAGES" ;;
--arm64) PACKAGES="$PACKAGES $GUEST_PACKAGES $ARM64_PACKAGES" ;;
--colocation) PACKAGES="$PACKAGES $COLOCATION_PACKAGES" ;;
--cluster) PACKAGES="$PACKAGES $CLUSTER_PACKAGES" ;;
--monitoring) PACKAGES="$MONITORING_PACKAGES" ;;
--docker) PACKAGES="$DOCKER_PACKAGES" ;;
*) echo "usage: install-packages.sh [--guests | --arm64 | --colocation | --cluster | --monitoring | --docker]" >&2; exit 2 ;;
esac
missing=
for package in $PACKAGES; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing="$missing $package"
done
[ -n "$missing" ] || { echo "all packages are installed"; exit 0; }
if [ "$(id -u)" != 0 ]; then
  echo "missing:$missing; run as root:" >&2
  echo "apt-get update && apt-get install --yes --no-install-recommends$missing"
  exit 1
fi
# A web server, database or Prometheus for tests must not become a service of the machine: Debian runs this file
# before it starts one.
POLICY=/usr/sbin/policy-rc.d
if [ ! -e "$POLICY" ]; then
  trap 'rm -f "$POLICY"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$POLICY"
  chmod +x "$POLICY"
fi
apt-get update -q
# On a machine that has just been started, unattended upgrades may hold apt's lock for minutes.
# shellcheck disable=SC2086 # one word for each package
DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install --yes -q --no-install-recommends $missing
# Nor may it start when the machine boots.
case $missing in
*prometheus*) ! command -v systemctl >/dev/null || systemctl disable --quiet prometheus.service ;;
esac
case $missing in
*docker.io*) ! command -v systemctl >/dev/null || systemctl disable --quiet docker.service docker.socket containerd.service ;;
esac
