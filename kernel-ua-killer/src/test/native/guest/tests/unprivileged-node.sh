# A NodeManager without privileges: without root's tree, its containers stay in its own cgroup; in the tree they arrive, none can leave it, the killer kills there, and the helper promotes.
# shellcheck shell=bash
# must never
# shellcheck source=kernel-ua-killer/src/test/native/guest/node-manager.sh
. "$HERE/node-manager.sh"
begin 64 400
service=$MEMORY/charon-ua-test-$$.service
DOMAINS+=("$service")
mkdir "$service"
# shellcheck disable=SC2153 # not DOMAINS
node=$DOMAIN/node root=$DOMAIN/node/best-effort
place_of() { sed -n 's/^0:://p' "/proc/$1/cgroup"; }
# Launches like LaunchPrefix: a step that fails is skipped.
launch() { # from-cgroup into-cgroup workload...: echoes the process number
  local pid
  # shellcheck disable=SC2016 # expanded by the inner shell
  become_member_in "$1" bash -c 'echo $$ 2>/dev/null >"$1/cgroup.procs"; shift; exec "$@"' launch "$2" "$WORK" "${@:3}" >/dev/null 2>&1 &
  pid=$!
  disown $pid
  for _ in {1..200}; do
    read -r name <"/proc/$pid/comm"
    [ "$name" = workload ] && break
    sleep 0.02
  done
  echo $pid
}
# A directory of the user's own is not sufficient: the rule of delegation forbids the move.
mkdir "$DOMAIN/own" && chown -R 65534 "$DOMAIN/own"
member mkdir "$DOMAIN/own/container" || fail "the member makes no cgroup"
pid=$(launch "$service" "$DOMAIN/own/container" idle 5)
[ "$(place_of "$pid")" = "${service#"$MEMORY"}" ] || fail "without a tree it arrived in $(place_of "$pid")"
# Root makes the tree; repeating that changes nothing.
tree() { ua tree "$@" --user 65534 --group 65534; }
refused 2 "whole path" tree add /
refused 2 "whole path" tree add "$DOMAIN/../x"
refused 2 "whole path" tree add "$node/"
refused 2 "is root" ua tree add "$node" --user 0 --group 0
refused 2 "is missing" ua tree add "$node"
refused 2 "give --group" ua tree add "$node" --user 65534
refused 4 "needs root" member "$UA" tree add "$node" --user 65534 --group 65534
mkdir "$DOMAIN/foreign" "$DOMAIN/foreign/inner" && chown 1234 "$DOMAIN/foreign"
refused 3 "'foreign' in this path belongs to user 1234" tree add "$DOMAIN/foreign"
refused 3 "'foreign' in this path belongs to user 1234" tree add "$DOMAIN/foreign/inner"
rmdir "$DOMAIN/foreign/inner" "$DOMAIN/foreign"
start "$(container busy)" idle 5
read -r inhabitant <"$DOMAIN/busy/cgroup.procs"
refused 3 "which holds processes" tree add "$DOMAIN/busy"
# A unit whose containers run in its own cgroup, because they were started before it was delegated.
refused 3 "have to end first" tree add "$DOMAIN/busy/charon"
rmdir "$DOMAIN/busy/charon/nodemanager" "$DOMAIN/busy/charon"
tree add "$DOMAIN/busy" --process "$inhabitant" >/dev/null || fail "no tree around a process"
[ "$(place_of "$inhabitant")" = "${DOMAIN#"$MEMORY"}/busy/nodemanager" ] || fail "--process is in $(place_of "$inhabitant")"
refused 3 "it still holds processes" ua tree remove "$DOMAIN/busy"
kill -9 "$inhabitant"
await 5 ua tree remove "$DOMAIN/busy" || fail "the tree cannot be removed: $(ua tree remove "$DOMAIN/busy" 2>&1)"
[ ! -e "$DOMAIN/busy" ] || fail "the tree is not removed"
# Permissions given earlier, for example by `domain add`, are taken back.
mkdir "$node" && chgrp 65534 "$node/memory.max" && chmod g+w "$node/memory.max"
for _ in 1 2; do
  tree add "$node" >/dev/null || fail "no tree"
  [ "$(stat -c '%a %u %g' "$node" "$node/memory.max" "$node/cgroup.procs" "$node/nodemanager" | tr '\n' ' ')" = \
    "1775 0 65534 644 0 0 644 65534 65534 755 65534 65534 " ] ||
    fail "tree: $(stat -c '%a %u %g %n' "$node" "$node/memory.max" "$node/cgroup.procs" "$node/nodemanager")"
done
grep -q memory "$node/cgroup.subtree_control" || fail "no memory controller below $node"
mkdir -p "$BPFFS"
ua load --group 65534 >/dev/null || fail "load failed"
mkdir "$DOMAIN/rooted" # root's, and not given to the group
ua --json domain add "$DOMAIN" --killable-below "$root" || fail "cannot add the domain"
home=$node/nodemanager
from "$home" mkdir "$node/production" "$node/production/container_1" "$root/container_2" "$root/container_3" ||
  fail "the NodeManager makes no cgroups"
