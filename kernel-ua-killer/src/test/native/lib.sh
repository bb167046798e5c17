# shellcheck shell=bash disable=SC2044 # cgroup names of these tests hold no blanks
# SPDX-License-Identifier: Apache-2.0
# What every test uses: a domain with a memory limit, swap on zram, containers, and the certain removal of all of it.
# Nothing outside the cgroup $DOMAIN ever comes under memory pressure.

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
OUT=${UA_OUT:-$HERE/../../../target/native}
UA="$OUT/ua-killer"
WORK="$OUT/workload"
BPFFS=/run/charon-ua-test-$$
FILES=${UA_FILES:-/var/tmp}/charon-ua-test-$$

if [ -d /sys/fs/cgroup/memory ]; then
  UNIFIED=0 MEMORY=/sys/fs/cgroup/memory
else
  UNIFIED=1 MEMORY=/sys/fs/cgroup
fi
DOMAIN=$MEMORY/charon-ua-test-$$
DOMAINS=("$DOMAIN")
ZRAM=
HELPER=

ua() { "$UA" --bpffs "$BPFFS" "$@"; }

# Ends the test with one of three outcomes.
pass() { echo "PASS $TEST${1:+: $1}"; exit 0; }
fail() { echo "FAIL $TEST: $*"; exit 1; }
skip() { echo "SKIP $TEST: $*"; exit 3; }

