#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Boots other kernels in QEMU (plain emulation: no KVM needed) and runs the kernel killer's tests in them, on cgroup v2.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
OUT=${UA_OUT:-$HERE/../../../../target/native}
CACHE=$(realpath -m "${UA_GUEST_CACHE:-$HERE/../../../../target/guests}")
HARD_TIMEOUT=480 # seconds a guest may take
BOOTS=3          # emulation is slow and machines are noisy: tests without a verdict, or that fail, run again
TEST_TIMEOUT=120
GUESTS="newest 6.12 6.1"

# What each guest is: a pattern of kernel versions, the tier that it must give, its tests.
pattern() { case $1 in newest) echo '[7-9]\.[0-9]+\.' ;; *) echo "${1/./\\.}\." ;; esac; }
tier() { case $1 in newest) echo 1 ;; 6.12) echo 2 ;; 6.1) echo 2 ;; esac; }
# Not counters: perf events patch the kernel while it runs, at which QEMU's emulation of several CPUs panics (int3).
tests() {
  case $1 in
  newest) echo "tier anonymous-kill user-kill file-kill counters-exact nested-kill kswapd-pressure whole-machine reclaim-bypass" ;;
  *) echo "tier anonymous-kill user-kill file-kill counters-exact" ;;
  esac
}

case ${1:-} in
-h | --help)
  echo "usage: run-guests.sh [GUEST...]    guests: $GUESTS"
  echo "The newest kernel, one without bpf_send_signal_task (6.12) and an old one (6.1) come from Debian's archive, looked up"
  echo "by pattern and kept in $CACHE. Guests and their tests:"
  for guest in $GUESTS; do echo "  $guest: tier $(tier "$guest"); $(tests "$guest")"; done
  echo "Needs the packages of install-packages.sh --guests and a built ua-killer; no root. A guest whose kernel cannot be"
  echo "downloaded is skipped with the reason; one in which tests fail boots again for these, $BOOTS times in all."
  echo "Last lines: \"failed: TEST\" for each that never passed, \"N passed, N failed, N skipped\". Full output: the cache's *.log."
  exit 0
  ;;
esac

passed=0 failed=() skipped=0
skip_guest() { # guest reason
  echo "SKIP $1 (all $(tests "$1" | wc -w) tests): $2"
  skipped=$((skipped + 1))
}

missing=
[ "$(uname -m)" = x86_64 ] || missing="guests are x86-64 only"
for command in apt-get qemu-system-x86_64 busybox bash-static cpio xz; do
  command -v $command >/dev/null || missing="no $command; run kernel-ua-killer/install-packages.sh --guests"
done
if [ -z "$missing" ] && { [ ! -x "$OUT/ua-killer" ] || [ ! -x "$OUT/workload" ]; }; then
  echo "no $OUT/ua-killer: run make -C $HERE/../../../main/native first" >&2
  exit 2
fi
mkdir -p "$CACHE"
WORK=$(mktemp -d "$CACHE/run.XXXXXX")
QEMU=
cleanup() {
  [ -z "$QEMU" ] || kill "$QEMU" 2>/dev/null || true
  rm -rf "$WORK"
}
trap cleanup EXIT
trap 'exit 143' TERM INT HUP

build_initramfs() { # kernel file tests
  local root=$WORK/root name
  rm -rf "$root"
  mkdir -p "$root"/{bin,tests,modules}
  cp "$HERE/init" "$root/init"
  cp "$(command -v busybox)" "$root/bin/busybox"
  cp "$(command -v bash-static)" "$root/bin/bash"
  cp "$OUT/ua-killer" "$OUT/workload" "$root/bin/"
  strip "$root"/bin/{ua-killer,workload} 2>/dev/null || true
  cp "$1"/modules/* "$root/modules/"
  cp "$HERE/../lib.sh" "$root/tests/"
  for name in $3; do
    echo "$name" >>"$root/tests/list"
    if [ -f "$HERE/tests/$name.sh" ]; then cp "$HERE/tests/$name.sh" "$root/tests/"
    else cp "$HERE/../tests/$name.sh" "$root/tests/"; fi
  done
  (cd "$root" && find . | cpio --quiet -o -H newc | gzip -1) >"$2"
}

boot() { # kernel initramfs tier log
  local sources=
  # Kernels without bpf_send_signal_task have no statistics tracepoint either: no data source "exact".
  [ "$3" = 1 ] || sources=UA_SOURCES=lite
  truncate -s 512M "$WORK/disk"
  # Haswell: 6.12 does not boot on the CPU that old QEMUs call "max".
  timeout -k 5 $HARD_TIMEOUT qemu-system-x86_64 -accel tcg,thread=multi -cpu Haswell-noTSX -smp 2 -m 512 \
    -nographic -no-reboot -nodefaults -serial stdio -drive "file=$WORK/disk,format=raw,if=virtio,cache=unsafe" \
    -kernel "$1/vmlinuz" -initrd "$2" \
    -append "console=ttyS0 quiet loglevel=2 panic=-1 mitigations=off tsc=reliable UA_TIMEOUT=$TEST_TIMEOUT UA_TIER=$3 $sources" \
    </dev/null >"$4" 2>&1 &
  QEMU=$!
  wait $QEMU || true
  QEMU=
  rm -f "$WORK/disk"
}

report() { # guest version log tests; pending is what failed
  local name line
  pending=
  for name in $4; do
    line=$(tr -d '\r' <"$3" | grep -aE "^(PASS|FAIL|SKIP) $name(:|\$)" | head -1 || true)
    case $line in
    PASS*) passed=$((passed + 1)) ;;
    SKIP*) skipped=$((skipped + 1)) ;;
    *)
      [ -n "$line" ] || line="FAIL $name: no verdict; the guest's last line: $(tr -d '\r' <"$3" | tail -1)"
      pending="$pending $name"
      ;;
    esac
    echo "${line%% *} $1 (Linux $2) ${line#* }"
  done
}

# shellcheck disable=SC2086 # one word for each guest
[ $# -gt 0 ] || set -- $GUESTS
for guest in "$@"; do
  [[ " $GUESTS " = *" $guest "* ]] || { echo "no guest $guest; see run-guests.sh --help" >&2; exit 2; }
  if [ -n "$missing" ]; then
    skip_guest "$guest" "$missing"
  elif ! kernel=$("$HERE/fetch-kernel.sh" "$CACHE" "$(pattern "$guest")" 2>"$WORK/reason"); then
    skip_guest "$guest" "$(cat "$WORK/reason")"
  else
    log=$CACHE/$guest.log
    version=$(sed 's/-cloud-amd64//' "$kernel/version")
    pending=$(tests "$guest")
    for ((attempt = 1; attempt <= BOOTS; attempt++)); do
      [ $attempt = 1 ] || echo "$guest boots again for:$pending"
      build_initramfs "$kernel" "$WORK/initramfs" "$pending"
      boot "$kernel" "$WORK/initramfs" "$(tier "$guest")" "$log"
      report "$guest" "$version" "$log" "$pending"
      [ -n "$pending" ] || break
    done
    for name in $pending; do failed+=("$guest: $name"); done
  fi
done
[ ${#failed[@]} = 0 ] || printf 'failed: %s\n' "${failed[@]}"
echo "$passed passed, ${#failed[@]} failed, $skipped skipped"
[ ${#failed[@]} = 0 ]