from "$home" bash -c "echo +memory >'$root/cgroup.subtree_control' && echo +memory >'$node/production/cgroup.subtree_control'" ||
  fail "the NodeManager enables no controller"
production=$(launch "$home" "$node/production/container_1" idle 10)
promoted=$(launch "$home" "$root/container_2" idle 10)
victim=$(launch "$home" "$root/container_3" idle 1)
for arrived in "$production $node/production/container_1" "$promoted $root/container_2" "$victim $root/container_3"; do
  [ "$MEMORY$(place_of "${arrived% *}")" = "${arrived#* }" ] || fail "${arrived#* } is empty, its process in $(place_of "${arrived% *}")"
done
# The NodeManager's user cannot act outside of the tree, and root's parts of the tree stay.
for forbidden in "rmdir '$root'" "rmdir '$node'" "mkdir '$DOMAIN/other'" "echo \$\$ >'$MEMORY/cgroup.procs'" \
  "echo \$\$ >'$service/cgroup.procs'" "echo \$\$ >'$DOMAIN/own/container/cgroup.procs'" "echo $inhabitant >'$home/cgroup.procs'" \
  "echo max >'$node/memory.max'" "echo 0 >'$DOMAIN/memory.max'" "echo 1 >'$node/cgroup.kill'" "chmod 777 '$node'" \
  "chown 65534 '$root'" "echo -memory >'$DOMAIN/cgroup.subtree_control'"; do
  from "$home" bash -c "$forbidden" 2>/dev/null && fail "the NodeManager's user did: $forbidden"
done
[ -d "$root" ] || fail "the root of what may be killed is gone"
# Inside the tree, the NodeManager can promote without the helper.
from "$home" bash -c "mkdir '$node/production/container_2' && echo $promoted >'$node/production/container_2/cgroup.procs'" ||
  fail "the NodeManager cannot promote in its tree"
[ "$(place_of "$promoted")" = "${node#"$MEMORY"}/production/container_2" ] || fail "promoted to $(place_of "$promoted")"
# If the common ancestor belongs to root alone, the helper moves the container.
closed=$DOMAIN/rooted/best-effort open=$DOMAIN/rooted/production
# A killable root that is named before its tree exists, in a missing cgroup.
early=$DOMAIN/unit/early
ua --json domain add "$DOMAIN" --killable-below "$root" --killable-below "$closed" --killable-below "$early/best-effort" --promote-to "$open" ||
  fail "no second root"
[ "$(stat -c '%a %g' "$DOMAIN/unit/memory.max" "$DOMAIN/unit/cgroup.procs" | tr '\n' ' ')" = "644 0 644 0 " ] ||
  fail "the user may change the limits of what is above the tree"
start_helper_for_member
tree add "$early" >/dev/null || fail "no tree around best-effort's cgroup"
given() { [ "$(stat -c '%a %u %g' "$early/best-effort/memory.max")" = "664 0 65534" ]; }
await 5 given || fail "best-effort's memory cannot be limited: $(stat -c '%a %u %g %n' "$early/best-effort/memory.max")"
member mkdir "$closed/container_4" "$open/container_4" || fail "the member makes no cgroup"
start "$closed/container_4" idle 5
read -r inside <"$closed/container_4/cgroup.procs"
from "$home" bash -c "echo $inside >'$open/container_4/cgroup.procs'" 2>/dev/null && void "the member may move"
member rmdir "$open/container_4"
start_node_manager "$home"
expect_reply "not directly in a cgroup" move "$node/production/container_1" --domain "$DOMAIN"
expect_reply "not directly in a cgroup" move "$service" --domain "$DOMAIN"
expect_reply '{"moved":1}' move "$closed/container_4" --domain "$DOMAIN"
[ "$(place_of "$inside")" = "${open#"$MEMORY"}/container_4" ] || fail "moved to $(place_of "$inside")"
refused 4 "not the main process" from "$home" "$UA" --socket "$SOCKET" move "$closed/container_4" --domain "$DOMAIN"
# The killer kills in the tree only.
ua set cgth-time-ms 1500
expect_reply "containers may not be killed there" register "$node/production/container_1" --domain "$DOMAIN" --score 1000
expect_reply "containers may not be killed there" register "$home" --domain "$DOMAIN" --score 1000
expect_reply '"done":true' register "$root/container_3" --domain "$DOMAIN" --score 5 --age-ms 10000
launch "$home" "$root/container_3" anonymous 90 1 >/dev/null
wait_dead "$root/container_3" 40 || fail "alive; $(state)"
for alive in "$node/production/container_1" "$node/production/container_2" "$open/container_4" "$home"; do
  expect_alive "$alive" "$alive"
done
expect_kills 1
exec 7>&- 8<&-
refused 3 "would create $root again" ua tree remove "$node"
ua domain remove "$DOMAIN" || fail "cannot remove the domain"
cat "$node"/**/cgroup.procs | xargs -r kill -9
await 10 ua tree remove "$node" 2>/dev/null || fail "the tree cannot be removed: $(ua tree remove "$node" 2>&1)"
pass "3 containers arrived in the tree, none without it; 13 ways to leave it refused; moved by the helper"
