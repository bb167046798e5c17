# The network limit: what is refused, what belongs to others, devices that vanish, and how few capabilities it needs.
# shellcheck shell=bash
# beside others
# must never
# shellcheck source=kernel-ua-killer/src/test/native/network.sh
. "$HERE/network.sh"
network_begin
clean=$(everything)
refused 2 "1 to 15 of" inside "$UA" network show --device "../x"
refused 2 "1 to 15 of" inside "$UA" network clear --device "sixteen-letters-"
refused 2 "1 to 15 of" inside "$UA" network show --device 'a b'
refused 2 "--device DEV is missing" inside "$UA" network show
refused 2 "are needed" network limit --cgroup "$BEST_EFFORT"
refused 2 "whole number" network limit --cgroup "$BEST_EFFORT" --rate 999
refused 2 "whole number" network limit --cgroup "$BEST_EFFORT" --rate 1e9
refused 2 "would limit everything" network limit --cgroup "$HIERARCHY" --rate 1000000
refused 2 "not a cgroup of the unified" network limit --cgroup /tmp --rate 1000000
refused 2 "No such file" network limit --cgroup "$BEST_EFFORT/absent" --rate 1000000
refused 2 "give limit, show" network frobnicate
refused 3 "no such network device" inside "$UA" network show --device absent
refused 3 "no such network device" inside "$UA" network limit --device absent --cgroup "$BEST_EFFORT" --rate 1000000
if [ "$UNIFIED" = 0 ]; then refused 2 "not a cgroup of the unified" network limit --cgroup "$MEMORY" --rate 1000000; fi
[ "$(everything)" = "$clean" ] || fail "a refusal left: $(diff <(echo "$clean") <(everything))"
[ "$(shown limited)" = false ] || fail "limited already"

# A root qdisc of others stays unchanged, with a limit and without.
inside tc qdisc add dev "$DEV" root tbf rate 100mbit burst 32k limit 100k || skip "no tbf in this kernel"
theirs=$(everything)
limit 1000000 >/dev/null || fail "cannot limit beside a root qdisc of others"
inside tc qdisc show dev "$DEV" root | grep -q "^qdisc tbf 8" || fail "the root qdisc is now: $(inside tc qdisc show dev "$DEV" root)"
network clear >/dev/null || fail "cannot clear"
[ "$(everything)" = "$theirs" ] || fail "after clear: $(diff <(echo "$theirs") <(everything))"
inside tc qdisc del dev "$DEV" root

# So does clsact, which others may use on ingress; if they have filters on egress, nothing is done.
inside tc qdisc add dev "$DEV" clsact
limit 1000000 >/dev/null || fail "cannot limit where clsact was"
network clear >/dev/null
inside tc qdisc show dev "$DEV" clsact | grep -q clsact || fail "clear removed the clsact of others"
inside tc filter add dev "$DEV" egress pref 5 protocol ip u32 match u32 0 0 flowid 1:1 || fail "no filter"
theirs=$(everything)
refused 3 "filters of other programs" limit 1000000
refused 3 "filters of other programs" network self-test
[ "$(everything)" = "$theirs" ] || fail "a refusal changed: $(diff <(echo "$theirs") <(everything))"
inside tc qdisc del dev "$DEV" clsact
inside tc qdisc add dev "$DEV" ingress
refused 3 "kind ingress" limit 1000000
inside tc qdisc del dev "$DEV" ingress
[ "$(everything)" = "$clean" ] || fail "this test left: $(diff <(echo "$clean") <(everything))"

# A filter that others add later to our clsact keeps clsact alive.
limit 1000000 >/dev/null || fail "cannot limit"
inside tc filter add dev "$DEV" ingress pref 5 protocol ip u32 match u32 0 0 flowid 1:1
network clear >/dev/null
inside tc filter show dev "$DEV" ingress | grep -q u32 || fail "clear removed the filter of others"
inside tc qdisc del dev "$DEV" clsact

# Filters on egress that others add later do not keep the limit from being changed.
limit 1000000 >/dev/null || fail "cannot limit"
inside tc filter add dev "$DEV" egress pref 5 protocol ip u32 match u32 0 0 flowid 1:1
limit 500000 >/dev/null || fail "cannot change the limit beside a later filter of others"
[ "$(shown rateBytesPerSecond)" = 500000 ] || fail "beside a later filter the limit is $(shown rateBytesPerSecond)"
network limit --cgroup "$BEST_EFFORT" --rate 600000 --give-way-on 600000 >/dev/null || fail "cannot make it give way"
[ "$(shown givesWayBytesPerSecond)" = 600000 ] || fail "it gives way at $(shown givesWayBytesPerSecond)"
network clear >/dev/null || fail "cannot clear beside a filter of others"
inside tc filter show dev "$DEV" egress | grep -q u32 || fail "clear removed the egress filter of others"
refused 3 "filters of other programs" limit 1000000
inside tc qdisc del dev "$DEV" clsact

