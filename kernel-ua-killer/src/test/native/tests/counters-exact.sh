# The refaults that the sampler reads are those that the kernel shows in memory.stat, in both data sources, and its bytes are those of the cgroup's files.
# shellcheck shell=bash
# long
begin 64 400
refaults() { # series: the number in memory.stat
  local name=workingset_refault_$1
  [ "$UNIFIED" = 1 ] || name=total_$name
  awk -v n="$name" '$1 == n { print $2 }' "$victim/memory.stat"
}
sampled() { # column: the number in the last sample
  ua samples "$victim" | tail -1 | awk -v c="$1" '{ print $c }'
}
# Megabytes of the container with its swap, as its files show them.
used() {
  if [ "$UNIFIED" = 1 ]; then cat "$victim/memory.current" "$victim/memory.swap.current"
  else cat "$victim/memory.memsw.usage_in_bytes"; fi | awk '{ n += $1 } END { print int(n / 1048576) }'
}
# Stops the container. Another one keeps the kernel reclaiming, so that a last sample of the stopped one is taken.
stop_victim() {
  while read -r p; do kill -STOP "$p"; done <"$victim/cgroup.procs"
  start "$(container pressure)" anonymous 80 1
  sleep 1
  kill_cgroup "$DOMAIN/pressure"
}
for source in ${UA_SOURCES:-lite exact}; do
  # A new file: evicted pages of an earlier container would refault before the first reclaim, and so before the first
  # sample.
  "$WORK" create "$FILES/$source" 40
  load --source "$source"
  ua set cgth-time-ms 0
  ua set file-refaults any
  victim=$(container "$source")
  best_effort "$victim"
  start "$victim" anonymous 90 1
  start "$victim" file "$FILES/$source" 40 1
  shown=(0 0) seen=(0 0)
  if [ "$source" = exact ]; then
    # This source counts only from the first sample on.
    sleep 0.5
    stop_victim
    shown=("$(refaults anon)" "$(refaults file)") seen=("$(sampled 2)" "$(sampled 3)")
    while read -r p; do kill -CONT "$p"; done <"$victim/cgroup.procs"
  fi
  for second in $(seq 30); do # slow machines need longer to refault
    sleep 1
    [ "$second" -ge 2 ] && [ $(($(refaults anon) - shown[0])) -gt 100 ] &&
      [ $(($(refaults file) - shown[1])) -gt 100 ] && break
  done
  stop_victim
  for i in 0 1; do
    series=$([ $i = 0 ] && echo anon || echo file)
    real=$(($(refaults "$series") - shown[i])) got=$(($(sampled $((i + 2))) - seen[i]))
    [ "$real" -gt 100 ] || fail "$source: only $real refaults ($series)"
    awk -v a="$real" -v b="$got" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d <= a * 0.001 + 2) }' ||
      fail "$source: memory.stat shows $real $series refaults, the sampler $got"
    report="$report $source $series $got/$real"
  done
  # The kernel may evict file pages after the last sample. A wrong page size would be wrong by a factor of 2 or more.
  real=$(used) got=$(sampled 4)
  awk -v a="$real" -v b="$got" 'BEGIN { exit !(b >= a * 0.7 && b <= a * 1.4 + 2) }' ||
    fail "$source: the container holds $real MB, the sampler shows $got MB"
  report="$report $got/$real MB"
  kill_cgroup "$victim"
  ua unload >/dev/null
done
pass "sampled/memory.stat:$report"