now_ms() { local up; read -r up _ </proc/uptime; echo $((10#${up/./} * 10)); }

set_limit() { # cgroup megabytes
  if [ $UNIFIED = 1 ]; then echo $(($2 << 20)) >"$1/memory.max"
  else echo $(($2 << 20)) >"$1/memory.limit_in_bytes"; fi
}

forbid_swap() { # cgroup with a limit
  if [ $UNIFIED = 1 ]; then echo 0 >"$1/memory.swap.max"
  else cat "$1/memory.limit_in_bytes" >"$1/memory.memsw.limit_in_bytes"; fi
}

make_domain() { # path megabytes (none: no limit)
  mkdir -p "$1" || fail "cannot create $1"
  if [ $UNIFIED = 1 ]; then
    echo +memory >"$MEMORY/cgroup.subtree_control"
    echo +memory >"$1/cgroup.subtree_control"
  fi
  [ "$2" = none ] || set_limit "$1" "$2"
}

start_swap() { # megabytes
  [ -e /sys/class/zram-control/hot_add ] || modprobe zram 2>/dev/null
  [ -e /sys/class/zram-control/hot_add ] || skip "no zram in this kernel"
  ZRAM=$(cat /sys/class/zram-control/hot_add) || skip "zram refuses another device"
  echo $(($1 << 20)) >"/sys/block/zram$ZRAM/disksize"
  mkswap "/dev/zram$ZRAM" >/dev/null || fail "no swap on zram"
  # Before other swap; the swapon of guests knows no priority, and there is no other swap.
  swapon -p 100 "/dev/zram$ZRAM" 2>/dev/null || swapon "/dev/zram$ZRAM" || fail "no swap on zram"
}

stop_swap() {
  [ -n "$ZRAM" ] || return 0
  swapoff "/dev/zram$ZRAM" 2>/dev/null
  echo 1 >"/sys/block/zram$ZRAM/reset" 2>/dev/null
  echo "$ZRAM" >/sys/class/zram-control/hot_remove 2>/dev/null
  ZRAM=
}

load() { # arguments of `ua-killer load`
  mkdir -p "$BPFFS"
  ua load "$@" >/dev/null || fail "load failed"
  ua --json domain add "$DOMAIN" || fail "cannot add the domain"
}

start_helper() { # arguments of `ua-killer reap`
  : >"$FILES/helper.log" # another helper may have been ready before
  "$UA" --bpffs "$BPFFS" reap "$@" >"$FILES/helper.log" 2>&1 &
  HELPER=$!
  for _ in $(seq 50); do grep -q ready "$FILES/helper.log" && return; sleep 0.05; done
  fail "the helper does not start: $(cat "$FILES/helper.log")"
}

container() { # name: makes a cgroup in the domain, echoes its path
  mkdir -p "$DOMAIN/$1" && echo "$DOMAIN/$1"
}

best_effort() { # path [score [age-ms]]
  ua register "$1" --domain "$DOMAIN" --score "${2:-500}" --age-ms "${3:-10000}" || fail "cannot register $1"
}

watched() { # path
  ua register "$1" --domain "$DOMAIN" || fail "cannot register $1"
}

start() { # cgroup workload...: runs it in the cgroup, in the background
  local cgroup=$1 before
  shift
  before=$(wc -l <"$cgroup/cgroup.procs")
  (
    echo "$BASHPID" >"$cgroup/cgroup.procs" || exit 1
    exec "$WORK" "$@"
  ) >/dev/null 2>&1 &
  disown $!
  for _ in $(seq 100); do
    [ "$(wc -l <"$cgroup/cgroup.procs")" -gt "$before" ] && return
    sleep 0.01
  done
}

# Processes of the cgroup and of those below it.
population() {
  local n=0 f
  for f in $(find "$1" -name cgroup.procs 2>/dev/null); do n=$((n + $(wc -l <"$f"))); done
  echo $n
}

wait_dead() { # cgroup seconds, on an idle machine
  local end=$(($(now_ms) + $2 * 2000))
  while [ "$(population "$1")" != 0 ]; do
    [ "$(now_ms)" -lt $end ] || return 1
    sleep 0.05
  done
}

json() { # expression over the status, as without jq: the value after the first "key":
  ua --json status | grep -o "\"$1\":[^,}]*" | head -1 | cut -d: -f2-
}

kills() { ua --json status | grep -o '"killCount":[0-9]*' | awk -F: '{ n += $2 } END { print n + 0 }'; }

# For the line of a failed test.
state() {
  ua --json status | grep -o '"\(samplingPasses\|reclaims\|ownLimitReclaims\|killCount\|noCandidate\|survivors\)":[0-9]*' |
    head -6 | tr '\n' ' '
  ua watch --since 0 --count 1 & sleep 0.2; kill $! 2>/dev/null
}

decision() { # key: of the last kill, bare
  ua --json watch --since $(($(kills) - 1)) --count 1 | grep -o "\"$1\":[^,}]*" | head -1 | cut -d: -f2- | tr -d '"'
}

# The facts of the last kill, for the line of a passed test.
numbers() {
  local freed
  freed=$(decision decisionToFreedMillis)
  echo "thrash $(decision thrashSeconds) s, decision to last SIGKILL $(decision decisionToLastSignalMillis) ms," \
    "to freed ${freed:-not recorded}${freed:+ ms}, $(($(decision memoryBytes) >> 20)) MB"
}

# A decision not before cgth_time, $1 seconds, and soon after it. A thrasher that gets no processor does not reclaim, and
# who does not reclaim is not judged: on a busy machine that took 0.8 s more. bench killer measures the delay.
expect_streak() {
  awk -v got="$(decision thrashSeconds)" -v want="$1" 'BEGIN { exit !(got >= want && got <= want + 2) }' ||
    fail "decision after $(decision thrashSeconds) s of thrash, expected $1 s and at most 2 s more"
}

expect_alive() { # cgroup what
  [ "$(population "$1")" != 0 ] || fail "$2 died; $(state)"
}

kill_cgroup() {
  local f p
  for _ in $(seq 100); do
    for f in $(find "$1" -name cgroup.procs 2>/dev/null); do
      while read -r p; do kill -9 "$p" 2>/dev/null; done <"$f"
    done
    [ "$(population "$1")" = 0 ] && break
    sleep 0.05
  done
  find "$1" -depth -type d -exec rmdir {} \; 2>/dev/null
}

cleanup() {
  local d
  trap '' TERM INT HUP # once is enough; a half cleaned machine is worse than a late end
  [ -n "$HELPER" ] && kill "$HELPER" 2>/dev/null
  for d in "${DOMAINS[@]}"; do kill_cgroup "$d"; done
  "$UA" --bpffs "$BPFFS" unload >/dev/null 2>&1
  grep -q " $BPFFS bpf " /proc/mounts && umount "$BPFFS"
  rmdir "$BPFFS" 2>/dev/null
  stop_swap
  rm -rf "$FILES"
}

begin() { # domain megabytes (none: no limit), swap megabytes (0: none)
  [ "$(id -u)" = 0 ] || skip "needs root"
  [ -e /sys/kernel/btf/vmlinux ] || skip "the kernel has no BTF"
  [ -z "$UA_REFUSED" ] || skip "the kernel $UA_REFUSED"
  [ -w "$MEMORY" ] || skip "$MEMORY is read-only"
  trap cleanup EXIT
  trap 'exit 143' TERM INT HUP
  mkdir -p "$FILES"
  make_domain "$DOMAIN" "$1"
  if [ "$2" = 0 ]; then forbid_swap "$DOMAIN"; else start_swap "$2"; fi
}
