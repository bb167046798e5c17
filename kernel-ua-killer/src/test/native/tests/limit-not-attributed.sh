# While best-effort reclaims at its own limit, thrash of production at production's own limit kills no container, and reclaim by a NodeManager is no pressure.
# shellcheck shell=bash
# must never
# shellcheck source=kernel-ua-killer/src/test/native/socket.sh
. "$HERE/socket.sh"
for tool in setpriv perl; do command -v $tool >/dev/null || skip "no $tool"; done
begin 256 600
load
limit_best_effort 96
socket_helper
ua set cgth-time-ms 600
# Best-effort streams: it reclaims all the time at the limit around it, and needs no page twice.
streaming=$(container best-effort/streaming) quiet=$(container best-effort/quiet)
best_effort "$streaming"
best_effort "$quiet" 1000 1000
truncate -s 1T "$FILES/new"
start "$quiet" idle 20
start "$streaming" stream "$FILES/new" 1
await 10 at_least 101 json killableRootReclaims || fail "no reclaim below the limit; $(state)"
production=$(container production)
watched "$production"
set_limit "$production" 48
start "$production" anonymous 80 1
await 10 at_least 101 json ownLimitReclaims || fail "production's own limit was not seen; $(state)"
sleep 2 # more than three times cgth_time
expect_kills 0
kill_cgroup "$production"
# The NodeManager is in the domain, which has no room left, and lowers best-effort's limit below its use.
kill_cgroup "$streaming" # from here on, only the NodeManager causes reclaim
held=$(container best-effort/held)
best_effort "$held"
start "$held" idle 50
agent=$(container nodemanager)
watched "$agent"
cat >"$FILES/agent.pl" <<'PERL'
use Socket;
$| = 1;
socket(my $s, PF_UNIX, SOCK_STREAM, 0);
connect($s, sockaddr_un($ARGV[0])) or die $!;
syswrite($s, "update $ARGV[1] -1\n");
<$s>;
sleep 1; # until the helper has informed the kernel's programs
print "known\n";
select(undef, undef, undef, 0.05) until -e $ARGV[3];
for my $bytes (map { $_ << 20 } reverse 24 .. 56) {
  open(my $limit, '>', $ARGV[2]) or next;
  syswrite($limit, $bytes);
}
print "done\n";
sleep 60; # a process that has disconnected is no agent
PERL
limit=$LIMITED/memory.limit_in_bytes
[ "$UNIFIED" = 0 ] || limit=$LIMITED/memory.max
run_in "$agent" perl "$FILES/agent.pl" "$SOCKET" "$(stat -c %i "$DOMAIN")" "$limit" "$FILES/go" >"$FILES/agent" 2>&1
await 20 grep -q known "$FILES/agent" || fail "the NodeManager is not accepted: $(cat "$FILES/agent")"
used() { cat "$1/memory.usage_in_bytes" 2>/dev/null || cat "$1/memory.current"; } # cgroup
await 10 at_least $((48 << 20)) used "$LIMITED" || fail "there is nothing to take back: $(used "$LIMITED")"
# Room for two megabytes: a limit this close is the one that a reclaim serves.
room=$(($(used "$DOMAIN") + (2 << 20)))
echo "$room" >"$DOMAIN/memory.limit_in_bytes" 2>/dev/null || echo "$room" >"$DOMAIN/memory.max"
before=$(json reclaims)
: >"$FILES/go"
await 20 grep -q "done" "$FILES/agent" || fail "the NodeManager does not come to its end: $(cat "$FILES/agent")"
lowered=$(json agentReclaims)
at_least 1 json agentReclaims || fail "the NodeManager's reclaim was not seen; $(state)"
[ "$(json reclaims)" = "$before" ] || fail "taking back was counted as pressure: $(($(json reclaims) - before)) times"
expect_alive "$quiet" "the quiet container"
expect_kills 0
pass "$(json killableRootReclaims) reclaims below the limit, $lowered of the NodeManager, 0 kills"
