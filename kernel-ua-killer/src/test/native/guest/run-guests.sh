#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Boots other kernels in QEMU (plain emulation: no KVM needed) and runs the kernel killer's tests in them, on cgroup v2.
# An emulated machine keeps little more than one processor busy, so two run at a time; the many tests of the newest
# kernel are divided among two.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
OUT=${UA_OUT:-$HERE/../../../../target/native}
CACHE=$(realpath -m "${UA_GUEST_CACHE:-$HERE/../../../../target/guests}")
TEST_SECONDS=240
GUEST_SECONDS=600 # all boots included
RUN_SECONDS=1200
BESIDE=2 # machines at a time
GUESTS="newest 6.12 6.1 5.10 systemd arm64"

# For each guest: a pattern of kernel versions, the tier that it must give, its tests.
pattern() { case $1 in newest | systemd | arm64) echo '[7-9]\.[0-9]+\.' ;; *) echo "${1/./\\.}\." ;; esac; }
tier() { case $1 in newest | systemd | arm64) echo 1 ;; 6.12) echo 2 ;; 6.1) echo 2 ;; 5.10) echo 3 ;; esac; }
architecture() { if [ "$1" = arm64 ]; then echo arm64; else echo amd64; fi; }
# Without counters: perf events patch the running kernel, at which QEMU's emulation of several CPUs panics (int3).
tests() {
  case $1 in
  newest) echo "tier anonymous-kill generations user-kill file-kill ${UA_LONG:+counters-exact }nested-kill killable-delegated unprivileged-node hostile-member ${UA_LONG:+kswapd-pressure }whole-machine reclaim-bypass production-protection ${UA_LONG:+pass-not-preempted reclaim-unified }memory-limit-unified" ;;
  systemd) echo "unit-life" ;;
  arm64) echo "tier anonymous-kill generations user-kill" ;;
  6.12) echo "tier anonymous-kill ${UA_LONG:+generations user-kill file-kill counters-exact reclaim-unified }memory-limit-unified" ;;
  5.10) echo "tier anonymous-kill user-kill file-kill nested-kill killable-delegated unprivileged-node hostile-member memory-limit-unified" ;;
  # With MGLRU, 6.1 does not count most refaults, so that there is nothing to detect.
  *) echo "tier anonymous-kill user-kill file-kill counters-exact ${UA_LONG:+reclaim-unified }memory-limit-unified" ;;
  esac
}
# The tests of each machine that is booted for a guest, one machine in a line.
machines() {
  if [ "$1" = newest ]; then
    tests newest | tr ' ' '\n' | awk '{ line[NR % 2] = line[NR % 2] " " $0 } END { print line[1]; print line[0] }'
  else
    tests "$1"
  fi
}

# shellcheck source=kernel-ua-killer/src/test/native/outcomes.sh
. "$HERE/../outcomes.sh"
# shellcheck source=kernel-ua-killer/src/test/native/guest/report.sh
. "$HERE/report.sh"
# shellcheck source=kernel-ua-killer/src/test/native/guest/systemd.sh
. "$HERE/systemd.sh"
# shellcheck source=kernel-ua-killer/src/test/native/guest/arm64.sh
. "$HERE/arm64.sh"

case ${1:-} in
-h | --help)
  echo "usage: run-guests.sh [--fetch] [GUEST...]    guests: $GUESTS"
  echo "--fetch only downloads their kernels."
  echo "The newest kernel, also under systemd, one without bpf_send_signal_task (6.12) and older ones (6.1, 5.10) come from Debian's archive, looked up"
  echo "by pattern and kept in $CACHE. Guests and their tests:"
  for guest in $GUESTS; do echo "  $guest: tier $(tier "$guest"); $(tests "$guest")"; done
  echo "arm64 is the newest kernel on aarch64, with the tool built for it."
  echo "With UA_LONG=1 the 6.12 guest runs all tests of the older one, the newest one pass-not-preempted, and all reclaim-unified, too."
  echo "Needs the packages of install-packages.sh --guests and a built ua-killer; no root. A guest whose kernel cannot be"
  echo "downloaded is skipped with the reason; one in which tests fail boots once more for these, unless they must never fail"
  echo "or their kernel has crashed."
  echo "What is late has failed: a guest may take $GUEST_SECONDS s, all together $RUN_SECONDS s."
  echo "Last lines: \"retried: TEST\" for each that passed in the second boot only, \"failed: TEST\" for each that did not pass,"
  echo "\"N passed, N failed, N skipped\". Full output of each boot: the cache's *.log."
  exit 0
  ;;
