# memory.low as charon-nodemanager writes it: beside best-effort that grows into page cache to which nobody is entitled, production keeps all of its own.
# shellcheck shell=bash
# must never
# Without memory.low, or with a cgroup between the node and the limit that has none, production loses most of its cache.
begin 160 0
unit=$DOMAIN/unit node=$DOMAIN/unit/charon
mkdir -p "$node/production" "$node/best-effort" "$DOMAIN/beside"
for parent in unit unit/charon unit/charon/production unit/charon/best-effort; do
  echo +memory >"$DOMAIN/$parent/cgroup.subtree_control"
done
"$WORK" create "$FILES/production" 40
"$WORK" create "$FILES/beside" 60
"$WORK" create "$FILES/stream" 140
stat_of() { awk -v n="$2" '$1 == n { print $2 }' "$1/memory.stat"; }

# Echoes the MB of page cache that production and a process outside of YARN keep, and best-effort's.
run() { # container's memory.low, the node's, the unit's: bytes
  local container=$node/production/container_1 task=$node/best-effort/container_2
  mkdir "$container" "$task"
  echo $((100 << 20)) >"$node/best-effort/memory.max"
  echo "$1" >"$container/memory.low"
  echo "$1" >"$node/production/memory.low"
  echo "$2" >"$node/memory.low"
  echo "$3" >"$unit/memory.low"
  echo 1 >/proc/sys/vm/drop_caches
  start "$container" stream "$FILES/production" 1
  start "$DOMAIN/beside" stream "$FILES/beside" 1
  await 20 at_least $((40 << 20)) stat_of "$container" file
  await 20 at_least $((60 << 20)) stat_of "$DOMAIN/beside" file
  start "$task" stream "$FILES/stream" 3
  await 30 at_least $((85 << 20)) stat_of "$task" file
  await 30 at_least 5000 stat_of "$DOMAIN" pgsteal
  echo "$(($(stat_of "$container" file) >> 20)) $(($(stat_of "$DOMAIN/beside" file) >> 20)) $(($(stat_of "$task" file) >> 20))"
  kill_cgroup "$container"
  kill_cgroup "$task"
  rmdir "$DOMAIN/beside" && mkdir "$DOMAIN/beside"
}
entitled=$((60 << 20)) used=$((42 << 20))
# No page may be lost, but the kernel counts up to 64 pages of each processor late.
all() { [ "$1" -ge 39 ]; }
shown() { echo "$1, $2 and $3 MB"; } # of production, of nobody, of best-effort
read -r kept beside other <<<"$(run $entitled $used $entitled)"
all "$kept" || fail "protected: $kept of 40 MB of page cache left"
[ "$other" -ge 80 ] || fail "best-effort holds only $other MB"
read -r bare_kept bare_beside bare_other <<<"$(run 0 0 0)"
[ "$bare_kept" -lt 30 ] || fail "unprotected: $bare_kept of 40 MB left; the comparison shows nothing"
read -r cut_kept cut_beside cut_other <<<"$(run $entitled $used 0)"
[ "$cut_kept" -lt 30 ] || fail "without memory.low of the unit: $cut_kept of 40 MB left"
mount -o remount,memory_recursiveprot "$MEMORY" || skip "this kernel has no memory_recursiveprot"
read -r systemd_kept systemd_beside systemd_other <<<"$(run $entitled $used $entitled)"
mount -o remount "$MEMORY" # for the next test
all "$systemd_kept" || fail "protected, with memory_recursiveprot: $systemd_kept of 40 MB of page cache left"
pass "page cache of production (40 MB), of nobody (60 MB) and of best-effort: $(shown "$kept" "$beside" "$other"), with \
memory_recursiveprot $(shown "$systemd_kept" "$systemd_beside" "$systemd_other"); unprotected $(shown "$bare_kept" "$bare_beside" "$bare_other"); \
without the unit's memory.low $(shown "$cut_kept" "$cut_beside" "$cut_other")"
