# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Common to the tests of `ua-killer network`: two network namespaces joined by a veth pair, two cgroups of the unified
# hierarchy, and the reliable removal of all of it. The machine's own network is not touched.

NODE=charon-net-$$
DEV=veth0
RECEIVERS=()

network_begin() {
  local tool
  [ "$(id -u)" = 0 ] || skip "needs root"
  for tool in ip tc nsenter; do command -v $tool >/dev/null || skip "no $tool (packages iproute2, util-linux)"; done
  HIERARCHY=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
  [ -n "$HIERARCHY" ] || skip "no cgroup2 is mounted"
  [ -w "$HIERARCHY" ] || skip "$HIERARCHY is read-only"
  trap network_cleanup EXIT
  trap 'exit 143' TERM INT HUP
  for tool in a b; do ip netns add "$NODE-$tool" || skip "network namespaces are refused"; done
  ip link add $DEV netns "$NODE-a" type veth peer name peer netns "$NODE-b" || skip "no veth in this kernel"
  # No IPv6 neighbour discovery, so that only the traffic of the tests is counted.
  ip netns exec "$NODE-a" sh -c 'echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6; echo 1 >/proc/sys/net/ipv6/conf/'$DEV/disable_ipv6 2>/dev/null
  ip -n "$NODE-a" address add 10.77.0.1/24 dev $DEV
  ip -n "$NODE-b" address add 10.77.0.2/24 dev peer
  ip -n "$NODE-a" link set $DEV up
  ip -n "$NODE-b" link set peer up
  await 5 has_carrier || fail "$DEV has no carrier"
  BEST_EFFORT=$HIERARCHY/$NODE/best-effort FOREGROUND=$HIERARCHY/$NODE/production
  mkdir -p "$BEST_EFFORT/container" "$FOREGROUND" || fail "cannot make cgroups in $HIERARCHY"
}

network_cleanup() {
  trap '' TERM INT HUP
  kill_cgroup "$HIERARCHY/$NODE"
  kill "${RECEIVERS[@]}" 2>/dev/null
  ip netns del "$NODE-a" 2>/dev/null
  ip netns del "$NODE-b" 2>/dev/null
  rm -rf "/tmp/$NODE".*
}

has_carrier() { ! inside ip -o link show dev $DEV | grep -q NO-CARRIER; }
inside() { nsenter "--net=/run/netns/$NODE-a" "$@"; }
network() { inside "$UA" network "$@" --device $DEV; }
limit() { network limit --cgroup "$BEST_EFFORT" --rate "$1"; } # bytes per second

# All state of traffic control in the namespace, without running counters.
everything() {
  inside ip -o link show | awk '{ print $2, $3, $4, $5 }'
  inside tc qdisc show
  inside tc filter show dev $DEV egress
  inside tc filter show dev $DEV ingress
}

shown() { network show --json | grep -o "\"$1\":[^,}]*" | cut -d: -f2-; } # key

# Starts a sender in the cgroup; the receiver writes the number of bytes received to /tmp/NODE.PORT.
send() { # cgroup port
  nsenter "--net=/run/netns/$NODE-b" "$WORK" receive 10.77.0.2 "$2" >"/tmp/$NODE.$2" &
  RECEIVERS+=($!)
  for _ in $(seq 50); do nsenter "--net=/run/netns/$NODE-b" grep -qi "$(printf ':%04X 0*:0000 0A' "$2")" /proc/net/tcp && break; sleep 0.02; done
  (
    echo "$BASHPID" >"$1/cgroup.procs" || exit 1
    exec nsenter "--net=/run/netns/$NODE-a" "$WORK" send 10.77.0.2 "$2"
  ) >/dev/null 2>&1 &
  disown $!
}