esac

if [ "${1:-}" = --fetch ]; then
  shift
  # shellcheck disable=SC2086 # one word for each guest
  [ $# -gt 0 ] || set -- $GUESTS
  mkdir -p "$CACHE"
  for guest in "$@"; do "$HERE/fetch-kernel.sh" "$CACHE" "$(pattern "$guest")" "$(architecture "$guest")"; done
  exit 0
fi

skip_guest() { # guest reason
  echo "SKIP $1 (all $(tests "$1" | wc -w) tests): $2"
  skipped=$((skipped + 1))
}

missing=
[ "$(uname -m)" = x86_64 ] || missing="guests are booted on x86-64 only"
for command in apt-get qemu-system-x86_64 busybox bash-static cpio xz; do
  command -v $command >/dev/null || missing="no $command; run kernel-ua-killer/install-packages.sh --guests"
done
if [ -z "$missing" ] && { [ ! -x "$OUT/ua-killer" ] || [ ! -x "$OUT/member" ]; }; then
  echo "no $OUT/ua-killer: run make -C $HERE/../../../main/native first" >&2
  exit 2
fi
mkdir -p "$CACHE"
WORK=$(mktemp -d "$CACHE/run.XXXXXX")
running=()
cleanup() {
  local pid
  for pid in "${running[@]}"; do kill "$pid" && wait "$pid"; done 2>/dev/null || true
  rm -rf "$WORK"
}
trap cleanup EXIT
trap 'exit 143' TERM INT HUP

test_file() { # test
  [ -f "$HERE/tests/$1.sh" ] && echo "$HERE/tests/$1.sh" || echo "$HERE/../tests/$1.sh"
}

build_initramfs() { # kernel file tests guest
  local root=$WORK/root name programs=$OUT strip=strip busybox bash
  busybox=$(command -v busybox) bash=$(command -v bash-static)
  if [ "$4" = arm64 ]; then
    programs=$CACHE/arm64/native strip=aarch64-linux-gnu-strip
    busybox=$CACHE/arm64/root/bin/busybox bash=$CACHE/arm64/root/bin/bash-static
  fi
  rm -rf "$root"
  mkdir -p "$root"/{bin,tests,modules}
  cp "$HERE/init" "$root/init"
  cp "$busybox" "$root/bin/busybox"
  cp "$bash" "$root/bin/bash"
  cp "$programs/ua-killer" "$programs/workload" "$programs/member" "$root/bin/"
  "$strip" "$root"/bin/{ua-killer,workload,member} 2>/dev/null || true
  cp "$1"/modules/* "$root/modules/"
  cp "$HERE/../lib.sh" "$HERE/../limit.sh" "$HERE/node-manager.sh" "$HERE/run" "$root/tests/"
  [ "$4" != systemd ] || add_systemd "$root" "$HERE/../../../../../conf"
  for name in $3; do
    echo "$name" >>"$root/tests/list"
    cp "$(test_file "$name")" "$root/tests/"
  done
  (cd "$root" && find . | cpio --quiet -o -H newc | gzip -1) >"$2"
}

remaining() { echo $((deadline > SECONDS ? deadline - SECONDS : 1)); }

boot() { # kernel initramfs tier log architecture
  local sources='' qemu=x86_64 machine=(-cpu Haswell-noTSX) console=ttyS0 seconds=$TEST_SECONDS
  if [ "$5" = arm64 ]; then
    # This emulation verifies the programs for up to a minute each time a test loads them.
    qemu=aarch64 machine=(-M virt -cpu cortex-a72) console=ttyAMA0 seconds=$((2 * TEST_SECONDS))
  fi
  # Kernels without bpf_send_signal_task also lack the statistics tracepoint, and so the data source "exact".
  [ "$3" = 1 ] || sources=UA_SOURCES=lite
  truncate -s 512M "$WORK/disk"
  # Haswell: 6.12 does not boot on the CPU that old QEMUs call "max". Nice, a little: this delays Hadoop's tests next
  # to it less than a guest, which has long timeouts; unit tests are nicer. HPET: if other processes need the
  # processors during the boot, the kernel miscalibrates the TSC, and its seconds get too short.
  nice -n 5 timeout -k 5 "$(remaining)" "qemu-system-$qemu" -accel tcg,thread=multi "${machine[@]}" -smp 2 -m 512 \
    -nographic -no-reboot -nodefaults -serial stdio -drive "file=$WORK/disk,format=raw,if=virtio,cache=unsafe" \
    -kernel "$1/vmlinuz" -initrd "$2" \
    -append "console=$console quiet loglevel=2 panic=-1 mitigations=off tsc=nowatchdog clocksource=hpet UA_TIMEOUT=$seconds UA_TIER=$3 $sources" \
    </dev/null >"$4" 2>&1 &
  QEMU=$!
  wait $QEMU || true
  QEMU=
  rm -f "$WORK/disk"
}

# Runs tests on a machine, in a subshell with a directory of its own. The main script shows the output and counts.
run_machine() { # guest name kernel tests
  local guest=$1 kernel=$3 pending=$4 version attempt log name
  QEMU=
  trap '[ -z "$QEMU" ] || { kill "$QEMU"; wait "$QEMU"; } 2>/dev/null || true' EXIT
  trap 'exit 143' TERM INT HUP
  WORK=$WORK/$2
  version=$(sed 's/-cloud-.*//' "$kernel/version")
  if [ $SECONDS -ge $RUN_SECONDS ]; then
    for name in $pending; do
      echo "FAIL $guest $name: not started, the $RUN_SECONDS s of the whole run are over"
      record "$guest: $name" FAIL 1
    done
    pending=
  fi
  deadline=$((SECONDS + GUEST_SECONDS))
  [ $deadline -lt $RUN_SECONDS ] || deadline=$RUN_SECONDS
  for attempt in 1 2; do
    [ -n "$pending" ] || break
    [ $attempt = 1 ] || echo "$guest boots again for:$pending"
    log=$CACHE/$2-$attempt.log
    build_initramfs "$kernel" "$WORK/initramfs" "$pending" "$guest"
    boot "$kernel" "$WORK/initramfs" "$(tier "$guest")" "$log" "$(architecture "$guest")"
    report "$guest" "$version" "$log" $attempt
  done
}

# Shows what a machine printed and counts its verdicts. A test without one has failed.
count_machine() { # name guest tests
  local name verdict attempt
  cat "$WORK/$1/output"
  while IFS=$'\t' read -r name verdict attempt; do
    count "$name" "$verdict" "$attempt"
  done <"$WORK/$1/verdicts"
  for name in $3; do
    grep -q "^$2: $name$(printf '\t')" "$WORK/$1/verdicts" && continue
    echo "FAIL $2 $name: the script that boots its machine ended"
    count "$2: $name" FAIL 1
  done
}

# shellcheck disable=SC2086 # one word for each guest
[ $# -gt 0 ] || set -- $GUESTS
started=()
deadline=$RUN_SECONDS
for guest in "$@"; do
  [[ " $GUESTS " = *" $guest "* ]] || { echo "no guest $guest; see run-guests.sh --help" >&2; exit 2; }
  if [ -n "$missing" ]; then
    skip_guest "$guest" "$missing"
    continue
  fi
  if [ "$guest" = systemd ] && [ -n "$(systemd_missing)" ]; then
    skip_guest "$guest" "$(systemd_missing)"
    continue
  fi
  if [ "$guest" = arm64 ] && [ -n "$(arm64_missing)" ]; then
    skip_guest "$guest" "$(arm64_missing)"
    continue
  fi
  if ! kernel=$(timeout -k 5 "$(remaining)" \
    "$HERE/fetch-kernel.sh" "$CACHE" "$(pattern "$guest")" "$(architecture "$guest")" 2>"$WORK/reason"); then
    echo "(no further output)" >>"$WORK/reason"
    skip_guest "$guest" "$(head -1 "$WORK/reason")"
    continue
  fi
  if [ "$guest" = arm64 ] && ! (build_arm64 "$CACHE" "$HERE/../../../main/native") >"$CACHE/arm64-build.log" 2>&1; then
    echo "FAIL arm64: the tool cannot be built: see $CACHE/arm64-build.log"
    count "arm64: build" FAIL 1
    continue
  fi
  number=0
  while read -r tests; do
    while [ "$(jobs -pr | wc -l)" -ge $BESIDE ]; do wait -n || true; done
    number=$((number + 1))
    name=$guest-$number
    mkdir "$WORK/$name"
    : >"$WORK/$name/verdicts"
    run_machine "$guest" "$name" "$kernel" "$tests" >"$WORK/$name/output" 2>&1 &
    running+=($!)
    started+=("$name $guest $tests")
  done < <(machines "$guest")
done
wait
running=()
for machine in "${started[@]}"; do
  read -r name guest tests <<<"$machine"
  count_machine "$name" "$guest" "$tests"
done
conclude
