# On cgroup v2, in another user's cgroup: the killable root is created there, found when it was created again, and no process next to it is killed.
# shellcheck shell=bash
# must never
begin 64 400
mkdir -p "$BPFFS"
ua load --group 65534 >/dev/null || fail "load failed"
node=$DOMAIN/delegated
root=$node/best-effort
prepare() { echo +memory >"$node/cgroup.subtree_control" && echo +memory >"$root/cgroup.subtree_control"; }
mkdir "$node" || fail "cannot create $node"
chown -R 65534 "$node"
ua --json domain add "$DOMAIN" --killable-below "$root" || fail "cannot add the domain"
[ "$(stat -c %u "$node")" = 65534 ] || fail "a delegated cgroup was taken over"
[ "$(stat -c '%a %u %g' "$root")" = "1775 0 65534" ] || fail "best-effort: $(stat -c '%a %u %g' "$root")"
start_helper
ua set cgth-time-ms 1500
mkdir "$node/production"
start "$node/production" idle 5
refused 4 "containers may not be killed there" ua register "$node/production" --domain "$DOMAIN" --score 5
made_again() { [ "$(stat -c %g "$root" 2>/dev/null)" = 65534 ] && ua --json status | grep -q "\"killableMissing\":\[\]"; }
for restart in 1 2; do
  prepare || fail "$restart: no memory controller in $root"
  victim=$root/victim-$restart
  mkdir "$victim"
  best_effort "$victim"
  start "$victim" anonymous 90 1
  wait_dead "$victim" 40 || fail "$restart: alive; $(state)"
  expect_alive "$node/production" production
  kill_cgroup "$root"
  await 10 made_again || fail "$restart: best-effort is not made again: $(ua status)"
done
expect_kills 2
# Another user's cgroup at that path is not accepted as root's.
kill "$HELPER"
wait "$HELPER" 2>/dev/null
{ rmdir "$root" && mkdir "$root" && chown 65534 "$root"; } || fail "cannot replace $root"
start_helper
lost() { ua --json status | grep -q "\"killableMissing\":\[\"$root\"\]"; }
await 10 lost || fail "another user's cgroup is taken for root's: $(ua status)"
pass "made again twice; another user's refused"
