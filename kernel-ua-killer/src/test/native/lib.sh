# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Common to all tests: a domain with a memory limit, swap on zram, containers, and the reliable removal of all of it.
# Only the cgroup $DOMAIN ever comes under memory pressure. Bash itself reads the files that are polled: in an
# emulated guest, or on a busy machine, a process per read would be the main load.
shopt -s globstar

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

# Each ends the test with one of the outcomes (outcomes.sh).
pass() { echo "PASS $TEST${1:+: $1}"; exit 0; }
fail() { echo "FAIL $TEST: $*"; exit 1; }
void() { fail "void: $*"; }
skip() { echo "SKIP $TEST: $*"; exit 3; }

now_ms() { local up; read -r up _ </proc/uptime; echo $((10#${up/./} * 10)); }

set_limit() { # cgroup megabytes
  if [ $UNIFIED = 1 ]; then echo $(($2 << 20)) >"$1/memory.max"
  else echo $(($2 << 20)) >"$1/memory.limit_in_bytes"; fi
}

# On v1 the second limit forbids swap only to reclaim that the domain's own limit causes: a cgroup below it would swap for
# a limit of its own. Cgroups inherit the swappiness when they are made.
forbid_swap() { # cgroup with a limit, without cgroups below it
  if [ $UNIFIED = 1 ]; then echo 0 >"$1/memory.swap.max"
  else
    cat "$1/memory.limit_in_bytes" >"$1/memory.memsw.limit_in_bytes"
    echo 0 >"$1/memory.swappiness"
  fi
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
  # Preferred to other swap: of devices with the same priority each would have a part. The swapon of guests has no option
  # for a priority, but there is no other swap in a guest.
  swapon -p 32767 "/dev/zram$ZRAM" 2>/dev/null || swapon "/dev/zram$ZRAM" || fail "no swap on zram"
}

stop_swap() {
  [ -n "$ZRAM" ] || return 0
  # It may be refused for a moment, such as while killed processes still hold their memory.
  for _ in {1..20}; do
    swapoff "/dev/zram$ZRAM" 2>/dev/null && break
    sleep 0.1
  done
  if grep -q "^/dev/zram$ZRAM " /proc/swaps; then
    echo "left behind: /dev/zram$ZRAM, because swapoff failed" >&2
    ZRAM=
    return 0
  fi
  echo 1 >"/sys/block/zram$ZRAM/reset" 2>/dev/null
  echo "$ZRAM" >/sys/class/zram-control/hot_remove 2>/dev/null
  ZRAM=
}

load() { # arguments of `ua-killer load`
  mkdir -p "$BPFFS"
  ua load "$@" >/dev/null || fail "load failed"
  ua --json domain add "$DOMAIN" --killable-below "$DOMAIN" || fail "cannot add the domain"
}

# Best-effort's cgroup with its own limit, so that containers may be killed only in it.
limit_best_effort() { # megabytes
  LIMITED=$DOMAIN/best-effort
  ua --json domain add "$DOMAIN" --killable-below "$LIMITED" || fail "cannot name $LIMITED"
  [ $UNIFIED = 0 ] || echo +memory >"$LIMITED/cgroup.subtree_control"
  set_limit "$LIMITED" "$1"
}

start_helper() { # arguments of `ua-killer reap`
  : >"$FILES/helper.log" # an earlier helper may have reported that it was ready
  "$UA" --bpffs "$BPFFS" reap "$@" >"$FILES/helper.log" 2>&1 &
  HELPER=$!
  helper_ready
}

helper_ready() {
  await 3 grep -q ready "$FILES/helper.log" || fail "the helper does not start: $(cat "$FILES/helper.log")"
}

container() { # name: makes a cgroup in the domain, echoes its path
  mkdir -p "$DOMAIN/$1" && echo "$DOMAIN/$1"
}

best_effort() { # path [score [age-ms]]
  ua register "$1" --domain "$DOMAIN" --score "${2:-500}" --age-ms "${3:-10000}" || fail "cannot register $1"
}

watched() { # path [arguments of `ua-killer register`]
  ua register "$1" --domain "$DOMAIN" "${@:2}" || fail "cannot register $1"
}

run_in() { # cgroup command...: runs it in the cgroup, in the background, and returns once it is there
  local cgroup=$1 before now
  shift
  mapfile -t before <"$cgroup/cgroup.procs"
  (
    echo "$BASHPID" >"$cgroup/cgroup.procs" || exit 1
    exec "$@"
  ) &
  disown $!
  for _ in {1..500}; do
    mapfile -t now <"$cgroup/cgroup.procs"
    [ ${#now[@]} -gt ${#before[@]} ] && return
    sleep 0.01
  done
  return 1
}

start() { # cgroup workload...
  run_in "$1" "$WORK" "${@:2}" >/dev/null 2>&1 || fail "'${*:2}' does not start"
}

# Number of processes in the cgroup and in those below it.
population() { cat "$1"/**/cgroup.procs 2>/dev/null | wc -l; }

dead() { # cgroup: neither it nor one below it has a process
  local file
  for file in "$1"/**/cgroup.procs; do ! read -r _ <"$file" || return 1; done 2>/dev/null
}

await() { # seconds, on an idle machine; command...: retries until it succeeds
  local end=$((SECONDS + 2 * $1))
  shift
  until "$@"; do
    [ $SECONDS -le $end ] || return 1
    sleep 0.05
  done
}

at_least() { # number command...: the command echoes a number
  local number
  number=$("${@:2}")
  [ "${number:-0}" -ge "$1" ]
}

wait_dead() { await "$2" dead "$1"; } # cgroup seconds

value() { # key: its value in JSON on standard input, without jq: what follows the first "key":, unquoted
  grep -o "\"$1\":[^,}]*" | head -1 | cut -d: -f2- | tr -d '"'
}

json() { ua --json status | value "$1"; } # key

kills() { ua --json status | grep -o '"killCount":[0-9]*' | awk -F: '{ n += $2 } END { print n + 0 }'; }

# Details for the message of a failed test.
state() {
  local killed
  killed=$(kills)
  ua --json status | grep -o '"\(samplingPasses\|reclaims\|ownLimitReclaims\|killCount\|noCandidate\|survivors\)":[0-9]*' |
    head -6 | tr '\n' ' '
  timeout 0.2 "$UA" --bpffs "$BPFFS" watch --since $((killed > 0 ? killed - 1 : 0)) --count 1
}

last_decision() { ua --json watch --since $(($(kills) - 1)) --count 1; }

decision() { last_decision | value "$1"; } # key

# Facts about the last kill, for the message of a passed test.
numbers() {
  local last freed
  last=$(last_decision)
  freed=$(value decisionToFreedMillis <<<"$last")
  echo "thrash $(value thrashSeconds <<<"$last") s," \
    "decision to last SIGKILL $(value decisionToLastSignalMillis <<<"$last") ms," \
    "to freed ${freed:-not recorded}${freed:+ ms}, $(($(value memoryBytes <<<"$last") >> 20)) MB"
}

# The decision must come after cgth_time, $1 seconds, and soon after it. A thrasher without a processor does not
# reclaim, and a container that does not reclaim is not judged: on a busy machine, this has taken 0.8 s more. bench
# killer measures the delay.
expect_streak() {
  awk -v got="$(decision thrashSeconds)" -v want="$1" 'BEGIN { exit !(got >= want && got <= want + 2) }' ||
    fail "decision after $(decision thrashSeconds) s of thrash, expected $1 s and at most 2 s more"
}

# A wrong kill, after which the runner does not retry the test.
expect_alive() { # cgroup what
  ! dead "$1" || fail "wrong death: $2 died; $(state)"
}

# One kill too many is a wrong kill.
expect_kills() { # number
  local n
  n=$(kills)
  [ "$n" -le "$1" ] || fail "wrong death: $n kills, expected $1; $(state)"
  [ "$n" = "$1" ] || fail "$n kills, expected $1"
}

kill_cgroup() {
  local file p
  for _ in {1..100}; do
    dead "$1" && break
    for file in "$1"/**/cgroup.procs; do
      while read -r p; do kill -9 "$p"; done <"$file"
    done 2>/dev/null
    sleep 0.05
  done
  find "$1" -depth -type d -exec rmdir {} \; 2>/dev/null
}

# Runs a command with only the capabilities of conf/charon-ua-killer.service.
as_unit() { # arguments of setpriv, command...
  local caps
  caps=$(sed -n 's/^CapabilityBoundingSet=//p' "$HERE/../../../../conf/charon-ua-killer.service" |
    tr '[:upper:]' '[:lower:]' | sed 's/cap_/+/g; s/ /,/g')
  exec setpriv --no-new-privs --bounding-set "-all,$caps" --inh-caps "-all,$caps" "$@"
}

refused() { # exit-code text command...
  local code=$1 words=$2 out
  shift 2
  out=$("$@" 2>&1)
  [ $? = "$code" ] || fail "'$*': exit code is not $code: $out"
  grep -q -- "$words" <<<"$out" || fail "'$*' prints: $out"
}

cleanup() {
  local d
  trap '' TERM INT HUP # run cleanup once only; a late exit is better than a half-cleaned machine
  [ -n "$HELPER" ] && kill "$HELPER" 2>/dev/null
  for d in "${DOMAINS[@]}"; do kill_cgroup "$d"; done
  "$UA" --bpffs "$BPFFS" unload >/dev/null 2>&1
  # A process that was asked to exit may still use the mount.
  for _ in {1..50}; do
    grep -q " $BPFFS bpf " /proc/mounts || break
    umount "$BPFFS" 2>/dev/null || sleep 0.1
  done
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