# A cgroup that was created again is another cgroup; a shaper that was removed is created again.
limit 1000000 >/dev/null || fail "cannot limit"
rmdir "$BEST_EFFORT/container" "$BEST_EFFORT"
mkdir -p "$BEST_EFFORT/container"
limit 1000000 >/dev/null || fail "cannot limit the new cgroup"
[ "$(shown cgroup)" = "$(stat -c %i "$BEST_EFFORT")" ] || fail "limited is $(shown cgroup)"
shaper=$(shown shaper | tr -d '"')
inside ip link del "$shaper"
[ "$(shown limited)" = false ] || fail "limited without a shaper"
limit 2000000 >/dev/null || fail "cannot repair"
[ "$(shown rateBytesPerSecond)" = 2000000 ] || fail "not repaired"

# The device vanishes while best-effort sends; the shaper that is left is removed by `clear`, and by the next limit.
send "$BEST_EFFORT/container" 5003
sleep 0.5
inside ip link del "$DEV"
refused 3 "no such network device" network show
inside ip link show "$shaper" >/dev/null || fail "the shaper went with the device"
network clear >/dev/null || fail "cannot clear a vanished device"
inside ip link show type ifb | grep . && fail "the shaper is left"
ip link add "$DEV" netns "$NODE-a" type veth peer name peer netns "$NODE-b"
limit 1000000 >/dev/null || fail "cannot limit the new device"
network clear >/dev/null

# As the NodeManager's user runs it: with two file capabilities, which are in effect only for these commands, and
# cgroups of its own. To show the state needs no capability.
if command -v setpriv >/dev/null && command -v setcap >/dev/null; then
  clean=$(everything)
  mkdir "/tmp/$NODE.bin"
  chmod 755 "/tmp/$NODE.bin"
  cp "$UA" "/tmp/$NODE.bin/ua-killer"
  as_user() { inside setpriv --reuid 65534 --regid 65534 --clear-groups "/tmp/$NODE.bin/ua-killer" network "$@" --device "$DEV"; }
  user_limit() { as_user limit --cgroup "$1" --rate 1000000; }
  refused 4 "needs write permission" user_limit "$BEST_EFFORT"
  chown 65534 "$BEST_EFFORT"
  refused 4 "CAP_BPF with CAP_NET_ADMIN" user_limit "$BEST_EFFORT"
  refused 4 "CAP_NET_ADMIN" as_user self-test
  setcap cap_net_admin,cap_bpf=p "/tmp/$NODE.bin/ua-killer" || skip "file capabilities are refused"
  refused 4 "only one group may run it" user_limit "$BEST_EFFORT"
  refused 4 "only one group may run it" as_user clear
  refused 4 "only one group may run it" as_user self-test
  [ "$(everything)" = "$clean" ] || fail "left: $(diff <(echo "$clean") <(everything))"
  chgrp 65534 "/tmp/$NODE.bin/ua-killer"
  chmod 0770 "/tmp/$NODE.bin/ua-killer"
  setcap cap_net_admin,cap_bpf=p "/tmp/$NODE.bin/ua-killer"
  refused 4 "mode is 0770" as_user clear
  chmod 0750 "/tmp/$NODE.bin/ua-killer"
  setcap cap_bpf=p "/tmp/$NODE.bin/ua-killer"
  refused 4 "CAP_NET_ADMIN" user_limit "$BEST_EFFORT"
  [ "$(everything)" = "$clean" ] || fail "left: $(diff <(echo "$clean") <(everything))"
  setcap cap_net_admin,cap_bpf=p "/tmp/$NODE.bin/ua-killer"
  refused 4 "needs write permission" user_limit "$FOREGROUND"
  out=$(as_user self-test 2>&1) || fail "self-test with two capabilities: $out"
  out=$(user_limit "$BEST_EFFORT" 2>&1) || fail "with two capabilities: $out"
  out=$(as_user show 2>&1) || fail "show: $out"
  out=$(as_user clear 2>&1) || fail "clear: $out"
  # A limit on a cgroup that the user may not write belongs to another user; a limit on a removed cgroup belongs to
  # none.
  mkdir "$HIERARCHY/$NODE/gone"
  network limit --cgroup "$FOREGROUND" --rate 1000000 >/dev/null || fail "cannot limit"
  theirs=$(everything)
  refused 4 "that this user may not write" as_user clear
  refused 4 "that this user may not write" user_limit "$BEST_EFFORT"
  [ "$(everything)" = "$theirs" ] || fail "a refusal changed: $(diff <(echo "$theirs") <(everything))"
  network clear >/dev/null
  network limit --cgroup "$HIERARCHY/$NODE/gone" --rate 1000000 >/dev/null || fail "cannot limit"
  rmdir "$HIERARCHY/$NODE/gone"
  out=$(as_user clear 2>&1) || fail "clear the limit of a removed cgroup: $out"
  [ "$(everything)" = "$clean" ] || fail "left: $(diff <(echo "$clean") <(everything))"
fi
pass
