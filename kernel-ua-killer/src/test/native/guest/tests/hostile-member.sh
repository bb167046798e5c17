# With the whole machine as the domain (`domain add host`), neither a member of the group nor a process that took over the NodeManager gets a map or registers a container outside of best-effort.
# shellcheck shell=bash
# must never
# shellcheck source=kernel-ua-killer/src/test/native/guest/node-manager.sh
. "$HERE/node-manager.sh"
begin none 900
slice=$MEMORY/charon-ua-test-$$-system.slice
DOMAINS+=("$slice")
mkdir -p "$slice/ssh.service" "$BPFFS"
echo +memory >"$slice/cgroup.subtree_control"
# shellcheck disable=SC2153 # not DOMAINS
root=$DOMAIN/best-effort production=$DOMAIN/production ssh=$slice/ssh.service
ua load --group 65534 >/dev/null || fail "load failed"
ua --json domain add host --killable-below "$root" --promote-to "$DOMAIN/promoted" || fail "cannot add the whole machine"
start_helper_for_member
mkdir "$production"
member mkdir "$root/victim" "$root/filler" || fail "a member makes no cgroup"
start "$ssh" idle 10
start "$production" idle 40
# A member that is not the NodeManager gets no map by pin or number, can freeze none, and is not served.
member "$OUT/member" maps "$BPFFS"/charon/* >"$FILES/maps" || fail "a member has a map: $(grep opened "$FILES/maps" | head -3)"
refused 4 "permission denied" member "$UA" --bpffs "$BPFFS" register "$ssh" --domain host --score 1000
refused 4 "not the main process" member "$UA" --socket "$SOCKET" register "$ssh" --domain host --score 1000
refused 4 "needs root" member "$UA" tree add /charon-ua-test-member --user 65534 --group 65534
# The NodeManager itself, as if it had been taken over.
mkdir "$DOMAIN/nodemanager"
start_node_manager "$DOMAIN/nodemanager"
for innocent in "$ssh" "$slice" "$production" "$DOMAIN/nodemanager"; do
  expect_reply "containers may not be killed there" register "$innocent" --domain "$MEMORY" --score 1000
done
for above in "$DOMAIN" "$root"; do expect_reply "contains cgroups" register "$above" --domain "$MEMORY" --score 1000; done
expect_reply "not below the domain" register "$MEMORY" --domain "$MEMORY" --score 1000
expect_reply "is not a domain" register "$root/victim" --domain "$DOMAIN" --score 1000
expect_reply "whole number from 1 to 1000" register "$root/victim" --domain "$MEMORY" --score 5000
for key in "min-pages 1000000" "flat-ms 100" "victim-timeout-ms 60000" "file-refaults any" "owed-percent 100" "owed-progress-percent 100"; do
  expect_reply "only root may set it" set "$key" # a change would go unnoticed
done
expect_reply "allows 0 (off) or 100 to" set cgth-time-ms 1
expect_reply "only root may set it" set period-ms 10
for innocent in "$ssh" "$production" "$root"; do expect_reply "not directly in a cgroup" move "$innocent" --domain "$MEMORY"; done
domain=$(stat -c %i "$MEMORY")
expect_reply "containers may not be killed there" update "$domain" "+$(stat -c %i "$ssh"):1:1000:0"
# What it may do: set the rule that fires soonest, and register its victim.
for value in "cgth-time-ms 100" "policy score" "owed-time-ms 100"; do expect_reply '"done":true' set "$value"; done
expect_reply '"done":true' register "$root/victim" --domain "$MEMORY" --score 1 --age-ms 10000
expect_reply '"done":true' register "$production" --domain "$MEMORY"
# A full table.
mkdir "$root"/filler/{1..1030} || fail "no 1030 cgroups"
stat -c '+%i:0:0:0' "$root"/filler/[0-9]* | xargs -n 150 echo >"$FILES/updates"
while read -r numbers; do answer=$(request update "$domain" "$numbers"); done <"$FILES/updates"
grep -q "table of containers is full" <<<"$answer" || void "the table is not full: $answer"
expect_reply "table of containers is full" register "$ssh" --domain "$MEMORY"
expect_reply "containers may not be killed there" register "$ssh" --domain "$MEMORY" --score 1
for innocent in "$ssh" "$production" "$DOMAIN/nodemanager"; do expect_alive "$innocent" "$innocent"; done
expect_kills 0
exec 7>&- 8<&-
pass "$(tail -1 "$FILES/maps"); the table full"
