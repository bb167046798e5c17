# memory.min along the path that charon-nodemanager creates (node/production/container): next to a thrasher, a protected container keeps every page.
# shellcheck shell=bash
# must never
# None of its pages is scanned. Without memory.min on the container, or on its parents, pages are evicted.
begin 110 400
node=$DOMAIN
mkdir "$node/production" "$node/best-effort"
for parent in production best-effort; do echo +memory >"$node/$parent/cgroup.subtree_control"; done
"$WORK" create "$FILES/mapped" 30
stat_of() { awk -v n="$2" '$1 == n { print $2 }' "$1/memory.stat"; }

# Echoes the pages scanned, the pages evicted, and the remaining anonymous and file memory of a container under
# pressure.
run() { # container-bytes parents-bytes
  local master=$node/production/container_1 task=$node/best-effort/container_2
  mkdir "$master" "$task"
  echo "$1" >"$master/memory.min"
  echo "$2" >"$node/production/memory.min"
  echo "$2" >"$node/memory.min"
  start "$master" idle 30
  start "$master" cache "$FILES/mapped"
  await 20 at_least $((30 << 20)) stat_of "$master" file
  await 20 at_least $((30 << 20)) stat_of "$master" anon
  start "$task" anonymous 160 1
  await 20 at_least 30000 stat_of "$task" pgscan
  echo "$(stat_of "$master" pgscan) $(stat_of "$master" pgsteal) $(stat_of "$master" anon) $(stat_of "$master" file)" \
    "$(stat_of "$task" pgscan)"
  kill_cgroup "$master"
  kill_cgroup "$task"
  echo 1 >/proc/sys/vm/drop_caches
}
request=$((75 << 20))
read -r scanned taken anonymous file other <<<"$(run $request $request)"
[ "$other" -gt 1000 ] || fail "there was no pressure: $other pages scanned beside it"
[ "$scanned $taken" = "0 0" ] || fail "protected: $scanned pages scanned, $taken taken"
[[ $((anonymous >> 20)) -ge 30 && $((file >> 20)) -ge 30 ]] || fail "protected: anonymous $anonymous, file $file bytes left"
read -r bare_scanned bare_taken _ bare_file _ <<<"$(run 0 0)"
[ "$bare_taken" -gt 100 ] || fail "unprotected: only $bare_taken pages taken; the comparison shows nothing"
read -r _ lonely_taken _ _ _ <<<"$(run $request 0)"
[ "$lonely_taken" -gt 100 ] || fail "without memory.min of the parents: only $lonely_taken pages taken"
pass "scanned 0, taken 0, 30 MB of file pages left ($other scanned beside it); unprotected: scanned $bare_scanned, taken \
$bare_taken, $((bare_file >> 20)) MB of file pages left; without the parents: taken $lonely_taken"
