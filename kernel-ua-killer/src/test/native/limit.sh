# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Common to the tests of `ua-killer memory-limit`: a node with a memory limit, production and best-effort in it, and a
# process that acts as the NodeManager and reports once per second what production may keep. lib.sh removes all of it.

NODE_MB=${NODE_MB:-400}
SWAP_MB=${SWAP_MB:-0} # 0: no swap
ENTITLEMENT=$((204 << 20))   # production's: the 200 MB that its reader maps, and the memory of the process itself
RESERVE=${RESERVE:-$((16 << 20))}
PRODUCTION=$DOMAIN/production
BEST_EFFORT=$DOMAIN/best-effort
ENFORCE=1 # 0: the limit is only computed
SWAP_LIMIT= # swap that best-effort may have in addition to its limit, bytes; 2^50: any amount; none: it stays as it is
SWAPPINESS= # none: the tool never changes it
DIRTY_PERCENT=0 # dirty pages that best-effort may have, in percent of the limit; 0: unlimited
FREEZER= # best-effort's cgroup in the freezer's hierarchy, if the test wants freezing
TOOL=
SENDER=
USE=memory.usage_in_bytes
LIMIT=memory.limit_in_bytes # read by tests
[ "$UNIFIED" = 0 ] || USE=memory.current LIMIT=memory.max
export LIMIT

limit_begin() {
  [ "$(id -u)" = 0 ] || skip "needs root"
  [ -w "$MEMORY" ] || skip "$MEMORY is read-only"
  trap limit_cleanup EXIT
  trap 'exit 143' TERM INT HUP
  mkdir -p "$FILES"
  make_domain "$DOMAIN" "$NODE_MB"
  if [ "$SWAP_MB" = 0 ]; then forbid_swap "$DOMAIN"; else start_swap "$SWAP_MB"; fi
  mkdir -p "$PRODUCTION" "$BEST_EFFORT"
  [ "$UNIFIED" = 0 ] || echo +memory >"$BEST_EFFORT/cgroup.subtree_control"
  mkdir -p "$BEST_EFFORT/task"
}

limit_cleanup() {
  [ -z "$SENDER" ] || kill -9 "$SENDER" 2>/dev/null
  [ -z "$TOOL" ] || kill -9 "$TOOL" 2>/dev/null
  cleanup
}

use() { cat "$1/$USE"; } # cgroup

# File pages that could be dropped at once. Bash reads the file itself: a process per read would be the main load.
clean() { # cgroup: returns the result in $clean_bytes
  local key value prefix=total_ dirty=dirty writeback=writeback
  [ "$UNIFIED" = 0 ] || prefix='' dirty=file_dirty writeback=file_writeback
  clean_bytes=0
  while read -r key value; do
    case $key in
    "${prefix}active_file" | "${prefix}inactive_file") clean_bytes=$((clean_bytes + value)) ;;
    "$prefix$dirty" | "$prefix$writeback") clean_bytes=$((clean_bytes - value)) ;;
    esac
  done <"$1/memory.stat"
  [ $clean_bytes -ge 0 ] || clean_bytes=0
}

# The rest of its use; page cache of processes that have exited remains counted as long as no task needs the memory.
unreclaimable() { # cgroup
  clean "$1"
  echo $(($(use "$1") - clean_bytes))
}

# Best-effort's process holds as much memory that cannot be reclaimed.
expect_grown() { # megabytes
  await 20 at_least $(($1 << 20)) unreclaimable "$BEST_EFFORT" && return
  clean "$BEST_EFFORT"
  void "best-effort does not grow to $1 MB: $(population "$BEST_EFFORT") processes, use $(use "$BEST_EFFORT"), clean $clean_bytes," \
    "$(grep -h oom_kill "$BEST_EFFORT"/memory.{oom_control,events} 2>/dev/null | tr '\n' ' ')" \
    "$(awk 'NR > 1 { print "swap on " $1 ", " $4 " KB used" }' /proc/swaps) $(tail -1 "$FILES/limit.out")"
}

# The line that the NodeManager sends to the tool: production keeps its entitlement, the rest of the node nothing.
basis() {
  local node best production excess owed all
  read -r best <"$BEST_EFFORT/$USE"
  read -r node <"$DOMAIN/$USE"
  read -r production <"$PRODUCTION/$USE"
  clean "$PRODUCTION"
  excess=$((production - ENTITLEMENT < clean_bytes ? production - ENTITLEMENT : clean_bytes))
  owed=$((ENTITLEMENT > production ? ENTITLEMENT - production : 0))
  clean "$DOMAIN"
  all=$clean_bytes
  clean "$BEST_EFFORT"
  echo "number=$((++number)) boundary=$((NODE_MB << 20)) reserve=$RESERVE others=$((node > best ? node - best : 0)) swap=0" \
    "excess=$((excess > 0 ? excess : 0)) owed=$owed claim=0 clean=$((all > clean_bytes ? all - clean_bytes : 0)) dirty-percent=$DIRTY_PERCENT ${SWAP_LIMIT:+swap-limit=$SWAP_LIMIT} ${SWAPPINESS:+swappiness=$SWAPPINESS} enforce=$ENFORCE freeze=$([ -z "$FREEZER" ]; echo $?)"
}

send_lines() { # sends the NodeManager's lines until it is killed
  local number=0
  while :; do
    basis || return
    sleep 1
  done
}

start_limit() {
  rm -f "$FILES/limit.in"
  : >"$FILES/limit.out"
  mkfifo "$FILES/limit.in"
  "$UA" memory-limit --cgroup "$BEST_EFFORT" --boundary "$DOMAIN" ${FREEZER:+--freezer "$FREEZER"} <"$FILES/limit.in" >"$FILES/limit.out" 2>"$FILES/limit.err" &
  TOOL=$!
  send_lines >"$FILES/limit.in" &
  SENDER=$!
  disown "$TOOL" "$SENDER" # they are killed later; bash must not report that
  await 5 grep -q '"event":"limit"' "$FILES/limit.out" ||
    fail "the tool prints nothing: $(cat "$FILES/limit.out" "$FILES/limit.err")"
}

# The tool ends with its input, and the limit stays.
stop_limit() {
  local end=$((SECONDS + 10))
  kill -9 "$SENDER"
  while kill -0 "$TOOL" 2>/dev/null; do
    [ $SECONDS -lt $end ] || fail "the tool outlives its input"
    sleep 0.05
  done
  TOOL='' SENDER=''
}

# The sum, the maximum or the last value of a number, over all reports.
reported() { # sum|max|last key
  grep '"event":"limit"' "$FILES/limit.out" | grep -o "\"$2\":-\?[0-9]*" |
    awk -F: -v how="$1" '{ sum += $2; if (NR == 1 || $2 > max) max = $2; last = $2 } END { printf "%.0f", how == "sum" ? sum : how == "max" ? max : last }'
}

# The longest write of the sampling thread, in $clamp. It is interrupted after 5 ms, and then takes what is left of one
# turn of the kernel's reclaim: at most 29 ms beside dirty pages and four busy threads on two processors (26 runs).
expect_short_writes() {
  clamp=$(reported max longestClampMicros)
  [ "$clamp" -lt 500000 ] || fail "a write of the sampling thread took $clamp us: it waits for reclaim"
}

end_best_effort() {
  local file p
  for _ in {1..400}; do
    ! dead "$BEST_EFFORT" || return 0
    for file in "$BEST_EFFORT"/**/cgroup.procs; do
      while read -r p; do kill -9 "$p"; done <"$file"
    done 2>/dev/null
    sleep 0.05
  done
  fail "best-effort does not end"
}
